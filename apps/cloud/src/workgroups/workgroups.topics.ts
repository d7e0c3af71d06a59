import { topic } from '../bus/topic.ts';

/** A workgroup is another one now: its name, its settings, its addons, how it looks, or that it is there at all. */
export const workgroupChanged = topic<{ workgroup: string }>('workgroup:changed');

/** The staff made a workgroup, for an owner who is to be invited: that fails with the listener. */
export const workgroupMade = topic<{
  workgroup: string;
  displayName: string;
  owner: { email: string; name: string };
}>('workgroup:made', { reach: 'process', isVital: true });

/** A workgroup was closed or opened by the staff; it counts at once in all processes. */
export const workgroupSuspended = topic<{ workgroup: string; isSuspended: boolean }>('workgroup:suspended');
