import type { Completeness, GapCause, Numbering } from '@albedo/contract/completeness/completeness.schema';
import { t } from 'i18next';
import { formatCount, formatWhole } from '../../ui/units/numbers.ts';

/** Causes that mean the events are lost for good. */
const LOST: ReadonlySet<GapCause> = new Set([
  'outbox_full',
  'outbox_expired',
  'outbox_lost',
  'outbox_restored',
  'outbox_damaged',
  'cloud_restored',
  'file_lost',
  'store_lost',
]);

export interface Verdict {
  mark: 'ok' | 'warning' | 'danger' | 'unknown';
  text: string;
}

/** The ledger in one sentence: the worst thing that can be said of it, or that nothing is missing. */
export function verdictOf(ledger: Completeness, isOnline: boolean): Verdict {
  if (ledger.reportedAt === null && ledger.stored === 0 && ledger.gaps.length === 0) {
    return { mark: 'unknown', text: t('completeness.verdict.nothing') };
  }
  const lost = ledger.gaps.filter((gap) => LOST.has(gap.cause));
  const count = Math.max(
    ledger.dropped,
    lost.reduce((sum, gap) => sum + (gap.events ?? 0), 0),
  );
  if (lost.length > 0 || ledger.dropped > 0) {
    const text =
      count > 0
        ? t('completeness.verdict.lost', { count, text: formatCount(count) })
        : t('completeness.verdict.someLost');
    return { mark: 'danger', text };
  }
  if (ledger.gaps.some((gap) => gap.cause === 'unexplained')) {
    return {
      mark: 'warning',
      text: t('completeness.verdict.unexplained'),
    };
  }
  if (ledger.setAside > 0) {
    const count = ledger.setAside;
    return { mark: 'warning', text: t('completeness.verdict.setAside', { count, text: formatWhole(count) }) };
  }
  if (ledger.pending === 0 && ledger.unreadBytes === 0) {
    return { mark: 'ok', text: t('completeness.verdict.all') };
  }
  return {
    mark: 'ok',
    text: t(isOnline ? 'completeness.verdict.onItsWay' : 'completeness.verdict.kept'),
  };
}

/** Outboxes that were heard within this time run now, ms. */
const RECENT_MS = 300_000;

/** Whether two outboxes take turns: each was heard after the other one began. A state that was restored ends the one before. */
export function hasTwoMachines(numberings: readonly Numbering[], now: number): boolean {
  const recent = numberings.filter(({ lastAt }) => now - lastAt < RECENT_MS);
  return recent.some((a) => recent.some((b) => a !== b && a.lastAt > b.since && b.lastAt > a.since));
}
