import type { Announcement } from './announcements.schema.ts';

/** Where the time is in the life of an announcement. */
export type AnnouncementPhase = 'planned' | 'running' | 'over';

export function phaseOf(dates: Pick<Announcement, 'startDate' | 'endDate'>, now: number): AnnouncementPhase {
  if (now < Date.parse(dates.startDate)) return 'planned';
  return now < Date.parse(dates.endDate) ? 'running' : 'over';
}

/** Those a user should be shown: new, not dismissed, in the order of their start. */
export const unacknowledgedOf = (all: readonly Announcement[], now: number): Announcement[] =>
  all
    .filter((one) => !one.isAcknowledged && phaseOf(one, now) === 'running')
    // Newest first as they come; of the same start the one written first comes first.
    .toReversed()
    .toSorted((a, b) => Date.parse(a.startDate) - Date.parse(b.startDate));
