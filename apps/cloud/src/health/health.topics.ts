import type { DeviceFacts } from '@albedo/contract/devices/devices.schema';
import { topic } from '../bus/topic.ts';

export type FactsChanges = { deviceId: string; facts: Partial<DeviceFacts> }[];

/** What is known of devices is something else now; told once a second at most. */
export const factsChanged = topic<FactsChanges>('device:facts');

/** A device came or went; of several processes that see it, the first one says it. */
export const deviceStateChanged = topic<{
  workgroup: string;
  deviceId: string;
  online: boolean;
  at: number;
}>('device:state', { reach: 'process' });
