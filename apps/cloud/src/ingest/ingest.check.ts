import { isReservedName } from '@albedo/contract/http/reserved-names';
import {
  type BatchField,
  type BatchRow,
  isWhole64,
  LINK_LIMITS,
  UNREAD_FIELDS,
} from '@albedo/contract/link/link.messages';
import { CLOUD_TABLES, fieldType, tableName } from '@albedo/contract/telemetry/telemetry.schema';
import { storableText } from '@albedo/postgres/storable';
import { withGoodTimes } from '../forecast-tables/forecast-tables.service.ts';

/** A stream whose rows can all be stored. */
export interface CheckedStream {
  table: string;
  source: string;
  fields: BatchField[];
  rows: BatchRow[];
}

/** Rows of one stream that cannot be stored, all for one reason. */
export interface Poison {
  table: string;
  source: string;
  reason: string;
  /** Numbers of the rows; a row without one has no place here. */
  msgIds: number[];
  /** The first of the rows as JSON. */
  sample: string;
}

/** Events before are set aside. */
const EARLIEST_MS = Date.UTC(2000, 0, 1);
/** The last instant of a date. */
const LATEST_MS = 8.64e15;
const SAMPLE_LENGTH = 4096;
const CONTROL = /\p{Cc}/u;
const TYPES: ReadonlySet<unknown> = new Set(fieldType.options);

/**
 * Checks one stream of a batch. Good rows are cleaned in place (whole milliseconds, well-formed texts of the allowed
 * length) and kept as the arrays they came as; everything else is reported as poison. Events more than a day ahead get the
 * time of their arrival, but for those of tables that hold forecasts.
 */
export function checkStream(
  value: unknown,
  now: number,
  holdsForecasts: (table: string) => boolean = () => false,
): { streams: CheckedStream[]; poison: Poison[] } {
  const stream = (value ?? {}) as { table: unknown; source: unknown; fields: unknown; rows: unknown };
  const rows = Array.isArray(stream.rows) ? (stream.rows as unknown[]) : [];
  const unread = unreadOf(stream, rows);
  if (unread) return { streams: [], poison: unread };
  const fault = headFault(stream);
  if (fault !== null) return { streams: [], poison: [poisonOf(stream, fault, rows)] };

  const { table, source, fields } = stream as CheckedStream;
  const types = fields.map((field) => field.type);
  const bad = new Map<string, unknown[]>();
  const good: BatchRow[] = [];
  const exact = new Set<number>();
  for (const row of rows) {
    const fault = rowFault(row, types, exact);
    if (fault === null) good.push(row as BatchRow);
    else if (bad.get(fault)?.push(row) === undefined) bad.set(fault, [row]);
  }
  const stored = withDigits({ table, source, fields, rows: good }, exact);
  return {
    streams: good.length > 0 ? withGoodTimes(stored, now, holdsForecasts(table)) : [],
    poison: [...bad].map(([reason, some]) => poisonOf(stream, reason, some)),
  };
}

function headFault({ table, source, fields, rows }: { [part: string]: unknown }): string | null {
  if (!isTable(table)) {
    return 'the stream has no usable table name';
  }
  if (CLOUD_TABLES.has(table)) return `devices do not write the table ${table}`;
  if (
    typeof source !== 'string' ||
    source === '' ||
    source.length > 400 ||
    CONTROL.test(source) ||
    !source.isWellFormed()
  ) {
    return 'the stream has no usable source name';
  }
  if (!Array.isArray(fields) || fields.length > LINK_LIMITS.fields) {
    return `the stream has no list of at most ${LINK_LIMITS.fields} fields`;
  }
  if (!Array.isArray(rows)) return 'the stream has no rows';
  if (rows.length > LINK_LIMITS.batchEvents)
    return `the stream has more than ${LINK_LIMITS.batchEvents} rows`;
  return fieldsFault(fields);
}

/**
 * Whole numbers that came as digits become numbers, which lose the last of them, beside a field of the same name that keeps the
 * digits. `exact` are the places of such fields.
 */
function withDigits(stream: CheckedStream, exact: ReadonlySet<number>): CheckedStream {
  if (exact.size === 0) return stream;
  const { fields, rows } = stream;
  const places = [...exact];
  return {
    ...stream,
    fields: [...fields, ...places.map((at) => ({ name: fields[at]?.name ?? '', type: 'keyword' as const }))],
    rows: rows.map(([id, eventAt, ...values]) => {
      const digits = places.map((at) => (typeof values[at] === 'string' ? values[at] : null));
      const numbers = values.map((value, at) => (exact.has(at) && value !== null ? Number(value) : value));
      return [id, eventAt, ...numbers, ...digits];
    }),
  };
}

/** Lines that the device could not read, each with its reason and as it was; null for any other stream. */
function unreadOf(
  stream: { table: unknown; source: unknown; fields: unknown },
  rows: unknown[],
): Poison[] | null {
  const [first] = Array.isArray(stream.fields) ? stream.fields : [];
  if (first?.type !== (UNREAD_FIELDS[0]?.type as string)) return null;
  return rows.slice(0, LINK_LIMITS.batchEvents).map((row) => {
    const [, , reason, raw] = Array.isArray(row) ? (row as unknown[]) : [];
    const poison = poisonOf(stream, `a line that the device could not read: ${nameOf(reason)}`, [row]);
    return typeof raw === 'string'
      ? { ...poison, sample: storableText(raw.slice(0, SAMPLE_LENGTH)) }
      : poison;
  });
}

/** Names that were found good; the few tables of a fleet come again with every batch. */
const goodTables = new Set<string>();
const GOOD_TABLES_KEPT = 10_000;

function isTable(table: unknown): table is string {
  if (typeof table !== 'string') return false;
  if (goodTables.has(table)) return true;
  if (!tableName.safeParse(table).success || !table.isWellFormed() || isReservedName(table)) return false;
  if (goodTables.size >= GOOD_TABLES_KEPT) goodTables.clear();
  goodTables.add(table);
  return true;
}

function fieldsFault(fields: readonly unknown[]): string | null {
  const names = new Set<string>();
  for (const field of fields) {
    const { name, type, units } = (field ?? {}) as { [part: string]: unknown };
    if (
      typeof name !== 'string' ||
      name === '' ||
      name.length > 200 ||
      CONTROL.test(name) ||
      !name.isWellFormed()
    ) {
      return 'a field has no usable name';
    }
    if (!TYPES.has(type)) return `the field ${name} has no known type`;
    if (units !== undefined && (typeof units !== 'string' || units.length > 40 || !units.isWellFormed())) {
      return `the field ${name} has no usable unit`;
    }
    if (names.has(name)) return `the field ${name} stands twice`;
    names.add(name);
  }
  return null;
}

/**
 * Why a row cannot be stored; null when it can. Runs for every event, so it makes nothing. Notes in `exact` which whole numbers
 * are digits.
 */
function rowFault(row: unknown, types: readonly BatchField['type'][], exact: Set<number>): string | null {
  if (!Array.isArray(row) || !Number.isSafeInteger(row[0]) || row[0] <= 0) return 'the row has no number';
  const width = types.length + 2;
  if (row.length !== width) return 'the row has another count of values than the stream has fields';
  const eventAt: unknown = row[1];
  if (typeof eventAt !== 'number') return 'the event has no time';
  if (!(eventAt >= EARLIEST_MS)) return 'the time of the event is before 2000';
  if (!(eventAt <= LATEST_MS)) return 'the time of the event is no date';
  if (!Number.isInteger(eventAt)) row[1] = Math.floor(eventAt);
  for (let at = 2; at < width; at++) {
    const value: unknown = row[at];
    if (value === null) continue;
    if (typeof value === 'number') {
      if (types[at - 2] === 'keyword') return 'a number stands in a field of texts';
      if (!Number.isFinite(value)) return 'a value is not a finite number';
      // Its last digits were lost on the way; agents send such a value as its digits.
      if (types[at - 2] === 'integer' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
        return 'a whole number is too large to be stored as it is';
    } else if (typeof value !== 'string') {
      return 'a value is neither a number, a text nor null';
    } else if (types[at - 2] !== 'keyword') {
      if (types[at - 2] !== 'integer' || !isWhole64(value)) return 'a text stands in a field of numbers';
      exact.add(at - 2);
    } else if (value.length > LINK_LIMITS.textLength) {
      row[at] = value.slice(0, LINK_LIMITS.textLength).toWellFormed();
    } else if (!value.isWellFormed()) row[at] = value.toWellFormed();
  }
  return null;
}

function poisonOf(
  stream: { table: unknown; source: unknown },
  reason: string,
  rows: readonly unknown[],
): Poison {
  const msgIds = rows
    .map((row) => (Array.isArray(row) ? (row[0] as unknown) : null))
    .filter((id): id is number => Number.isSafeInteger(id) && (id as number) > 0);
  return {
    table: nameOf(stream.table),
    source: nameOf(stream.source),
    reason,
    msgIds,
    sample: storableText(textOf(rows[0] ?? stream).slice(0, SAMPLE_LENGTH)),
  };
}

/** As JSON; what is nested too deeply for that says so. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '(nested too deeply to show)';
  }
}

const nameOf = (value: unknown): string =>
  typeof value === 'string' ? storableText(value.slice(0, 400)) : '';
