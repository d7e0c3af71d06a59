import { mkdtempSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type ClickHouse, connectClickHouse } from '@albedo/clickhouse/client';
import { startEmbeddedClickHouse } from '@albedo/clickhouse/embedded';
import { DATA } from './place.ts';

/** What a stream holds in a range: times in epoch ms and values, in the order of the times. */
export type Stored = readonly (readonly [timeMs: number, value: number])[];

export interface StoredStream {
  device: string;
  table: string;
  source: string;
  field: string;
}

/**
 * Reads numbers of streams with SQL from a copy of the product's telemetry folder: the product keeps the folder to
 * itself, and its own answers are what is to be checked. Parts of a table never change, so a copy of a folder in use is
 * whole, but for one that is merged away meanwhile: then the copy fails or is refused, and is made anew.
 */
export async function readStored(
  streams: readonly StoredStream[],
  fromMs: number,
  toMs: number,
): Promise<Stored[]> {
  for (let left = 5; ; left--) {
    const folder = mkdtempSync(join(tmpdir(), 'albedo-stored-'));
    try {
      const filter = (path: string) => !basename(path).startsWith('tmp_');
      await cp(join(DATA, 'telemetry'), folder, { recursive: true, filter });
      const log = { info: () => {}, warn: () => {} };
      const engine = await startEmbeddedClickHouse({ dataDir: folder, log });
      const clickhouse = connectClickHouse(engine);
      try {
        return await Promise.all(streams.map((stream) => valuesOf(clickhouse, stream, fromMs, toMs)));
      } finally {
        await clickhouse.close();
        await engine.stop();
      }
    } catch (error) {
      if (left === 0) throw error;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

async function valuesOf(
  clickhouse: ClickHouse,
  { device, table, source, field }: StoredStream,
  from: number,
  to: number,
): Promise<Stored> {
  const [slot] = await clickhouse.queryRows<[number]>(
    "SELECT slot FROM telemetry.fields FINAL WHERE tbl = {table:String} AND field = {field:String} AND kind = 'n'",
    { params: { table, field } },
  );
  if (!slot) throw new Error(`The store knows no field ${field} of ${table}.`);
  return clickhouse
    .queryRows<[number, number]>(
      `SELECT toUnixTimestamp64Milli(event_time) AS at, toFloat64(assumeNotNull(n${slot[0]})) FROM telemetry.events FINAL
     WHERE tbl = {table:String} AND device = {device:UUID} AND source = {source:String} AND isNotNull(n${slot[0]})
       AND event_time >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
       AND event_time < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
     ORDER BY at`,
      { params: { table, device, source, from, to } },
    )
    .then((rows) => rows.map(([at, value]) => [Number(at), Number(value)] as const));
}

/**
 * The average as docs/decisions/0021 says it in words: a value counts until the next one, and nothing where the pause is
 * longer than three times the longer of the medians of the three pauses before and after it.
 */
export function weightedAverage(values: Stored): number {
  const pauses = values.slice(1).map(([at], index) => at - (values[index]?.[0] ?? 0));
  const median = (some: number[]) => some.toSorted((a, b) => a - b)[Math.floor(some.length / 2)] ?? 0;
  let sum = 0;
  let time = 0;
  pauses.forEach((pause, index) => {
    const before = pauses.slice(Math.max(0, index - 3), index);
    const after = pauses.slice(index + 1, index + 4);
    if (pause > 3 * Math.max(median(before), median(after))) return;
    sum += (values[index]?.[1] ?? 0) * pause;
    time += pause;
  });
  return sum / time;
}
