import type { LatestSource } from '@albedo/contract/devices/devices.schema';
import { telemetryApi } from '@albedo/contract/telemetry/telemetry.api';
import type { SeriesKey, TableInfo } from '@albedo/contract/telemetry/telemetry.schema';
import { queryOptions, useQueries } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../app/call.ts';
import { withLastState } from '../../app/last-state.ts';
import { queryClient } from '../../app/query-client.ts';
import { onConnected, onEvent, request } from '../../app/socket.ts';
import { deviceKeys } from '../devices/devices.queries.ts';

/** Source: specification 2, section 9. */
const TABLE_INFO_MS = 5 * 60_000;
/** The first newest value is shown at once; those that follow within this time are shown together. */
const GATHER_MS = 200;

/** The fields of a table with their types and units. */
export const tableQuery = (wg: string, table: string) =>
  queryOptions({
    queryKey: ['table', wg, table],
    queryFn: ({ signal }) =>
      withLastState(`table ${wg} ${table}`, () =>
        call(telemetryApi.table, { params: { wg, table }, query: { typesonly: 'true' } }, signal),
      ),
    staleTime: TABLE_INFO_MS,
  });

export interface Tables {
  /** Tables by name; those that are not there yet, or failed, are missing. */
  byName: ReadonlyMap<string, TableInfo>;
  /** Some are still on their way. */
  isPending: boolean;
}

export function useTables(wg: string, tables: readonly string[]): Tables {
  return useQueries({ queries: tables.map((table) => tableQuery(wg, table)), combine: combineTables });
}

/** The same function over time, so that its answer is the same object until a table changes. */
function combineTables(results: readonly { data: TableInfo | undefined; isPending: boolean }[]): Tables {
  return {
    byName: new Map(results.flatMap(({ data }) => (data ? [[data.table, data] as const] : []))),
    isPending: results.some((one) => one.isPending),
  };
}

export interface SeriesRequest {
  wg: string;
  series: SeriesKey[];
  from: number;
  to: number;
  maxPoints: number;
}

/** Points of several series over a time range, with the keys they belong to, in the order asked for. */
export const seriesQuery = ({ wg, series, from, to, maxPoints }: SeriesRequest) =>
  queryOptions({
    queryKey: ['series', wg, series, from, to, maxPoints],
    queryFn: async ({ signal }) => {
      const body = { series, from, to, maxPoints };
      return { series, points: await call(telemetryApi.series, { params: { wg }, body }, signal) };
    },
    enabled: series.length > 0,
    // Points are many and new at each answer; comparing them deeply would cost more than drawing them.
    structuralSharing: false,
    gcTime: 2 * 60_000,
  });

/**
 * Keeps the newest values of a device in the cache true while the component is shown. After a reconnect they are asked
 * for again, since some were missed.
 */
export function useLatestLive(wg: string, deviceId: string): void {
  useEffect(() => {
    const key = deviceKeys.latest(wg, deviceId);
    let gathered: LatestSource[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    let shownAt = Number.NEGATIVE_INFINITY;
    const flush = () => {
      timer = undefined;
      shownAt = performance.now();
      const news = gathered;
      gathered = [];
      queryClient.setQueryData<LatestSource[]>(key, (old) => mergeLatest(old, news));
    };
    let wasConnected = false;
    const stops = [
      onConnected(() => {
        if (wasConnected) void queryClient.invalidateQueries({ queryKey: key });
        wasConnected = true;
        // Refused or lost: the values stand still, and the next connection asks again.
        request('device:watch', { deviceId }).catch(() => {});
      }),
      onEvent('device:latest', (news) => {
        if (news.deviceId !== deviceId) return;
        gathered.push(...news.sources);
        timer ??= setTimeout(flush, Math.max(0, shownAt + GATHER_MS - performance.now()));
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      clearTimeout(timer);
      request('device:watch', { deviceId, stop: true }).catch(() => {});
    };
  }, [wg, deviceId]);
}

/** Newer values replace older ones, stream by stream; streams that did not change stay the same objects. */
export function mergeLatest(
  old: LatestSource[] | undefined,
  news: readonly LatestSource[],
): LatestSource[] | undefined {
  if (!old) return old;
  const byStream = new Map(old.map((one) => [streamKey(one), one]));
  for (const one of news) {
    const known = byStream.get(streamKey(one));
    if (known && known.eventAt > one.eventAt) continue;
    byStream.set(streamKey(one), known ? { ...one, values: { ...known.values, ...one.values } } : one);
  }
  return [...byStream.values()];
}

const streamKey = ({ table, source }: Pick<LatestSource, 'table' | 'source'>): string =>
  JSON.stringify([table, source]);
