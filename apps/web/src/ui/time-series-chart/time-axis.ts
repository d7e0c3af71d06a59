import { formatClock, formatDay, formatInstant, wallTime } from '../time-range/zoned-time.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 86_400_000;

/**
 * A date whose local readings are those of the zone's clocks at the instant; the chart places its ticks by them, so
 * that they fall on the zone's full hours and midnights.
 */
export function dateInZone(at: number, timeZone: string): Date {
  const wall = wallTime(at, timeZone);
  const ms = ((at % 1000) + 1000) % 1000;
  return new Date(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute, wall.second, ms);
}

/**
 * Labels of a time axis: what changes from tick to tick, and below it the larger unit where it changes.
 * `stepMs` is the distance of the ticks.
 */
export function timeAxisLabels(ticks: readonly number[], stepMs: number, timeZone: string): string[] {
  let above = '';
  return ticks.map((at) => {
    const [label, context] = labelOf(at, stepMs, timeZone);
    const isNew = context !== above;
    above = context;
    return isNew ? `${label}\n${context}` : label;
  });
}

function labelOf(at: number, stepMs: number, timeZone: string): [label: string, context: string] {
  const year = String(wallTime(at, timeZone).year);
  if (stepMs >= 360 * DAY) return [year, ''];
  if (stepMs >= 28 * DAY) return [formatDay(at, timeZone, 'month'), year];
  const day = formatDay(at, timeZone, 'dayOfYear');
  if (stepMs >= DAY) return [day, year];
  if (stepMs >= MINUTE) return [formatClock(at, timeZone), day];
  if (stepMs >= SECOND) return [formatClock(at, timeZone, true), day];
  return [`${formatClock(at, timeZone, true).slice(3)}.${millis(at)}`, formatClock(at, timeZone)];
}

const millis = (at: number): string => String(((Math.round(at) % 1000) + 1000) % 1000).padStart(3, '0');

/** The instant under the crosshair, as exact as the points are; `stepMs` is their distance. */
export function pointTime(at: number, stepMs: number, timeZone: string): string {
  if (stepMs >= MINUTE) return formatInstant(at, timeZone, false);
  const text = formatInstant(at, timeZone);
  return stepMs < SECOND && at % 1000 !== 0 ? `${text}.${millis(at)}` : text;
}
