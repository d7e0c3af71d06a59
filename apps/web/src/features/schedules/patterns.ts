import { instantOf, instantsOf, type WallTime, wallTime } from '@albedo/contract/time/zoned-time';
import type { Piece } from './steps.ts';

/** A value at the same hours of certain weekdays, by the clocks of a site. */
export interface Pattern {
  /** 1 is Monday, 7 is Sunday. */
  weekdays: readonly number[];
  /** `HH:MM`; an end that is not after its start is one of the next day. */
  from: string;
  to: string;
  value: string;
  /** `YYYY-MM-DD`, both included. */
  firstDay: string;
  lastDay: string;
}

/** A clock reading of the pattern that its day does not have, or has twice, and the instant that was taken. */
export interface ClockNote {
  day: string;
  time: string;
  kind: 'skipped' | 'twice';
  at: number;
}

export interface Expanded {
  times: (Piece & { to: number })[];
  notes: ClockNote[];
}

const DAY_MS = 86_400_000;

/**
 * The times of a pattern, rising, none over another.
 *
 * Where clocks change: a reading that is skipped is as far after the change as it would have been after the hour that is
 * missing (02:30 is 03:30); of one that comes twice a start takes the first and an end the last, so that a limit holds as
 * long as clocks show its hours.
 */
export function expandPattern(pattern: Pattern, zone: string): Expanded {
  const notes: ClockNote[] = [];
  const [first, last] = [Date.parse(pattern.firstDay), Date.parse(pattern.lastDay)];
  const times: Expanded['times'] = [];
  for (let day = first; day <= last; day += DAY_MS) {
    if (!pattern.weekdays.includes(new Date(day).getUTCDay() || 7)) continue;
    const from = instantIn(day, pattern.from, 'first', zone, notes);
    const endDay = pattern.to > pattern.from ? day : day + DAY_MS;
    const to = instantIn(endDay, pattern.to, 'last', zone, notes);
    const before = times.at(-1);
    if (before && before.to > from) before.to = from;
    if (to > from) times.push({ from, to, value: pattern.value });
  }
  return { times: times.filter(({ from, to }) => to > from), notes };
}

function instantIn(
  day: number,
  time: string,
  which: 'first' | 'last',
  zone: string,
  notes: ClockNote[],
): number {
  const date = new Date(day);
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const wall: WallTime = {
    ...{ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() },
    ...{ hour, minute, second: 0 },
  };
  const instants = instantsOf(wall, zone);
  const at = (which === 'first' ? instants[0] : instants.at(-1)) ?? instantOf(wall, zone);
  if (instants.length !== 1)
    notes.push({
      day: date.toISOString().slice(0, 10),
      time,
      kind: instants.length === 0 ? 'skipped' : 'twice',
      at,
    });
  return at;
}

/** How many days of the calendar a pattern goes over; 0 where its end is before its start. */
export const daysOf = ({ firstDay, lastDay }: Pick<Pattern, 'firstDay' | 'lastDay'>): number =>
  Math.max(0, (Date.parse(lastDay) - Date.parse(firstDay)) / DAY_MS + 1) || 0;

/** The date in the zone, `YYYY-MM-DD`. */
export function dateIn(at: number, zone: string): string {
  const { year, month, day } = wallTime(at, zone);
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
