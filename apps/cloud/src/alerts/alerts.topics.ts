import { topic } from '../bus/topic.ts';

/** The alerts or planned suppressions of a workgroup are other ones now. */
export const alertsChanged = topic<{ workgroup: string }>('alerts:changed');
