import { parseSetpoint } from '@albedo/contract/schedules/setpoints';
import type { TimedValue } from './timeline.ts';
import { heldAt } from './timeline.ts';

/** What would be lost, or why nobody can tell. */
export interface Curtailed {
  kwh: number | null;
  why: string | null;
}

/** Mean power of the last days, W. */
export interface PastPower {
  /** Of each quarter of an hour from midnight UTC on: the mean of the days that have one; null where none has. */
  quarters: readonly (number | null)[];
}

export const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;
/** A schedule without an end is looked at for so long after its last entry, and none for longer, ms. */
const OPEN_MS = DAY_MS;
const MOST_MS = 7 * DAY_MS;

/** What the mean of the last days says would be lost, from now or the first entry on. */
export function curtailedBy(
  {
    entries,
    until,
    ratedKw,
  }: { entries: readonly TimedValue[]; until: number | null; ratedKw: number | null },
  { quarters }: PastPower,
  now: number,
): Curtailed {
  if (quarters.every((one) => one === null)) return { kwh: null, why: NOTHING_STORED };
  const [first, last] = [entries[0], entries.at(-1)];
  if (!first || !last) return { kwh: 0, why: null };
  const from = Math.max(now, Date.parse(first.datetime));
  const to = Math.min(until ?? Math.max(now, Date.parse(last.datetime)) + OPEN_MS, from + MOST_MS);
  let wh = 0;
  for (let at = from; at < to; ) {
    const begun = at;
    const change = entries.find(({ datetime }) => Date.parse(datetime) > begun)?.datetime;
    const quarter = (Math.floor(at / QUARTER_MS) + 1) * QUARTER_MS;
    const next = Math.min(to, quarter, change ? Date.parse(change) : Number.POSITIVE_INFINITY);
    const limitW = limitOf(heldAt({ entries, endsAt: until }, at), ratedKw);
    if (limitW === 'unknown') return { kwh: null, why: NO_RATING };
    const powerW = quarters[Math.floor((at % DAY_MS) / QUARTER_MS)] ?? 0;
    if (limitW !== null) wh += (Math.max(0, powerW - limitW) * (next - at)) / 3_600_000;
    at = next;
  }
  return { kwh: Math.round(wh) / 1000, why: null };
}

const NOTHING_STORED = 'No power of its inverters is stored of the last 7 days.';
const NO_RATING = 'The rating of the inverters is not known.';
export const NO_POWER = 'Only limits of active power take energy.';

function limitOf(value: string, ratedKw: number | null): number | null | 'unknown' {
  if (value === '') return null;
  const setpoint = parseSetpoint('setpoint_activepower', value);
  if (setpoint.kind !== 'setpoint_activepower') return null;
  if (setpoint.unit === 'W') return setpoint.value;
  if (setpoint.value >= 100) return null;
  return ratedKw === null ? (setpoint.value === 0 ? 0 : 'unknown') : (setpoint.value / 100) * ratedKw * 1000;
}
