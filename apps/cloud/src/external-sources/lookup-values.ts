import type { LookupTarget } from '@albedo/contract/external-sources/external-sources.schema';
import {
  LOOKUP_TABLE_LIMITS,
  type LookupTable,
  type LookupValue,
} from '@albedo/contract/lookup-tables/lookup-tables.schema';
import type { MappedPreview } from '@albedo/contract/mapping/mapping.schema';
import { storableText } from '@albedo/postgres/storable';
import { type HistoryRecord, readable } from '../mapping/history-records.ts';
import { textOf } from '../mapping/map-records.ts';
import { type ForeignRecord, valueAt } from '../mapping/read-records.ts';
import { UnreadableRecords } from '../mapping/unreadable-records.ts';

type Fault = MappedPreview['faults'][number];

const [VALUE_SIGNS, TEXT_SIGNS] = [200, 500];
const FAULTS_TOLD = 50;

export interface LookupContent {
  values: LookupValue[];
  faults: Fault[];
  faulty: number;
  /** Records without a code, and lines that are no records. */
  useless: number;
}

/**
 * The values for a lookup table. Records without a code are left out, of two with the same code the first counts, and texts that
 * are too long are cut. Throws `UnreadableRecords` if there are more values than a table can have.
 */
export function lookupValuesOf(target: LookupTarget, records: readonly HistoryRecord[]): LookupContent {
  const content: LookupContent = { values: [], faults: [], faulty: 0, useless: 0 };
  const seen = new Set<string>();
  const tell = (record: number, reason: Fault['reason'], text: string) => {
    if (reason !== 'long') content.faulty += 1;
    if (reason === 'row' || reason === 'value') content.useless += 1;
    if (content.faults.length < FAULTS_TOLD)
      content.faults.push({ record, reason, text: storableText(text.slice(0, 200)) });
  };
  for (const row of records) {
    if ('fault' in row) {
      tell(row.line, 'row', row.fault);
      continue;
    }
    const { line, record } = row;
    const value = cell(record, target.valueColumn);
    const field = fieldOf(target, record);
    if (value === '' || value.length > VALUE_SIGNS) {
      tell(line, 'value', value);
      continue;
    }
    const key = JSON.stringify([field, value]);
    if (seen.has(key)) {
      tell(line, 'twice', value);
      continue;
    }
    seen.add(key);
    const texts = target.texts.flatMap(({ column, code }): [string, string][] => {
      const text = cell(record, column);
      if (text.length > TEXT_SIGNS) tell(line, 'long', column);
      return text === '' ? [] : [[code, storableText(text.slice(0, TEXT_SIGNS))]];
    });
    content.values.push({ value, field, fields: Object.fromEntries(texts) });
  }
  const { values: most } = LOOKUP_TABLE_LIMITS;
  if (content.values.length > most)
    throw new UnreadableRecords(
      `It has ${content.values.length} values, and a lookup table can have up to ${most}.`,
    );
  return content;
}

const cell = (record: ForeignRecord, column: string): string => textOf(valueAt(record, column))?.trim() ?? '';

function fieldOf({ field, fieldColumn }: LookupTarget, record: ForeignRecord): string | null {
  const said = fieldColumn === null ? (field ?? '') : cell(record, fieldColumn);
  return said === '' ? null : storableText(said.slice(0, VALUE_SIGNS));
}

/** Throws `UnreadableRecords` if a column is missing in every record: the table then stays as it is. */
export function demandColumns(
  { valueColumn, fieldColumn, texts }: LookupTarget,
  records: readonly HistoryRecord[],
): void {
  const good = readable(records);
  if (good.length === 0) return;
  const needed = [
    valueColumn,
    ...(fieldColumn === null ? [] : [fieldColumn]),
    ...texts.map(({ column }) => column),
  ];
  const missing = needed.find((column) => good.every((record) => valueAt(record, column) === undefined));
  if (missing !== undefined)
    throw new UnreadableRecords(`There is no column ${missing}, so the lookup table was left as it is.`);
}

/** How many values would be added, changed and removed. */
export function changesOf(
  before: Pick<LookupTable, 'values'>,
  after: readonly LookupValue[],
): { added: number; changed: number; removed: number } {
  const keyOf = ({ field, value }: LookupValue) => JSON.stringify([field, value]);
  const textsBefore = new Map(before.values.map((value) => [keyOf(value), textsOf(value)]));
  const [added, changed] = [
    after.filter((value) => !textsBefore.has(keyOf(value))),
    after.filter((value) => {
      const texts = textsBefore.get(keyOf(value));
      return texts !== undefined && texts !== textsOf(value);
    }),
  ];
  const kept = after.length - added.length;
  return { added: added.length, changed: changed.length, removed: textsBefore.size - kept };
}

const textsOf = ({ fields }: LookupValue): string =>
  JSON.stringify(Object.entries(fields).toSorted(([a], [b]) => a.localeCompare(b)));
