import { readUnit } from '@albedo/contract/field-roles/field-units';
import type {
  HistoryColumn,
  HistoryImport,
  HistoryPreview,
  historyPlan,
} from '@albedo/contract/history-imports/history-imports.schema';
import type { z } from 'zod';
import type { MappingInput } from '../../app/mapping/mapping-fields.tsx';

type FieldInput = MappingInput['fields'][number];
type FieldType = NonNullable<FieldInput['type']>;

/** A guess from what the columns have, so that little is left to choose. */
export function firstPlan(
  { format, name }: Pick<HistoryImport, 'format' | 'name'>,
  beginning: Pick<
    HistoryPreview,
    'columns' | 'profiles' | 'layout' | 'timeColumn' | 'clockColumn' | 'isWhole'
  >,
  timezone: string,
): z.input<typeof historyPlan> {
  const { columns, timeColumn, clockColumn, layout } = beginning;
  const isLines = format === 'lines';
  const column = timeColumn ?? (isLines ? 'time' : '');
  const timeFormat = guessTimeFormat(beginning, column);
  return {
    device: null,
    deviceColumn: columns.find((one) => /^device$/i.test(one)) ?? null,
    tableColumn: isLines ? 'measurement' : null,
    devices: {},
    existing: 'skip',
    layout,
    mapping: {
      table:
        name
          .replace(/\.[^.]*$/, '')
          .replace(/[^\w-]+/g, '_')
          .toLowerCase() || 'history',
      source: 'import',
      sourceColumn: columns.find((one) => /^source$/i.test(one)) ?? null,
      timeColumn: column,
      clockColumn,
      timeFormat:
        timeFormat !== undefined ? timeFormat : !beginning.isWhole ? null : isLines ? 'epoch_ns' : 'iso',
      timezone,
      standardTime: false,
      fields: [],
    },
  };
}

/**
 * How the times of a column are written; null where they can be read in two ways or only a part of them was seen, and undefined
 * where they are none.
 */
export function guessTimeFormat(
  { profiles, isWhole }: Pick<HistoryPreview, 'profiles' | 'isWhole'>,
  column: string,
): MappingInput['timeFormat'] | null {
  const format = profiles.find(({ name }) => name === column)?.timeFormat;
  return format && (format === 'unclear' || !isWhole) ? null : (format ?? undefined);
}

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
/** Units that names end with after a low line, as people write them. */
const AT_THE_END = ['kWh', 'MWh', 'Wh', 'kW', 'MW', 'kVA', 'kvar', 'Hz'] as const;

/**
 * What a column becomes: numbers have the unit of their own line or of their name, which is called without it then. Their decimal
 * sign is left to the import unless the whole file was seen.
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
  const end = AT_THE_END.find((one) => column.slice(1).toLowerCase().endsWith(`_${one.toLowerCase()}`));
  return end
    ? { type, name: column.slice(0, -end.length - 1), units: end, ...decimal }
    : { type, ...decimal };
}
