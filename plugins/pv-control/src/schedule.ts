import {
  parseSetpoint,
  type Setpoint,
  type SetpointKind,
  setpointText,
} from '@albedo/contract/schedules/setpoints';
import { InputError } from '@albedo/plugin-kit/command-line/input-error';
import { messageOf } from '@albedo/plugin-kit/command-line/log';
import { parse } from 'csv-parse/sync';

export interface ScheduleEntry {
  /** Epoch ms. */
  at: number;
  /** Null ends the schedule: from then on there is no setpoint. */
  setpoint: Setpoint | null;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:?\d\d)$/;

/**
 * Reads a schedule: a header `datetime,value`, then one entry a line, each later than the one before. Times name their
 * zone. An empty value ends what holds. Throws `InputError` naming file and line.
 */
export function parseSchedule(kind: SetpointKind, text: string, file: string): ScheduleEntry[] {
  const rows = readRows(text, file);
  const [header, ...lines] = rows;
  if (header?.record.map((cell) => cell.toLowerCase()).join(',') !== 'datetime,value')
    throw new InputError(`${file}, line 1: the header is datetime,value`);
  const entries: ScheduleEntry[] = [];
  for (const { record, info } of lines) {
    try {
      entries.push(entryOf(kind, record, entries.at(-1)));
    } catch (error) {
      throw new InputError(`${file}, line ${info.lines}: ${messageOf(error)}`);
    }
  }
  return entries;
}

/** What holds at an instant: the newest entry that has come; nothing before the first. */
export const scheduledAt = (entries: readonly ScheduleEntry[], at: number): Setpoint | null =>
  entries[heldIndex(entries, at)]?.setpoint ?? null;

/**
 * Since when what holds at an instant has held, epoch ms; null for nothing. An order begins at a time of its own, which
 * its renewals keep, so this tells a new order of the same value from one that goes on.
 */
export function heldSince(entries: readonly ScheduleEntry[], at: number): number | null {
  const text = (entry: ScheduleEntry | undefined) => entry?.setpoint && setpointText(entry.setpoint);
  let index = heldIndex(entries, at);
  while (index > 0 && text(entries[index - 1]) === text(entries[index])) index--;
  return entries[index]?.at ?? null;
}

function heldIndex(entries: readonly ScheduleEntry[], at: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle] as ScheduleEntry).at <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function entryOf(kind: SetpointKind, cells: string[], before: ScheduleEntry | undefined): ScheduleEntry {
  const [time = '', value = ''] = cells;
  if (cells.length !== 2) throw new Error(`${cells.length} values for 2 columns`);
  const at = TIME.test(time) ? Date.parse(time) : Number.NaN;
  // A day that its month does not have would silently become another one.
  const isReal = Number.isFinite(at) && isCalendarDay(time);
  if (!isReal) throw new Error(`"${time}" is no time with its zone, such as 2026-06-14T12:00:00Z`);
  if (before && at === before.at) throw new Error(`${time} is there twice`);
  if (before && at < before.at) throw new Error(`${time} is before the entry above it`);
  return { at, setpoint: value === '' ? null : parseSetpoint(kind, value) };
}

function isCalendarDay(time: string): boolean {
  const [year = 0, month = 0, day = 0] = time.slice(0, 10).split('-').map(Number);
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
}

function readRows(text: string, file: string): { record: string[]; info: { lines: number } }[] {
  try {
    return parse(text, {
      bom: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      info: true,
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
    }) as unknown as { record: string[]; info: { lines: number } }[];
  } catch (error) {
    throw new InputError(`${file}: ${messageOf(error)}`);
  }
}
