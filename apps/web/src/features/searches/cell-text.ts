import type { TableInfo } from '@albedo/contract/telemetry/telemetry.schema';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { NO_VALUE } from '../../ui/units/numbers.ts';
import { formatValue } from '../../ui/units/units.ts';
import type { Words } from '../lookup-tables/lookup-tables.queries.ts';
import type { Found } from './found.ts';

/** A value of a record for people. */
export type CellText = (field: string, row: Found) => string;

interface Of {
  info: TableInfo | undefined;
  /** Names of devices by their ids. */
  names: ReadonlyMap<string, string>;
  words: Words;
  zone: string;
}

/** Stands in the audit log for the device of what concerns none. */
const NO_DEVICE = '00000000-0000-0000-0000-000000000000';

/** How the values of one table are shown: devices by name, codes by their words, instants in the zone, numbers in units. */
export function cellText({ info, names, words, zone }: Of): CellText {
  const fields = new Map((info?.fields ?? []).map((field) => [field.name, field]));
  return (name, row) => {
    const value = row[name] ?? null;
    if (value === null) return NO_VALUE;
    if (name === 'device')
      return value === NO_DEVICE ? NO_VALUE : (names.get(String(value)) ?? String(value));
    const { type, units = null } = fields.get(name) ?? {};
    if (type === 'date') return instantText(value, zone);
    const word = words(name, value);
    if (word !== null) return word;
    if (typeof value === 'string') return value;
    return type === 'bool'
      ? String(value !== 0)
      : name === 'msg_id'
        ? String(value)
        : formatValue(value, units);
  };
}

function instantText(value: string | number, zone: string): string {
  const at = typeof value === 'number' ? value : Date.parse(value);
  return Number.isNaN(at) ? String(value) : formatInstant(at, zone);
}
