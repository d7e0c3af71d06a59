import type { NewSchedule } from '@albedo/contract/searches/searches.schema';
import { instantOf, wallTime, zoneOffsetMs } from '@albedo/contract/time/zoned-time';

const HOUR_MS = 3_600_000;
/** From any day on there is a 31st, or the end of a month, within so many. */
const DAYS_AHEAD = 62;

type When = Pick<NewSchedule, 'frequency' | 'hour' | 'weekday' | 'monthday' | 'timezone'>;

/**
 * The first time after the instant `after` (epoch ms) at which a schedule is due. An hour that a clock change skips counts
 * as the one after it; of an hour that comes twice, the first counts, once a day.
 */
export function nextDue(schedule: When, after: number): number {
  const { frequency, hour, timezone } = schedule;
  if (frequency === 'hourly') {
    const offset = zoneOffsetMs(after, timezone);
    return (Math.floor((after + offset) / HOUR_MS) + 1) * HOUR_MS - offset;
  }
  const { year, month, day } = wallTime(after, timezone);
  for (let ahead = 0; ahead <= DAYS_AHEAD; ahead++) {
    const date = new Date(Date.UTC(year, month - 1, day + ahead));
    if (!isDay(schedule, date)) continue;
    const at = instantOf({ year, month, day: day + ahead, hour }, timezone);
    if (at > after) return at;
  }
  throw new Error('A schedule has no day.');
}

/** `date` is the day at midnight UTC. */
function isDay({ frequency, weekday, monthday }: When, date: Date): boolean {
  if (frequency === 'daily') return true;
  if (frequency === 'weekly') return (date.getUTCDay() || 7) === weekday;
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return date.getUTCDate() === Math.min(monthday, last);
}
