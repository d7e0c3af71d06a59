import type { FieldType } from '@albedo/contract/telemetry/telemetry.schema';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { NO_VALUE } from '../../ui/units/numbers.ts';
import { formatValue } from '../../ui/units/units.ts';

/** A stored value for people: numbers with units, dates in the zone, bools as yes and no, texts as they are. */
export function valueText(
  value: number | string | null | undefined,
  type: FieldType | undefined,
  units: string | null,
  timeZone: string,
): string {
  if (value === null || value === undefined) return NO_VALUE;
  if (typeof value === 'string') return value;
  if (type === 'bool') return value === 0 ? 'no' : 'yes';
  if (type === 'date') return formatInstant(value, timeZone);
  return formatValue(value, units);
}
