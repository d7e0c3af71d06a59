import type { BackedUpPlugin } from '@albedo/contract/device-backups/device-backups.schema';
import type { Actor } from '../access/actor.ts';
import { topic } from '../bus/topic.ts';

export interface DeviceRestored {
  workgroup: string;
  device: string;
  by: Actor;
  /** Plugins that it had at the time of the backup and has no more. */
  missing: readonly BackedUpPlugin[];
}

/** A backup was put onto a device. Vital: who restores it is told where what it needs cannot be brought back. */
export const deviceRestored = topic<DeviceRestored>('device-backups:restored', {
  reach: 'process',
  isVital: true,
});
