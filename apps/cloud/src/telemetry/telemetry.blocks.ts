import type { BatchField, BatchRow } from '@albedo/contract/link/link.messages';

/** Events of one stream of one device, rows already checked against the fields. */
export interface TelemetryBlock {
  workgroup: string;
  /** UUID. */
  device: string;
  stream: { table: string; source: string; fields: BatchField[] };
  rows: BatchRow[];
}

/** The two kinds of columns: numbers (decimal, integer, bool, date) and texts. */
export type Kind = 'n' | 's';

/** Numbered columns of each kind; fields past them live in the overflow maps. */
export const SLOTS: Readonly<Record<Kind, number>> = { n: 64, s: 32 };
export const OVERFLOW_COLUMN: Readonly<Record<Kind, string>> = { n: 'nx', s: 'sx' };
/** Slot of a field that lives in an overflow map. */
export const OVERFLOW = -1;

export const kindOf = (type: BatchField['type']): Kind => (type === 'keyword' ? 's' : 'n');

/** Where a field's values are. */
export interface FieldSlot {
  field: string;
  kind: Kind;
  slot: number;
  type: BatchField['type'];
  units: string;
}
