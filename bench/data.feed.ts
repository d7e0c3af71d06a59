import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClickHouse } from '@albedo/clickhouse/client';
import { type BenchCloud, WORKGROUP } from './bench-cloud.ts';
import { INVERTER_FIELDS, Inverter, POINTS_AN_EVENT } from './telemetry.data.ts';
import type { Postgres15 } from './telemetry.postgres.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const YEAR = 365 * DAY;
export const TABLE = 'solar';
export const SOURCE = 'inv-01';
/** Where every history ends. */
export const END = Math.floor(Date.now() / DAY) * DAY;
/** Devices of a whole year, besides the one with a value a minute. */
const YEARLY = 11;

/** How much a device has: so many events, so far apart, the last one a step before the end. */
export interface Shape {
  device: string;
  count: number;
  stepMs: number;
}

/**
 * A quarter of the events is one device with a value a minute, for a year where that many fit; half of them are eleven
 * devices over a year, every five minutes or as densely as fits; the rest is skewed among all others. Beyond what that
 * takes, all others get a year every five minutes, and then what is left more often.
 */
export function shapesOf(devices: readonly string[], events: number): Shape[] {
  const yearlyMs = Math.max(5, Math.ceil(YEAR / MINUTE / ((events * 0.5) / YEARLY))) * MINUTE;
  const first = Math.min(YEAR / MINUTE, Math.round(events * 0.25));
  const left = Math.max(0, events - first - YEARLY * Math.floor(YEAR / yearlyMs));
  const weights = devices.map((_, i) => (i <= YEARLY ? 0 : 1 / (i - YEARLY) ** 0.5));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return devices.map((device, i) => {
    if (i === 0) return { device, count: first, stepMs: MINUTE };
    if (i <= YEARLY) return { device, count: Math.floor(YEAR / yearlyMs), stepMs: yearlyMs };
    const count = Math.max(60, Math.round((left * (weights[i] ?? 0)) / sum));
    return { device, count, stepMs: count * 5 * MINUTE <= YEAR ? 5 * MINUTE : Math.floor(YEAR / count) };
  });
}

/** The newest event of each device through the store, which so learns tables, fields and streams. */
export async function introduce(bench: BenchCloud, shapes: readonly Shape[]): Promise<void> {
  const stream = { table: TABLE, source: SOURCE, fields: INVERTER_FIELDS };
  await bench.cloud.features.telemetry.asSystem('ingest').insert(
    shapes.map(({ device, count, stepMs }) => {
      const time = END - stepMs;
      const inverter = new Inverter();
      return { workgroup: WORKGROUP, device, stream, rows: [[count, time, ...inverter.read(time, stepMs)]] };
    }),
    randomUUID(),
  );
}

/** One event of each device in a table of its own. */
export async function introduceFleet(bench: BenchCloud, table: string, devices: readonly string[]) {
  const stream = { table, source: SOURCE, fields: INVERTER_FIELDS };
  const inverter = new Inverter();
  const blocks = devices.map((device) => ({
    workgroup: WORKGROUP,
    device,
    stream,
    rows: [[1, END, ...inverter.read(END - DAY / 2, MINUTE)] as [number, number, ...number[]]],
  }));
  await bench.cloud.features.telemetry.asSystem('ingest').insert(blocks, randomUUID());
}

/**
 * The events of a span, made by the engine itself: ten times as fast as encoding them here. `slots` are the columns of
 * the fields, in their order. Months are written one after the other, as time does.
 */
export async function feed(
  clickhouse: ClickHouse,
  shapes: readonly Shape[],
  slots: readonly string[],
  span: { from: number; to: number },
): Promise<void> {
  for (let from = span.from; from < span.to; from += 10 * DAY)
    await clickhouse.exec(eventsOf(shapes, slots, from, Math.min(span.to, from + 10 * DAY)));
  await settled(clickhouse);
}

function eventsOf(shapes: readonly Shape[], slots: readonly string[], from: number, to: number): string {
  const ranges = shapes.flatMap(({ device, count, stepMs }) => {
    // The last one came through the store.
    const place = (at: number) => Math.min(count - 1, Math.max(0, Math.ceil(count - (END - at) / stepMs)));
    const [first, end] = [place(from), place(to)];
    return end > first ? [`('${device}', ${count}, ${stepMs}, ${first}, ${end})`] : [];
  });
  if (ranges.length === 0) ranges.push(`('${randomUUID()}', 0, 0, 0, 0)`);
  const is = (value: string, digits: number) => `toFloat64(round(${value}, ${digits}))`;
  const volts = (n: number) => is(`228 + 4 * randCanonical(${n})`, 1);
  const amps = (n: number) => is(`ac / 3 / (228 + 4 * randCanonical(${n}))`, 2);
  const values = [
    'toFloat64(ac)',
    ...[1, 2, 3].map(volts),
    ...[4, 5, 6].map(amps),
    is('50 + 0.03 * randCanonical(7)', 2),
    is('if(ac > 0, 680 + 40 * randCanonical(8), 0)', 1),
    is('ac / 700', 2),
    is('ac / 0.975', 0),
    'toFloat64(n * 1000 + intDiv(ac, 100))',
    is('20 + 30 * sun + randCanonical(9)', 1),
    'if(ac > 0, 4., 2.)',
    '0.',
  ];
  return `INSERT INTO telemetry.events (workgroup, tbl, device, source, event_time, store_time, msg_id, ${slots.join(', ')})
    SELECT '${WORKGROUP}', '${TABLE}', toUUID(d.1), '${SOURCE}', fromUnixTimestamp64Milli(at, 'UTC'),
      fromUnixTimestamp64Milli(at + 1000, 'UTC'), toUInt64(n + 1), ${values.join(', ')}
    FROM (SELECT *, greatest(0, sin((at / ${HOUR} % 24 - 6) / 12 * pi())) AS sun,
        toInt64(sun * 50000 * (0.3 + 0.7 * randCanonical(10))) AS ac
      FROM (SELECT d, arrayJoin(range(d.4, d.5)) AS n, toInt64(${END} - (d.2 - n) * d.3) AS at
        FROM (SELECT arrayJoin([${ranges.join(', ')}]) AS d)))
    SETTINGS max_partitions_per_insert_block = 0`;
}

/** Waits, for a while, until the engine merges nothing any more. */
async function settled(clickhouse: ClickHouse): Promise<void> {
  for (let seconds = 0; seconds < 60; seconds++) {
    await delay(1000);
    const [row] = await clickhouse.queryRows<[string]>('SELECT count() FROM system.merges');
    if (Number(row?.[0]) === 0) return;
  }
}

/** The same events in a table of PostgreSQL with an index for streams over time and one for times. */
export async function copyTo(
  postgres: Postgres15,
  clickhouse: ClickHouse,
  slots: readonly string[],
): Promise<void> {
  const values = slots.map((_, i) => `v${i}`);
  await postgres.ask(`CREATE TABLE events (device uuid, source text, event_time timestamptz, msg_id bigint,
    ${values.map((name) => `${name} double precision`).join(', ')});`);
  for (let from = END - YEAR - DAY; from < END; from += 20 * DAY) {
    const sql = `SELECT device, source, toString(event_time) || '+00', msg_id, ${slots.join(', ')} FROM telemetry.events FINAL
      WHERE tbl = '${TABLE}' AND event_time >= fromUnixTimestamp64Milli(${from}, 'UTC')
        AND event_time < fromUnixTimestamp64Milli(${Math.min(END, from + 20 * DAY)}, 'UTC')`;
    const copy = spawn('psql', [...postgres.address, '-c', 'COPY events FROM STDIN CSV'], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    const done = once(copy, 'exit');
    (await clickhouse.bytes(sql, 'CSV')).pipe(copy.stdin);
    const [code] = await done;
    if (code !== 0) throw new Error('PostgreSQL does not take the events.');
  }
  await postgres.ask('ALTER TABLE events ADD PRIMARY KEY (device, source, event_time, msg_id);');
  await postgres.ask('CREATE INDEX ON events (event_time);');
  await postgres.ask('VACUUM ANALYZE events;');
}

export const pointsOf = (shapes: readonly Shape[]): number =>
  shapes.reduce((sum, { count }) => sum + count, 0) * POINTS_AN_EVENT;
