import { topic } from '../bus/topic.ts';

/** Somebody wants something else of a cloud device; `isAnew`: its process begins again. */
export const cloudDeviceChanged = topic<{ device: string; isAnew: boolean }>('cloud-device:changed');
