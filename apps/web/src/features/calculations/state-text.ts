import type { Calculation } from '@albedo/contract/calculations/calculations.schema';
import type { TFunction } from 'i18next';
import { agoText } from '../../ui/units/durations.ts';

/** What a person wants to know first: is it off, does it fail, what waits, or when it was up to date. */
export function stateText(t: TFunction, one: Calculation, now: number): string {
  if (!one.isActive) return t('calculations.states.off');
  if (one.failure !== null) return t('calculations.states.failing', { reason: one.failure });
  if (one.waiting > 0) return t('calculations.states.waiting', { count: one.waiting });
  return one.computedAt === null
    ? t('calculations.states.new')
    : t('calculations.states.computed', { ago: agoText(one.computedAt, now) });
}
