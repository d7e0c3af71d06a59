import { readUnit } from '@albedo/contract/field-roles/field-units';
import type {
  HistoryImport,
  HistoryPreview,
  historyPlan,
} from '@albedo/contract/history-imports/history-imports.schema';
import type { z } from 'zod';
import type { MappingInput } from '../../app/mapping/mapping-fields.tsx';

type TimeFormat = NonNullable<MappingInput['timeFormat']>;
type FieldInput = MappingInput['fields'][number];
type FieldType = NonNullable<FieldInput['type']>;

const TIME = /^(?:time|timestamp|date|datetime|event_time|ts)$/i;
const ISO = /^\d{4}-\d{2}-\d{2}(?:$|[T ,])/i;
const COUNTRY = /^(\d{1,2})([./-])(\d{1,2})\2\d{4}(?:$|[T ,])/;
const EPOCH = /^\d{9,19}(?:\.\d+)?$/;
const BOOL = /^(?:true|false|yes|no|on|off)$/i;
const NUMBER = /^[+-]?(?:\d+(?:[.,]\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** A guess from the first records, so that little is left to choose. */
export function firstPlan(
  { format, name }: Pick<HistoryImport, 'format' | 'name'>,
  beginning: Pick<HistoryPreview, 'columns' | 'records'>,
): z.input<typeof historyPlan> {
  const { columns } = beginning;
  const isLines = format === 'lines';
  const timeColumn =
    columns.find((column) => TIME.test(column)) ??
    columns.find((column) => /\btime|date|zeit|datum|hora|fecha/i.test(column)) ??
    columns[0] ??
    'time';
  return {
    device: null,
    deviceColumn: columns.find((column) => /^device$/i.test(column)) ?? null,
    tableColumn: isLines ? 'measurement' : null,
    devices: {},
    existing: 'skip',
    mapping: {
      table:
        name
          .replace(/\.[^.]*$/, '')
          .replace(/[^\w-]+/g, '_')
          .toLowerCase() || 'history',
      source: 'import',
      sourceColumn: columns.find((column) => /^source$/i.test(column)) ?? null,
      timeColumn,
      timeFormat: isLines ? 'epoch_ns' : (guessTimeFormat(textsOf(beginning, timeColumn)) ?? 'iso'),
      timezone: 'UTC',
      fields: [],
    },
  };
}

/** What a column has, without the gaps. */
export const textsOf = ({ records }: Pick<HistoryPreview, 'records'>, column: string): string[] =>
  records.flatMap((record) => (Object.hasOwn(record, column) ? (record[column]?.trim() ?? '') : '') || []);

/** How times are written; null where nothing says it. Of 03/04/2024 most of the world means the 3rd of April. */
export function guessTimeFormat(texts: readonly string[]): TimeFormat | null {
  const [first] = texts;
  if (first === undefined) return null;
  if (ISO.test(first)) return 'iso';
  if (EPOCH.test(first)) return epochOf(Number(first));
  const days = texts.flatMap((text) => {
    const [, one, , other] = COUNTRY.exec(text) ?? [];
    return one === undefined ? [] : [[Number(one), Number(other)] as const];
  });
  if (days.length === 0) return null;
  return days.some(([, second]) => second > 12) && days.every(([one]) => one <= 12) ? 'mdy' : 'dmy';
}

/** By the size of the count: each lies in the years 2000 to 2100. */
function epochOf(count: number): TimeFormat {
  if (count < 1e11) return 'epoch_s';
  if (count < 1e14) return 'epoch_ms';
  return count < 1e17 ? 'epoch_us' : 'epoch_ns';
}

/** What a column is: numbers, unless one of its first values is none. */
export function guessType(texts: readonly string[]): FieldType {
  if (texts.length === 0 || texts.every((text) => NUMBER.test(text))) return 'decimal';
  return texts.every((text) => BOOL.test(text)) ? 'bool' : 'keyword';
}

/** A unit at the end of a name, in brackets. */
const IN_BRACKETS = /^(.*\S)\s*[([]\s*([^()[\]]{1,12}?)\s*[)\]]$/;
/** Units that names end with after a low line, as people write them. */
const AT_THE_END = ['kWh', 'MWh', 'Wh', 'kW', 'MW', 'kVA', 'kvar', 'Hz'] as const;

/** What a column becomes: numbers whose header says their unit have it, and are called without it. */
export function guessField(column: string, texts: readonly string[]): Partial<FieldInput> {
  const type = guessType(texts);
  if (type !== 'decimal') return { type };
  const [, name, units] = IN_BRACKETS.exec(column) ?? [];
  if (name && readUnit(units)) return { type, name, units: units as string };
  const end = AT_THE_END.find((one) => column.slice(1).toLowerCase().endsWith(`_${one.toLowerCase()}`));
  return end ? { type, name: column.slice(0, -end.length - 1), units: end } : { type };
}
