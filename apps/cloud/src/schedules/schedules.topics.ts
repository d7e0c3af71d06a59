import type { InverterFollows } from '@albedo/contract/schedules/schedules.schema';
import { topic } from '../bus/topic.ts';

/** What the inverters of a device make of a setpoint. */
export interface SetpointSeen {
  workgroup: string;
  device: string;
  path: string;
  inverters: InverterFollows[];
}

/** Inverters were looked at. */
export const setpointsSeen = topic<SetpointSeen>('schedules.seen', { reach: 'process' });
