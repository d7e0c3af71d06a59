import { topic } from '../bus/topic.ts';

/** A frame of an exchange for a device (base64), sent by a process that can reach it; of several that can, the first one. */
export const frameAsked = topic<{ id: string; device: string; frame: string }>('device-asks:down');

/** A frame that a device sent (base64), for the process whose exchange it is. */
export const frameSaid = topic<{ device: string; frame: string }>('device-asks:up');
