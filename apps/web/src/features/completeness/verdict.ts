import type { Completeness, GapCause } from '@albedo/contract/completeness/completeness.schema';
import { t } from 'i18next';
import { formatCount, formatWhole } from '../../ui/units/numbers.ts';

/** Causes that mean the events are lost for good. */
const LOST: ReadonlySet<GapCause> = new Set(['outbox_full', 'outbox_expired', 'outbox_lost']);

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
