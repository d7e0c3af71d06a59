import type { Completeness } from '@albedo/contract/completeness/completeness.schema';

/** What the ledger said at one moment; only what progress is computed from. */
export interface Reading {
  at: number;
  stored: number;
  pending: number;
  unreadBytes: number;
}

export const readingOf = (ledger: Completeness, at: number): Reading => ({
  at,
  stored: ledger.stored,
  pending: ledger.pending,
  unreadBytes: ledger.unreadBytes,
});

/** Readings older than this no longer say how fast it goes now. */
const WINDOW_MS = 60_000;

/** The readings with one more, without those that are too old. A counter that fell means a new outbox: start over. */
export function addReading(readings: readonly Reading[], next: Reading): Reading[] {
  const last = readings.at(-1);
  if (last && next.stored < last.stored) return [next];
  return [...readings.filter((one) => next.at - one.at <= WINDOW_MS), next];
}

export interface Backfill {
  /** Share of the captured events that is stored, 0 to 1; null while files with uncounted events remain. */
  share: number | null;
  /** Events stored a second; null before two readings. */
  eventsPerS: number | null;
  /** Null where the amount does not fall, or the pace is not known yet. */
  msLeft: number | null;
}

/** Events on the device that make it more than what is always on its way. */
const USUAL_PENDING = 500;
/** Bytes of files not read yet that are more than a line or two. */
const USUAL_UNREAD = 64 * 1024;

/** How a back-fill goes; null when the device has nothing to catch up with. */
export function backfillOf(ledger: Completeness, readings: readonly Reading[]): Backfill | null {
  if (ledger.pending <= USUAL_PENDING && ledger.unreadBytes <= USUAL_UNREAD) return null;
  const expected = ledger.stored + ledger.pending;
  const share = ledger.unreadBytes > USUAL_UNREAD || expected === 0 ? null : ledger.stored / expected;
  const [first, last] = [readings[0], readings.at(-1)];
  if (!first || !last || last.at - first.at < 4000) return { share, eventsPerS: null, msLeft: null };
  const elapsedMs = last.at - first.at;
  const eventsPerS = ((last.stored - first.stored) / elapsedMs) * 1000;
  const left = [
    timeLeft(first.pending, last.pending, elapsedMs),
    timeLeft(first.unreadBytes, last.unreadBytes, elapsedMs),
  ];
  return { share, eventsPerS, msLeft: left.includes(null) ? null : Math.max(...left.map(Number)) };
}

/** Time until nothing is left at the pace between two amounts; null when the amount does not fall. */
function timeLeft(before: number, now: number, elapsedMs: number): number | null {
  if (now === 0) return 0;
  return now < before ? (now / (before - now)) * elapsedMs : null;
}
