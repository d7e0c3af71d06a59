import { topic } from '../bus/topic.ts';
import type { DeviceGroupRow } from './device-groups.store.ts';

/** Devices that came into a group or went out of it. */
export interface Moves {
  workgroup: string;
  groupId: string;
  entered: string[];
  left: string[];
}

/** Told in the process of the change. */
export const devicesMoved = topic<Moves>('device-group:moved', { reach: 'process' });

export type GroupChange =
  | { kind: 'set'; row: DeviceGroupRow }
  | { kind: 'removed'; workgroup: string; id: string }
  | { kind: 'forgotten'; workgroup: string };

/** Another composition, or a group less. */
export const deviceGroupChanged = topic<GroupChange>('device-group:changed');

/** What somebody may know of may be something else: what is open for them may have to end. Every process says it itself. */
export const scopesChanged = topic<null>('device-group:scopes', { reach: 'process' });
