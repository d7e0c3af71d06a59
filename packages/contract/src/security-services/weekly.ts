const DAY_MS = 86_400_000;

/** When all that is enabled is scanned: Saturday at midnight, in UTC. */
export const WEEKLY = { cron: '0 0 * * 6', zone: 'UTC' } as const;

/** The next time of that after `now`; epoch ms. */
export function nextWeekly(now: number): number {
  const today = Math.floor(now / DAY_MS);
  // The first day of the epoch was a Thursday.
  const weekday = (today + 4) % 7;
  return (today + ((6 - weekday + 7) % 7 || 7)) * DAY_MS;
}
