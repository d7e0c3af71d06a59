import { trendsApi } from '@albedo/contract/trends/trends.api';
import { TRENDS_LIMIT, type Trend } from '@albedo/contract/trends/trends.schema';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../app/call.ts';

/** Rows that come into sight within this time are asked for together; while somebody scrolls, nothing is. */
const TOGETHER_MS = 120;
/** Steps are half an hour wide; so long a line is fresh enough. */
const FRESH_MS = 5 * 60_000;

interface Waiting {
  resolve: (trend: Trend | null) => void;
  reject: (error: unknown) => void;
}

const waiting = new Map<string, Map<string, Waiting[]>>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** The last day of one device; null for one without power and CPU. All rows in sight are one question. */
const trendQuery = (wg: string, device: string) =>
  queryOptions({
    queryKey: ['trends', wg, device],
    queryFn: () => together(wg, device),
    staleTime: FRESH_MS,
    refetchInterval: FRESH_MS,
    retry: false,
  });

export const useTrend = (wg: string, device: string): Trend | null | undefined =>
  useQuery(trendQuery(wg, device)).data;

function together(wg: string, device: string): Promise<Trend | null> {
  return new Promise((resolve, reject) => {
    const devices = waiting.get(wg) ?? new Map<string, Waiting[]>();
    waiting.set(wg, devices);
    devices.set(device, [...(devices.get(device) ?? []), { resolve, reject }]);
    clearTimeout(timer);
    timer = setTimeout(askAll, TOGETHER_MS);
  });
}

function askAll(): void {
  const all = [...waiting];
  waiting.clear();
  for (const [wg, devices] of all) {
    const ids = [...devices.keys()];
    for (let at = 0; at < ids.length; at += TRENDS_LIMIT)
      void ask(wg, ids.slice(at, at + TRENDS_LIMIT), devices);
  }
}

async function ask(wg: string, ids: string[], devices: ReadonlyMap<string, Waiting[]>): Promise<void> {
  try {
    const trends = await call(trendsApi.list, { params: { wg }, body: { devices: ids } });
    const found = new Map(trends.map((one) => [one.device, one]));
    for (const id of ids) for (const { resolve } of devices.get(id) ?? []) resolve(found.get(id) ?? null);
  } catch (error) {
    for (const id of ids) for (const { reject } of devices.get(id) ?? []) reject(error);
  }
}
