import { calculationsApi } from '@albedo/contract/calculations/calculations.api';
import type { Calculation, NewCalculation } from '@albedo/contract/calculations/calculations.schema';
import type { KpiAnswer } from '@albedo/contract/kpis/kpis.schema';
import { queryOptions } from '@tanstack/react-query';
import { ApiError, call } from '../../app/call.ts';
import { followList, unlessTold } from '../../app/live-list.ts';
import { queryClient } from '../../app/query-client.ts';
import { newestIn } from '../../app/versions/newest.ts';

followList('calculations', ['calculations']);

const keyOf = (wg: string) => ['calculations', wg] as const;

/** Without the addon, or once it is gone, there is nothing to show; that is no failure. */
const isIgnored = (error: unknown): boolean => error instanceof ApiError && [403, 404].includes(error.code);

/** Three more attempts, at most 3 s apart. Source: specification 2, section 9. */
const RETRYING = {
  retry: (failures: number, error: Error) => failures < 3 && !isIgnored(error),
  retryDelay: (attempt: number) => Math.min(3000, 500 * 2 ** attempt),
};

/** The calculations of the workgroup, by name; none where it is without the addon. */
export const calculationsQuery = (wg: string) =>
  queryOptions({
    queryKey: keyOf(wg),
    queryFn: async ({ signal }): Promise<Calculation[]> => {
      try {
        return await call(calculationsApi.list, { params: { wg } }, signal);
      } catch (error) {
        if (isIgnored(error)) return [];
        throw error;
      }
    },
    ...RETRYING,
    staleTime: 60_000,
    refetchInterval: unlessTold(60_000),
  });

interface Asked {
  entity: string;
  from: number;
  to: number;
}

/** What was written of an entity; asked again when the calculation has computed something. */
export const valuesQuery = (wg: string, { _id, computedAt }: Calculation, body: Asked) =>
  queryOptions({
    queryKey: ['calculation-values', wg, _id, computedAt, body],
    queryFn: ({ signal }) => call(calculationsApi.values, { params: { wg, calculation: _id }, body }, signal),
    ...RETRYING,
    placeholderData: (old) => old,
  });

export const changesQuery = (wg: string, { _id, computedAt }: Calculation) =>
  queryOptions({
    queryKey: ['calculation-changes', wg, _id, computedAt],
    queryFn: ({ signal }) => call(calculationsApi.changes, { params: { wg, calculation: _id } }, signal),
    ...RETRYING,
    placeholderData: (old) => old,
  });

export const explanationQuery = (wg: string, { _id, computedAt }: Calculation, entity: string, at: number) =>
  queryOptions({
    queryKey: ['calculation-explanation', wg, _id, computedAt, entity, at],
    queryFn: ({ signal }) =>
      call(calculationsApi.explain, { params: { wg, calculation: _id }, body: { entity, at } }, signal),
    ...RETRYING,
  });

/** What a definition would have written. */
export const previewQuery = (wg: string, calculation: NewCalculation, asked: Asked) =>
  queryOptions({
    queryKey: ['calculation-preview', wg, calculation, asked],
    queryFn: ({ signal }): Promise<KpiAnswer> => {
      const body = { calculation, question: { ...asked, timezone: 'UTC' } };
      return call(calculationsApi.preview, { params: { wg }, body }, signal);
    },
    retry: false,
  });

/** A calculation as it is now. */
export const newestCalculation = (wg: string, id: string): Promise<Calculation> =>
  newestIn(queryClient.fetchQuery({ ...calculationsQuery(wg), staleTime: 0 }), id);

/** Makes the calculation, or puts it in the place of one; with a version, only over that one. */
export async function saveCalculation(
  wg: string,
  over: { id: string; version?: number } | null,
  body: NewCalculation,
): Promise<Calculation> {
  const saved =
    over === null
      ? await call(calculationsApi.create, { params: { wg }, body })
      : await call(calculationsApi.update, {
          params: { wg, calculation: over.id },
          body: { ...body, version: over.version },
        });
  await queryClient.invalidateQueries({ queryKey: keyOf(wg) });
  return saved;
}

export async function removeCalculation(wg: string, calculation: string): Promise<void> {
  await call(calculationsApi.remove, { params: { wg, calculation } });
  await queryClient.invalidateQueries({ queryKey: keyOf(wg) });
}

/** Begins to compute a range of the past; it goes on as a long action. */
export const backfill = (wg: string, calculation: string, range: { from: number; to: number }) =>
  call(calculationsApi.backfill, { params: { wg, calculation }, body: range });
