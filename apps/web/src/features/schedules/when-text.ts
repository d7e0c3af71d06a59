import { formatClock, formatDay, wallTime } from '../../ui/time-range/zoned-time.ts';

/** An instant as short as it is plain: `15:00` today, else `1 Dec 15:00`, with the year where it is another one. */
export function whenText(at: number, zone: string, now: number): string {
  const [then, today] = [wallTime(at, zone), wallTime(now, zone)];
  const clock = formatClock(at, zone);
  if (then.year !== today.year) return `${formatDay(at, zone)} ${clock}`;
  const isToday = then.month === today.month && then.day === today.day;
  return isToday ? clock : `${formatDay(at, zone, 'dayOfYear')} ${clock}`;
}

/** With its day in any case, for tables in which several days stand. */
export const dayAndClock = (at: number, zone: string): string =>
  `${formatDay(at, zone, 'dayOfYear')} ${formatClock(at, zone)}`;

/** `2026-12-01 11:00 UTC`. */
export const utcText = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
