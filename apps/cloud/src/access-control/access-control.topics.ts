import { topic } from '../bus/topic.ts';

/** The addon, the rules, the roles or the members of a workgroup changed, so that its rules mean something else. */
export const accessRulesChanged = topic<{ workgroup: string }>('access-control:changed');
