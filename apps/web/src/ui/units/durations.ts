import { t } from 'i18next';
import { formatDecimal, isShown, NO_VALUE } from './numbers.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A length of time in hours, minutes, seconds or milliseconds, the two largest of them: `2 h 5 min`, `840 ms`. */
export function formatDuration(ms: number | null | undefined): string {
  if (!isShown(ms)) return NO_VALUE;
  const length = Math.abs(ms);
  if (length < SECOND) return `${Math.round(length)} ms`;
  if (length < 10 * SECOND) return `${formatDecimal(length / SECOND, 1)} s`;
  if (length < MINUTE - SECOND / 2) return `${Math.round(length / SECOND)} s`;
  if (length < HOUR - SECOND / 2) return pair(Math.round(length / SECOND), 60, 'min', 's');
  if (length < 100 * HOUR) return pair(Math.round(length / MINUTE), 60, 'h', 'min');
  return `${Math.round(length / HOUR)} h`;
}

/** As `formatDuration`, with days where hours would be hard to read: `3 d 4 h`. */
export function formatLongDuration(ms: number | null | undefined): string {
  if (!isShown(ms) || Math.abs(ms) < 2 * DAY) return formatDuration(ms);
  const length = Math.abs(ms);
  return length < 14 * DAY ? pair(Math.round(length / HOUR), 24, 'd', 'h') : `${Math.round(length / DAY)} d`;
}

function pair(smallUnits: number, perLarge: number, large: string, small: string): string {
  const rest = smallUnits % perLarge;
  const whole = (smallUnits - rest) / perLarge;
  return rest === 0 ? `${whole} ${large}` : `${whole} ${large} ${rest} ${small}`;
}

/** Minutes until the instant `at`, whole, and at least one: for what runs out soon and has not yet. */
export const minutesUntil = (at: number, now: number): number => Math.max(1, Math.round((at - now) / MINUTE));

/** Age of the instant `at`, short and steady: `now`, `12 s`, `4 min`, `3 h`, `5 d`. */
export function formatAge(at: number | null | undefined, now: number): string {
  if (!isShown(at)) return NO_VALUE;
  const age = Math.max(0, now - at);
  if (age < SECOND) return t('time.now');
  if (age < MINUTE) return `${Math.floor(age / SECOND)} s`;
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min`;
  if (age < 2 * DAY) return `${Math.floor(age / HOUR)} h`;
  return `${Math.floor(age / DAY)} d`;
}

/** As `formatAge`, as a part of a sentence: `12 s ago`, `now`. */
export function agoText(at: number, now: number): string {
  return now - at < SECOND ? t('time.now') : t('time.ago', { age: formatAge(at, now) });
}
