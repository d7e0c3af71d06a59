import type { BoardQuestion } from '@albedo/contract/boards/answers.schema';
import type { AskedTime } from '@albedo/contract/boards/asked-streams';
import { PRESETS, type Span } from '@albedo/contract/time/presets';
import { RELATIVE_UNITS, rangeFromText } from '@albedo/contract/time/ranges';
import { plainRange } from './display-kpis.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** So far the clock of a display may be off. */
const OFF_MS = HOUR_MS;
/** Days begin in the first of these zones first, and in the last one last. */
const ZONES = ['Etc/GMT-14', 'UTC', 'Etc/GMT+12'];
const EARLIER_MS = { day: DAY_MS, week: 7 * DAY_MS, month: 31 * DAY_MS, year: 366 * DAY_MS } as const;

/** The ranges over which a display may ask for a stream; null where those in front of it choose any. */
export type AllowedTimes = AskedTime[] | null;

/** What a widget asks for, with the range that it asks for on a page; null where that can be chosen. */
export function timeOnPage(
  { range, compare }: AskedTime,
  ofPage: string,
  isRangeFree: boolean,
): AskedTime | null {
  const own = plainRange(range);
  return own === null && isRangeFree ? null : { range: own ?? ofPage, compare };
}

/** Whether a question stays within one of the ranges, in whichever zone that is cut; what asks for the newest has none. */
export function isWithinTimes(question: BoardQuestion, times: AllowedTimes, now: number): boolean {
  if (times === null || !('from' in question)) return true;
  return times.some((time) => {
    const allowed = spanOf(time, now);
    return question.from >= allowed.from - OFF_MS && question.to <= allowed.to + OFF_MS;
  });
}

function spanOf({ range: text, compare }: AskedTime, now: number): Span {
  const range = rangeFromText(text);
  if (!range) return { from: now, to: now };
  if (range.kind === 'all') return { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  const earlier = compare === null ? 0 : EARLIER_MS[compare];
  if (range.kind === 'absolute') return { from: range.from - earlier, to: range.to };
  if (range.kind === 'relative')
    return { from: now - range.amount * RELATIVE_UNITS[range.unit] - earlier, to: now };
  const spans = ZONES.map((zone) => PRESETS[range.preset].span(now, zone));
  return {
    from: Math.min(...spans.map(({ from }) => from)) - earlier,
    to: Math.max(now, ...spans.map(({ to }) => to)),
  };
}
