import { instantOf, wallTime } from '@albedo/contract/time/zoned-time';

export const DAY_MS = 86_400_000;

/** `YYYY-MM-DD` of an instant in a zone. */
export function dayAt(at: number, zone: string): string {
  const { year, month, day } = wallTime(at, zone);
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}

/** The midnight with which a day of a zone begins. */
export function startOf(day: string, zone: string): number {
  const [year = 1970, month = 1, of = 1] = day.split('-').map(Number);
  return instantOf({ year, month, day: of }, zone);
}

export const dayAfter = (day: string, days = 1): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
