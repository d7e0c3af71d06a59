import { type Ask, ClickHouseError } from '@albedo/clickhouse/client';
import { AppError } from '../errors/app-error.ts';
import type { Bound } from './telemetry.columns.ts';

/** The events without repeats. */
export const EVENTS = 'telemetry.events FINAL';

/** What one search may use. */
const LIMITS = {
  /** s. */
  max_execution_time: 20,
  /** Bytes. */
  max_memory_usage: 1_500_000_000,
  max_result_rows: 200_000,
  // A repeat lies in the partition of its original, so partitions need not be compared with one another.
  do_not_merge_across_partitions_select_final: 1,
};

/** Settings and values of one read. */
export const reading = (
  bound: Bound | null,
  signal?: AbortSignal,
  limits: Readonly<Record<string, number | string>> = {},
): Ask => ({ ...(bound ? { params: bound.params } : {}), settings: { ...LIMITS, ...limits }, signal });

const DAY_MS = 86_400_000;
/** The engine's Date goes from 1970 to 2149; epoch ms. */
const DATES = { from: 0, to: 65_535 * DAY_MS };

/**
 * Events of a span, epoch ms. The day is said too, since it stands before the device in the key: without it the engine looks
 * at every day of a month.
 */
export function withinSql({ from, to }: { from: number; to: number }, bound: Bound): string {
  const [first, end] = [bound.add(from, 'Int64'), bound.add(to, 'Int64')];
  const span = `event_time >= fromUnixTimestamp64Milli(${first}, 'UTC') AND event_time < fromUnixTimestamp64Milli(${end}, 'UTC')`;
  if (from < DATES.from || to > DATES.to || to <= from) return span;
  const day = (ms: number) => `toDate(${bound.add(Math.floor(ms / DAY_MS), 'UInt16')})`;
  return `${span} AND toDate(event_time) >= ${day(from)} AND toDate(event_time) <= ${day(to - 1)}`;
}

const TIMED_OUT = new Set(['159', '160']);
const TOO_MUCH = new Set(['241', '396', '158', '307', '191']);
const BUSY = new Set(['202', '236']);

/** Whether a read needed more memory than it may have. */
export const isTooMuch = (error: unknown): boolean =>
  error instanceof ClickHouseError && error.code === '241';

/** Runs a read; what the engine refuses becomes the failure that the specification knows. */
export async function asked<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof ClickHouseError) {
      const { code } = error;
      if (TIMED_OUT.has(code)) throw new AppError('search.timed_out');
      if (TOO_MUCH.has(code)) throw new AppError('search.too_much', { reason: error.message });
      if (BUSY.has(code)) throw new AppError('server.busy', { reason: error.message });
    }
    const system = (error as NodeJS.ErrnoException).code;
    if (system === 'ECONNREFUSED' || system === 'ECONNRESET') {
      throw new AppError('server.busy', { reason: `The telemetry store does not answer (${system}).` });
    }
    throw error;
  }
}
