import { calculationsApi } from '@albedo/contract/calculations/calculations.api';
import { type FindingSource, foundOf } from '../house/finding.ts';
import type { CalculationsStore } from './calculations.store.ts';

/** Calculations whose last run failed; their tables have no rows from then on. */
export const calculationsFindings = (store: Pick<CalculationsStore, 'list'>): FindingSource => ({
  kind: 'calculations',
  access: calculationsApi.list.access,
  find: async ({ workgroup }) =>
    foundOf(
      'danger',
      (await store.list(workgroup)).flatMap(({ name, isActive, failure, computedAt }) =>
        isActive && failure !== null ? [{ name, text: failure, at: computedAt?.getTime() ?? null }] : [],
      ),
    ),
});
