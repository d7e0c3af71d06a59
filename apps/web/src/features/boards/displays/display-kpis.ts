import { displaysApi } from '@albedo/contract/displays/displays.api';
import type {
  ShownKpi,
  ShownKpiQuestion,
  ShownKpiRowsQuestion,
} from '@albedo/contract/displays/displays.schema';
import type { KpiAnswer, KpiRows } from '@albedo/contract/kpis/kpis.schema';
import { queryOptions } from '@tanstack/react-query';
import type { DisplayConnection } from './connection.ts';

/** As often as boards ask again: the timeframe goes on, ms. */
const EVERY_MS = 5 * 60_000;

/** The KPIs of a display, and how it asks for them. */
export interface DisplayKpis {
  all: readonly ShownKpi[];
  answer: (version: number, question: ShownKpiQuestion) => ReturnType<typeof answerQuery>;
  rows: (version: number, question: ShownKpiRowsQuestion) => ReturnType<typeof rowsQuery>;
}

export const displayKpis = (connection: DisplayConnection, all: readonly ShownKpi[]): DisplayKpis => ({
  all,
  answer: (version, question) => answerQuery(connection, version, question),
  rows: (version, question) => rowsQuery(connection, version, question),
});

const answerQuery = (connection: DisplayConnection, version: number, body: ShownKpiQuestion) =>
  queryOptions<KpiAnswer, Error, KpiAnswer, readonly unknown[]>({
    queryKey: ['kpi-answers', 'display', [body.kpi, version], body],
    queryFn: ({ signal }): Promise<KpiAnswer> =>
      connection.call(displaysApi.kpi, { body }, () => !signal.aborted),
    ...{ staleTime: 60_000, refetchInterval: EVERY_MS },
  });

const rowsQuery = (connection: DisplayConnection, version: number, body: ShownKpiRowsQuestion) =>
  queryOptions<KpiRows, Error, KpiRows, readonly unknown[]>({
    queryKey: ['kpi-rows', 'display', body.kpi, version, body],
    queryFn: ({ signal }): Promise<KpiRows> =>
      connection.call(displaysApi.kpiRows, { body }, () => !signal.aborted),
    ...{ staleTime: 60_000, refetchInterval: EVERY_MS },
  });
