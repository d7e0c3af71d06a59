export const DAY_MS = 86_400_000;
const FINE_STEP_MS = 300_000;
const COARSE_STEP_MS = 900_000;
const FINE_DAYS = 60;
/** A year and a month: the year up to any day of the last month is whole too. */
const DAYS = 365 + 31;

export interface HistoryPlan {
  /** The first instant of live data; history ends before it. Epoch ms. */
  liveFrom: number;
  commissionedAt: number;
}

/** Days (since the epoch, UTC) of the history, newest first. */
export function historyDays({ liveFrom, commissionedAt }: HistoryPlan): number[] {
  const newest = Math.floor((liveFrom - 1) / DAY_MS);
  const oldest = Math.max(newest - DAYS, Math.ceil(commissionedAt / DAY_MS));
  return Array.from({ length: Math.max(0, newest - oldest + 1) }, (_, back) => newest - back);
}

/** Instants of one day, rising: every 5 minutes for the last 60 days, every 15 before, none after `liveFrom`. */
export function historyInstants({ liveFrom }: HistoryPlan, day: number): number[] {
  const newest = Math.floor((liveFrom - 1) / DAY_MS);
  const stepMs = newest - day < FINE_DAYS ? FINE_STEP_MS : COARSE_STEP_MS;
  const count = Math.ceil((Math.min(liveFrom, (day + 1) * DAY_MS) - day * DAY_MS) / stepMs);
  return Array.from({ length: count }, (_, index) => day * DAY_MS + index * stepMs);
}
