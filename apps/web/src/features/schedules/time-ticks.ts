import { instantOf, wallTime } from '@albedo/contract/time/zoned-time';
import { formatClock, formatDay } from '../../ui/time-range/zoned-time.ts';

export interface TimeTick {
  at: number;
  text: string;
  /** The first of a day. */
  isDay: boolean;
}

const HOUR = 3_600_000;
const STEPS_H = [1 / 4, 1 / 2, 1, 2, 3, 6, 12, 24, 48, 168, 336, 720, 1440, 4320, 8760] as const;
/** A label needs so much, px. */
const LABEL_PX = 72;

/** Ticks at round hours and days of the site's clocks, as many as have room. */
export function timeTicks(from: number, to: number, widthPx: number, zone: string): TimeTick[] {
  const most = Math.max(1, widthPx / LABEL_PX);
  const stepH = STEPS_H.find((hours) => (to - from) / (hours * HOUR) <= most) ?? 8760;
  const { year, month, day } = wallTime(from, zone);
  const ticks: TimeTick[] = [];
  const days = Math.max(1, stepH / 24);
  for (let added = 0; ; added += days) {
    const start = instantOf({ year, month, day: day + added }, zone);
    if (start > to) return ticks;
    for (let hour = 0; hour < 24; hour += stepH) {
      const minute = Math.round((hour % 1) * 60);
      const at = instantOf({ year, month, day: day + added, hour: Math.floor(hour), minute }, zone);
      // A reading that clocks skip would stand where the next one does.
      if (at < from || at > to || at <= (ticks.at(-1)?.at ?? Number.NEGATIVE_INFINITY)) continue;
      const isDay = hour === 0;
      ticks.push({ at, isDay, text: isDay ? formatDay(at, zone, 'dayOfYear') : formatClock(at, zone) });
    }
  }
}

/** The day of the site's clocks around an instant: where it begins, and where the next one does. */
export function dayAround(at: number, zone: string): { from: number; to: number } {
  const { year, month, day } = wallTime(at, zone);
  return {
    from: instantOf({ year, month, day }, zone),
    to: instantOf({ year, month, day: day + 1 }, zone),
  };
}
