import type { ClickHouse } from '@albedo/clickhouse/client';
import type { SeriesKey } from '@albedo/contract/telemetry/telemetry.schema';
import type { FieldSlot } from './telemetry.blocks.ts';
import { Bound, slotExpression } from './telemetry.columns.ts';
import { EVENTS, reading } from './telemetry.reading.ts';
import { gapsIn } from './telemetry.weights.ts';

/** What is asked of some series: their values from `from` on, before `to`, in steps of `stepMs`. Epoch ms. */
export interface BucketQuery {
  from: number;
  to: number;
  stepMs: number;
  series: readonly SeriesKey[];
}

/**
 * The steps of one series that have values, oldest first; `avg` is the mean of the values of the step.
 *
 * Shapes: all lists have the same length. Gaps: a step with nulls stands where a pause is a gap.
 */
export interface BucketPoints {
  stepMs: number;
  times: number[];
  min: (number | null)[];
  avg: (number | null)[];
  max: (number | null)[];
}

type Row = [string, string, string, number, number, number, number, number];

/** Rows that one question may answer. */
const ROWS = 150_000;

/**
 * Series of any number of streams, in all their tables at once: what screens of many sources are drawn from. In the order
 * of `series`; a field that is not known (`slotOf`) has no values.
 */
export async function readBuckets(
  clickhouse: ClickHouse,
  slotOf: (key: SeriesKey) => FieldSlot | undefined,
  workgroup: string,
  query: BucketQuery,
  signal?: AbortSignal,
): Promise<BucketPoints[]> {
  const { from, to, stepMs, series } = query;
  const points = series.map((): BucketPoints => ({ stepMs, times: [], min: [], avg: [], max: [] }));
  const places = new Map<string, number[]>();
  const known = series.flatMap((key, i) => {
    const slot = slotOf(key);
    if (!slot) return [];
    const name = nameOf(key.device.toLowerCase(), key.table, key.source, key.field);
    places.set(name, [...(places.get(name) ?? []), i]);
    return [{ key, slot }];
  });
  const many = Math.max(1, Math.floor(ROWS / Math.max(1, (to - from) / stepMs)));
  for (let first = 0; first < known.length; first += many) {
    const rows = await readSome(clickhouse, workgroup, query, known.slice(first, first + many), signal);
    for (const { device, table, source, field, at, min, avg, max } of rows) {
      for (const i of places.get(nameOf(device, table, source, field)) ?? []) {
        points[i]?.times.push(at);
        points[i]?.min.push(min);
        points[i]?.avg.push(avg);
        points[i]?.max.push(max);
      }
    }
  }
  return points.map(withGaps);
}

const nameOf = (...parts: string[]): string => JSON.stringify(parts);

async function readSome(
  clickhouse: ClickHouse,
  workgroup: string,
  { from, to, stepMs }: BucketQuery,
  known: readonly { key: SeriesKey; slot: FieldSlot }[],
  signal: AbortSignal | undefined,
) {
  const bound = new Bound();
  const distinct = (pick: (key: SeriesKey) => string) => [...new Set(known.map(({ key }) => pick(key)))];
  const fields = [...new Map(known.map((one) => [nameOf(one.key.table, one.key.field), one])).values()];
  const values = fields.map(({ key, slot }, i) => {
    const value = slotExpression(slot, bound);
    return `(${i}, if(tbl = ${bound.add(key.table, 'String')}, ${value}, NULL))`;
  });
  const step = bound.add(stepMs, 'Int64');
  const sql = `SELECT toString(device), tbl, source, one.1 AS f,
      toFloat64(intDiv(toUnixTimestamp64Milli(event_time), ${step})) AS b,
      min(assumeNotNull(one.2)), avg(assumeNotNull(one.2)), max(assumeNotNull(one.2))
    FROM ${EVENTS} ARRAY JOIN [${values.join(', ')}] AS one
    WHERE workgroup = ${bound.add(workgroup, 'String')}
      AND tbl IN ${bound.add(
        distinct(({ table }) => table),
        'Array(String)',
      )}
      AND device IN ${bound.add(
        distinct(({ device }) => device),
        'Array(UUID)',
      )}
      AND source IN ${bound.add(
        distinct(({ source }) => source),
        'Array(String)',
      )}
      AND event_time >= fromUnixTimestamp64Milli(${bound.add(from, 'Int64')}, 'UTC')
      AND event_time < fromUnixTimestamp64Milli(${bound.add(to, 'Int64')}, 'UTC')
      AND isNotNull(one.2)
    GROUP BY device, tbl, source, f, b ORDER BY b`;
  const rows = await clickhouse.queryRows<Row>(sql, reading(bound, signal));
  return rows.map(([device, table, source, field, b, min, avg, max]) => ({
    device,
    table,
    source,
    field: fields[field]?.key.field ?? '',
    at: b * stepMs,
    min,
    avg,
    max,
  }));
}

function withGaps(points: BucketPoints): BucketPoints {
  const { stepMs, times } = points;
  const isGap = gapsIn(times.slice(1).map((at, i) => at - (times[i] as number)));
  if (!isGap.includes(true)) return points;
  const gapped: BucketPoints = { stepMs, times: [], min: [], avg: [], max: [] };
  times.forEach((at, i) => {
    if (isGap[i - 1]) {
      gapped.times.push((times[i - 1] as number) + stepMs);
      for (const list of [gapped.min, gapped.avg, gapped.max]) list.push(null);
    }
    gapped.times.push(at);
    gapped.min.push(points.min[i] ?? null);
    gapped.avg.push(points.avg[i] ?? null);
    gapped.max.push(points.max[i] ?? null);
  });
  return gapped;
}
