import type { Digest, Escalation, QuietHours } from '@albedo/contract/notifications/notifications.schema';
import { instantOf, wallTime } from '@albedo/contract/time/zoned-time';
import type { Step } from './told.store.ts';

const MINUTE_MS = 60_000;

/** When the quiet hours that hold at this instant end, epoch ms; null where none hold. */
export function quietUntil({ from, to, zone, days }: QuietHours, at: number): number | null {
  const { year, month, day } = wallTime(at, zone);
  // Those that began yesterday may reach into today.
  for (const back of [1, 0]) {
    const begins = clockOn({ year, month, day: day - back }, from, zone);
    const isOverMidnight = minutesOf(to) <= minutesOf(from);
    const ends = clockOn({ year, month, day: day - back + (isOverMidnight ? 1 : 0) }, to, zone);
    const weekday = new Date(Date.UTC(year, month - 1, day - back)).getUTCDay() || 7;
    if (days.includes(weekday) && at >= begins && at < ends) return ends;
  }
  return null;
}

/** The next time of a daily digest after this instant, epoch ms. */
export function nextDigest({ at: clock, zone }: Digest, at: number): number {
  const { year, month, day } = wallTime(at, zone);
  const today = clockOn({ year, month, day }, clock, zone);
  return today > at ? today : clockOn({ year, month, day: day + 1 }, clock, zone);
}

/** The step of an escalation that comes at or after this one; null where it ends. */
export function nextStep(
  policy: Pick<Escalation, 'steps' | 'repeatMinutes'>,
  openedAt: Date,
  { step, round }: Pick<Step, 'step' | 'round'>,
): Step | null {
  const { steps, repeatMinutes } = policy;
  const last = steps.at(-1)?.afterMinutes ?? 0;
  if (step >= steps.length)
    return repeatMinutes === null ? null : nextStep(policy, openedAt, { step: 0, round: round + 1 });
  const minutes = round * (last + (repeatMinutes ?? 0)) + (steps[step]?.afterMinutes ?? 0);
  return { step, round, dueAt: new Date(openedAt.getTime() + minutes * MINUTE_MS) };
}

const minutesOf = (clock: string): number => {
  const [hour = 0, minute = 0] = clock.split(':').map(Number);
  return hour * 60 + minute;
};

function clockOn(date: { year: number; month: number; day: number }, clock: string, zone: string): number {
  const minutes = minutesOf(clock);
  return instantOf({ ...date, hour: Math.floor(minutes / 60), minute: minutes % 60 }, zone);
}
