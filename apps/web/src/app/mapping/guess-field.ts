import { readUnit } from '@albedo/contract/field-roles/field-units';
import type { HistoryColumn, HistoryPreview } from '@albedo/contract/history-imports/history-imports.schema';
import type { MappingInput } from './mapping-fields.tsx';

type FieldInput = MappingInput['fields'][number];
type FieldType = NonNullable<FieldInput['type']>;

const TYPES: Readonly<Record<HistoryColumn['kind'], FieldType>> = {
  number: 'decimal',
  empty: 'decimal',
  bool: 'bool',
  text: 'keyword',
  clock: 'keyword',
  time: 'date',
};

/** A unit at the end of a name, in brackets. */
const IN_BRACKETS = /^(.*\S)\s*[([]\s*([^()[\]]{1,12}?)\s*[)\]]$/;
/** Units that names end with after an underscore, as people write them. */
const AT_THE_END = ['kWh', 'MWh', 'Wh', 'kW', 'MW', 'kVA', 'kvar', 'Hz'] as const;

/**
 * Guesses the field for a column. A number takes its unit from the units row or from the end of its name, which then loses it.
 * The decimal sign is left to the import unless the whole file was read.
 */
export function guessField(
  column: string,
  profile: HistoryColumn | undefined,
  { isWhole }: Pick<HistoryPreview, 'isWhole'>,
): Partial<FieldInput> {
  const type = TYPES[profile?.kind ?? 'empty'];
  if (type !== 'decimal') return { type };
  const sign = profile?.decimal ?? '.';
  const decimal = sign === 'unclear' || !isWhole ? {} : { decimal: sign };
  if (profile?.units) return { type, units: profile.units, ...decimal };
  const [, name, units] = IN_BRACKETS.exec(column) ?? [];
  if (name && readUnit(units)) return { type, name, units: units as string, ...decimal };
  const end = AT_THE_END.find((unit) => column.slice(1).toLowerCase().endsWith(`_${unit.toLowerCase()}`));
  return end
    ? { type, name: column.slice(0, -end.length - 1), units: end, ...decimal }
    : { type, ...decimal };
}
