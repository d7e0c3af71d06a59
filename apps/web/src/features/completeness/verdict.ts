import type { Completeness, GapCause } from '@albedo/contract/completeness/completeness.schema';
import { formatCount, formatWhole } from '../../ui/units/numbers.ts';

/** Causes after which the events are nowhere any more. */
const LOST: ReadonlySet<GapCause> = new Set(['outbox_full', 'outbox_expired', 'outbox_lost']);

export interface Verdict {
  mark: 'ok' | 'warning' | 'danger';
  text: string;
}

/** The ledger in one sentence: the worst thing that can be said of it, or that nothing is missing. */
export function verdictOf(ledger: Completeness, isOnline: boolean): Verdict {
  if (ledger.reportedAt === null && ledger.stored === 0 && ledger.gaps.length === 0) {
    return { mark: 'ok', text: 'Nothing has been captured yet.' };
  }
  const lost = ledger.gaps.filter((gap) => LOST.has(gap.cause));
  const count = Math.max(
    ledger.dropped,
    lost.reduce((sum, gap) => sum + (gap.events ?? 0), 0),
  );
  if (lost.length > 0 || ledger.dropped > 0) {
    const what = count > 0 ? `${formatCount(count)} events are` : 'Some events are';
    return { mark: 'danger', text: `${what} missing for good. Each gap stands below with its cause.` };
  }
  if (ledger.gaps.some((gap) => gap.cause === 'unexplained')) {
    return {
      mark: 'warning',
      text: 'Some events are missing and nobody has said why yet. They may still arrive.',
    };
  }
  if (ledger.setAside > 0) {
    const events = ledger.setAside === 1 ? '1 event' : `${formatWhole(ledger.setAside)} events`;
    return {
      mark: 'warning',
      text: `${events} could not be stored and stand below. Nothing else is missing.`,
    };
  }
  if (ledger.pending === 0 && ledger.unreadBytes === 0) {
    return { mark: 'ok', text: 'Everything that was captured is stored.' };
  }
  return {
    mark: 'ok',
    text: isOnline
      ? 'Nothing is lost. What is not stored yet is on its way.'
      : 'Nothing is lost. The device is offline and keeps what it captures until it is back.',
  };
}
