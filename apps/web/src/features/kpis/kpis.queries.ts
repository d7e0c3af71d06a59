import { kpisApi } from '@albedo/contract/kpis/kpis.api';
import type {
  Kpi,
  KpiAnswer,
  KpiQuestion,
  KpiRows,
  KpiRowsQuestion,
  NewKpi,
} from '@albedo/contract/kpis/kpis.schema';
import { queryOptions } from '@tanstack/react-query';
import { ApiError, call } from '../../app/call.ts';
import { withLastState } from '../../app/last-state.ts';
import { followList, unlessTold } from '../../app/live-list.ts';
import { queryClient } from '../../app/query-client.ts';
import { newestIn } from '../../app/versions/newest.ts';

followList('kpis', ['kpis']);

const keyOf = (wg: string) => ['kpis', wg] as const;

/** Without the addon, or once it is gone, there is nothing to show; that is no failure. */
const isIgnored = (error: unknown): boolean => error instanceof ApiError && [403, 404].includes(error.code);

/** Three more attempts, at most 3 s apart. Source: specification 2, section 9. */
const RETRYING = {
  retry: (failures: number, error: Error) => failures < 3 && !isIgnored(error),
  retryDelay: (attempt: number) => Math.min(3000, 500 * 2 ** attempt),
};

/** The KPIs of the workgroup, by name; none where it is without the addon. */
export const kpisQuery = (wg: string) =>
  queryOptions({
    queryKey: keyOf(wg),
    queryFn: async ({ signal }): Promise<Kpi[]> => {
      try {
        return await withLastState(`kpis ${wg}`, () => call(kpisApi.list, { params: { wg } }, signal));
      } catch (error) {
        if (isIgnored(error)) return [];
        throw error;
      }
    },
    ...RETRYING,
    staleTime: 5 * 60_000,
    refetchInterval: unlessTold(5 * 60_000),
  });

/** The values of a KPI, saved or as it is being written. */
export const kpiAnswerQuery = (
  wg: string,
  kpi: Pick<Kpi, '_id' | 'version'> | NewKpi,
  question: KpiQuestion,
) =>
  queryOptions<KpiAnswer, Error, KpiAnswer, readonly unknown[]>({
    queryKey: ['kpi-answers', wg, '_id' in kpi ? [kpi._id, kpi.version] : kpi.values, question],
    queryFn: ({ signal }): Promise<KpiAnswer> =>
      '_id' in kpi
        ? withLastState(`kpi ${wg} ${kpi._id} ${JSON.stringify(question)}`, () =>
            call(kpisApi.evaluate, { params: { wg, kpi: kpi._id }, body: question }, signal),
          )
        : call(kpisApi.preview, { params: { wg }, body: { kpi, question } }, signal),
    ...RETRYING,
    staleTime: 60_000,
    // Its timeframe goes on.
    refetchInterval: 5 * 60_000,
  });

/** The values of a KPI for several entities at once. */
export const kpiRowsQuery = (
  wg: string,
  { _id, version }: Pick<Kpi, '_id' | 'version'>,
  body: KpiRowsQuestion,
) =>
  queryOptions<KpiRows, Error, KpiRows, readonly unknown[]>({
    queryKey: ['kpi-rows', wg, _id, version, body],
    queryFn: ({ signal }): Promise<KpiRows> =>
      withLastState(`kpi-rows ${wg} ${_id} ${JSON.stringify(body)}`, () =>
        call(kpisApi.rows, { params: { wg, kpi: _id }, body }, signal),
      ),
    ...RETRYING,
    staleTime: 60_000,
    // Its timeframe goes on.
    refetchInterval: 5 * 60_000,
  });

/** A KPI as it is now. */
export const newestKpi = (wg: string, id: string): Promise<Kpi> =>
  newestIn(queryClient.fetchQuery({ ...kpisQuery(wg), staleTime: 0 }), id);

/** Makes the KPI, or puts it in the place of one; with a version, only over that one. */
export async function saveKpi(
  wg: string,
  over: { id: string; version?: number } | null,
  body: NewKpi,
): Promise<Kpi> {
  const saved =
    over === null
      ? await call(kpisApi.create, { params: { wg }, body })
      : await call(kpisApi.update, {
          params: { wg, kpi: over.id },
          body: { ...body, version: over.version },
        });
  await queryClient.invalidateQueries({ queryKey: keyOf(wg) });
  return saved;
}

export async function removeKpi(wg: string, kpi: string): Promise<void> {
  await call(kpisApi.remove, { params: { wg, kpi } });
  await queryClient.invalidateQueries({ queryKey: keyOf(wg) });
}
