export const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** The last hour is drawn next to live data, so the line must have no gap between them. */
const NEWEST_STEP_MS = 30_000;
const FINE_STEP_MS = 300_000;
const COARSE_STEP_MS = 900_000;
const FINE_DAYS = 60;
/** A year and a month: the year up to any day of the last month is whole too. */
export const HISTORY_DAYS = 365 + 31;

export interface HistoryPlan {
  /** The first instant of live data; history ends before it. Epoch ms. */
  liveFrom: number;
  commissionedAt: number;
}

/** Days (since the epoch, UTC) of the history, newest first. */
export function historyDays({ liveFrom, commissionedAt }: HistoryPlan): number[] {
  const newest = Math.floor((liveFrom - 1) / DAY_MS);
  const oldest = Math.max(newest - HISTORY_DAYS, Math.ceil(commissionedAt / DAY_MS));
  return Array.from({ length: Math.max(0, newest - oldest + 1) }, (_, back) => newest - back);
}

/**
 * Instants of one day, rising, none after `liveFrom`: every 30 s in the last hour, every 5 minutes in the last 60 days, every 15
 * before.
 */
export function historyInstants({ liveFrom }: HistoryPlan, day: number): number[] {
  const newest = Math.floor((liveFrom - 1) / DAY_MS);
  const stepMs = newest - day < FINE_DAYS ? FINE_STEP_MS : COARSE_STEP_MS;
  const [from, to] = [day * DAY_MS, Math.min(liveFrom, (day + 1) * DAY_MS)];
  const newestFrom = Math.floor((liveFrom - HOUR_MS) / FINE_STEP_MS) * FINE_STEP_MS;
  return [
    ...steps(from, Math.min(to, newestFrom), stepMs),
    ...steps(Math.max(from, newestFrom), to, NEWEST_STEP_MS),
  ];
}

/** From the first instant on, in steps, without the last one. */
const steps = (from: number, to: number, stepMs: number): number[] =>
  Array.from({ length: Math.max(0, Math.ceil((to - from) / stepMs)) }, (_, index) => from + index * stepMs);

/** Whether the day reaches into the last 24 hours before live data, which people look at first. */
export const isLastDay = ({ liveFrom }: HistoryPlan, day: number): boolean =>
  (day + 1) * DAY_MS > liveFrom - DAY_MS;
