import type { Audit, AuditEntry } from '../audit/audit.service.ts';
import type { DeviceRow } from './devices.store.ts';

/** Who changes something, for the audit log. */
export type By = { email: string | null; address: string } | null;

/** What changed. */
export type Change = Pick<AuditEntry, 'attribute' | 'oldValue' | 'newValue'>;

/** Writes what was done to a device into the audit log. */
export type RecordDevice = (row: DeviceRow, action: string, by: By, change?: Change) => void;

export const recordIn =
  (audit: Pick<Audit, 'record'>): RecordDevice =>
  ({ workgroup, id }, action, by, change = {}) =>
    audit.record({
      workgroup,
      device: id,
      at: Date.now(),
      action,
      controller: 'device',
      entity: 'device',
      by: by?.email ?? null,
      ...(by ? { address: by.address } : {}),
      ...change,
    });
