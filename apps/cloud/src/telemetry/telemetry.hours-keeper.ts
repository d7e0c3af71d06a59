import { setTimeout as wait } from 'node:timers/promises';
import type { ClickHouse } from '@albedo/clickhouse/client';
import type { FieldSlot } from './telemetry.blocks.ts';
import type { FieldCatalog } from './telemetry.catalog.ts';
import { DAY_MS, HOUR_MS, MARGIN_MS } from './telemetry.chart-hours.ts';
import { Bound, slotExpression } from './telemetry.columns.ts';
import { EVENTS } from './telemetry.reading.ts';

/** Hours are made for so many events at once, so that other writes wait for a second at most, and for no more days than these. */
const EVENTS_AT_ONCE = 1_000_000;
const DAYS_AT_ONCE = 31;
/** What was stored is looked through again after so long, ms. */
const LOOK_MS = 300_000;
/** Hours of a field that nobody asked for so long are dropped, days. */
const UNUSED_DAYS = 60;
/** A deletion may have been written down so much later than its time says, ms. */
const CUT_MS = 60_000;
/** Of a statement that makes hours: s, bytes. */
const LONG = {
  max_execution_time: 300,
  max_threads: 1,
  max_memory_usage: 1_500_000_000,
  max_bytes_before_external_group_by: 400_000_000,
  max_bytes_before_external_sort: 400_000_000,
  do_not_merge_across_partitions_select_final: 1,
};

interface Table {
  workgroup: string;
  table: string;
}

/** Days since 1970, UTC; the last one excluded. */
interface Days {
  since: number;
  until: number;
}

/** A field of which hours are kept. Instants: epoch ms. */
interface Extent extends Days {
  slot: FieldSlot;
  looked: number;
  cuts: number;
}

/**
 * Makes the hours that `ChartHours` answers from: of every numeric field that somebody asked for over a long range, newest
 * days first, and again of those days of a stream in which something was stored since.
 *
 * One at a time over all processes. It can be stopped after any statement and goes on there: hours are written before
 * the row that says they are kept, and have the engine's time at the beginning of the run as their version.
 */
export class HoursKeeper {
  readonly #clickhouse: ClickHouse;
  readonly #catalog: FieldCatalog;
  #step = 0;
  /** Tables whose hours were looked through for those of before `falls`. */
  readonly #complete = new Set<string>();

  constructor(clickhouse: ClickHouse, catalog: FieldCatalog) {
    this.#clickhouse = clickhouse;
    this.#catalog = catalog;
  }

  /** Brings everything up to date. Of `LOOK_MS` only what is new is made, unless `isForced`. */
  async keep(signal?: AbortSignal, isForced = false): Promise<void> {
    const asks = await this.#clickhouse.queryRows<[string, string, string[], number]>(
      `SELECT workgroup, tbl, groupArray(field), toUInt16(today()) FROM telemetry.chart_asks FINAL
       WHERE asked + ${UNUSED_DAYS} >= toUInt16(today()) GROUP BY workgroup, tbl ORDER BY workgroup, tbl`,
    );
    const failures: unknown[] = [];
    for (const [workgroup, table, fields] of asks) {
      signal?.throwIfAborted();
      // What is wrong with one table does not hold up the others.
      await this.#keepTable({ workgroup, table }, fields, isForced, signal).catch((error: unknown) => {
        failures.push(error);
      });
    }
    await this.#dropUnused();
    if (failures.length > 0) throw failures[0];
  }

  async #keepTable(of: Table, fields: string[], isForced: boolean, signal?: AbortSignal): Promise<void> {
    const known = await this.#catalog.find(of.workgroup, of.table);
    const slots = fields.flatMap((field) => known?.n.get(field) ?? []);
    if (slots.length === 0) return;
    const { now, cuts, extents } = await this.#stateOf(of, slots);
    // Readers read all values meanwhile.
    if (cuts.some(({ at }) => at > now - CUT_MS)) return;
    this.#step = 0;
    const today = Math.floor(now / DAY_MS);
    const old = await this.#old(of, extents);
    const all = extents.map((extent) => {
      const cut = Math.max(0, ...cuts.filter(({ at }) => at >= extent.cuts).map(({ day }) => day));
      const since = Math.min(Math.max(extent.since, cut), today);
      // A clock that was set back may hide what was stored meanwhile.
      const isNew = extent.looked === 0 || extent.looked > now || old.has(extent.slot.field);
      return isNew
        ? { ...extent, since: today, until: today, looked: 0 }
        : { ...extent, since, until: Math.max(since, extent.until) };
    });
    const due = all.filter(({ looked, since }) => isForced || since > 0 || now - looked >= LOOK_MS);
    if (due.length === 0) return;
    await this.#renew(of, due, now, signal);
    for (const extent of due) {
      const days = { since: extent.until, until: today };
      for (const chunk of await this.#chunks(of, days))
        await this.#make(of, [extent.slot], chunk, now, signal);
      Object.assign(extent, { until: today, looked: now, cuts: now - CUT_MS });
    }
    await this.#write(of, due, now);
    await this.#build(of, due, now, signal);
  }

  /** Fields of which hours are kept that were made before there was `falls`: they are made again. Looked for until there are none. */
  async #old({ workgroup, table }: Table, extents: readonly Extent[]): Promise<ReadonlySet<string>> {
    const key = JSON.stringify([workgroup, table]);
    if (this.#complete.has(key)) return new Set();
    const kept = extents.filter(({ looked }) => looked > 0);
    const bound = new Bound();
    const fields = bound.add(
      kept.map(({ slot }) => slot.field),
      'Array(String)',
    );
    const since = bound.add(
      kept.map((one) => one.since * 24),
      'Array(UInt32)',
    );
    const rows = await this.#clickhouse.queryRows<[string]>(
      `SELECT DISTINCT field FROM telemetry.chart_hours FINAL
       WHERE workgroup = ${bound.add(workgroup, 'String')} AND tbl = ${bound.add(table, 'String')} AND field IN ${fields}
         AND n > 0 AND falls < 0 AND hour >= arrayElement(${since}, indexOf(${fields}, field))`,
      { params: bound.params, settings: { max_execution_time: 300 } },
    );
    if (rows.length === 0) this.#complete.add(key);
    return new Set(rows.map(([field]) => field));
  }

  /** Makes again what was touched since the last look. */
  async #renew(of: Table, extents: readonly Extent[], now: number, signal?: AbortSignal): Promise<void> {
    const kept = extents.filter(({ looked, since, until }) => looked > 0 && until > since);
    if (kept.length === 0) return;
    const since = Math.min(...kept.map((one) => one.since));
    const until = Math.max(...kept.map((one) => one.until));
    const stored = Math.min(...kept.map(({ looked }) => looked)) - MARGIN_MS;
    const slots = kept.map(({ slot }) => slot);
    for (const chunk of await this.#chunks(of, { since, until }, stored))
      await this.#make(of, slots, chunk, now, signal, stored);
  }

  /** Goes back to the first day that there is, from the newest one on that is not kept. */
  async #build(of: Table, extents: readonly Extent[], now: number, signal?: AbortSignal): Promise<void> {
    for (const since of [...new Set(extents.map((one) => one.since))]) {
      const some = extents.filter((one) => one.since === since && since > 0);
      if (some.length === 0) continue;
      for (const chunk of (await this.#chunks(of, { since: 0, until: since })).reverse()) {
        const slots = some.map(({ slot }) => slot);
        await this.#make(of, slots, { ...chunk, until: some[0]?.since ?? 0 }, now, signal);
        for (const one of some) one.since = chunk.since;
        await this.#write(of, some, now);
      }
      const rest = { since: 0, until: some[0]?.since ?? 0 };
      // Days without events may still have hours of what was deleted.
      await this.#make(
        of,
        some.map(({ slot }) => slot),
        rest,
        now,
        signal,
      );
      for (const one of some) one.since = 0;
      await this.#write(of, some, now);
    }
  }

  async #stateOf(
    { workgroup, table }: Table,
    slots: readonly FieldSlot[],
  ): Promise<{ now: number; cuts: { day: number; at: number }[]; extents: Extent[] }> {
    const params = { workgroup, table };
    const isOf = 'workgroup = {workgroup:String} AND tbl = {table:String}';
    const [row] = await this.#clickhouse.queryRows<
      [string, [number, string][], [string, number, number, string, string][]]
    >(
      `SELECT toUnixTimestamp64Milli(now64(3)),
         (SELECT groupArray((before_day, toUnixTimestamp64Milli(at))) FROM telemetry.forgotten_hours FINAL WHERE ${isOf}),
         (SELECT groupArray((field, since, until, toUnixTimestamp64Milli(looked), toUnixTimestamp64Milli(cuts)))
          FROM telemetry.chart_extents FINAL WHERE ${isOf})`,
      { params },
    );
    const [now, cuts, found] = row ?? ['0', [], []];
    const byField = new Map(found.map(([field, ...extent]) => [field, extent]));
    return {
      now: Number(now),
      cuts: cuts.map(([day, at]) => ({ day, at: Number(at) })),
      extents: slots.map((slot) => {
        const [since, until, looked, read] = byField.get(slot.field) ?? [0, 0, '0', '0'];
        return { slot, since, until, looked: Number(looked), cuts: Number(read) };
      }),
    };
  }

  /** Days that have events, in pieces that are made at once; of those only that were stored since an instant, where one is given. */
  async #chunks(of: Table, { since, until }: Days, stored?: number): Promise<Days[]> {
    if (until <= since) return [];
    const bound = new Bound();
    const where = withinSql(of, { since, until }, bound);
    const rows = await this.#clickhouse.queryRows<[number, string]>(
      `SELECT toUInt16(toDate(event_time)) AS day, count() FROM telemetry.events
       WHERE ${where} ${stored === undefined ? '' : `AND ${touchedSql(of, { since, until }, stored, bound)}`}
       GROUP BY day ORDER BY day`,
      { params: bound.params, settings: { max_execution_time: 300, max_result_rows: 0 } },
    );
    const chunks: (Days & { events: number })[] = [];
    for (const [day, count] of rows) {
      const last = chunks.at(-1);
      const fits = last && day - last.since < DAYS_AT_ONCE && last.events + Number(count) <= EVENTS_AT_ONCE;
      if (fits) Object.assign(last, { until: day + 1, events: last.events + Number(count) });
      else chunks.push({ since: day, until: day + 1, events: Number(count) });
    }
    return chunks;
  }

  /** Reads the events of some days and keeps their hours; those that no longer have a value are kept as empty. */
  async #make(
    of: Table,
    slots: readonly FieldSlot[],
    days: Days,
    now: number,
    signal: AbortSignal | undefined,
    stored?: number,
  ): Promise<void> {
    signal?.throwIfAborted();
    if (days.until <= days.since) return;
    const bound = new Bound();
    const fields = bound.add(
      slots.map(({ field }) => field),
      'Array(String)',
    );
    const values = slots.map((slot, i) => `(${i + 1}, ${slotExpression(slot, bound)})`);
    const touched = (columns: string) =>
      stored === undefined ? '' : `AND ${touchedSql(of, days, stored, bound, columns)}`;
    const hours = `hour >= ${bound.add(days.since * 24, 'UInt32')} AND hour < ${bound.add(days.until * 24, 'UInt32')}`;
    const [workgroup, table] = [bound.add(of.workgroup, 'String'), bound.add(of.table, 'String')];
    const started = performance.now();
    await this.#clickhouse.exec(
      `INSERT INTO telemetry.chart_hours (workgroup, tbl, field, device, source, hour, made, n, total, low, high,
         first_at, last_at, first, last, shift, square, falls)
       SELECT ${workgroup}, ${table}, field, d, source, hour,
         fromUnixTimestamp64Milli(${bound.add(now, 'Int64')}, 'UTC'), n, total, low, high, first_at, last_at, first, last, shift, square, falls
       FROM (
         SELECT arrayElement(${fields}, f) AS field, d, toString(source) AS source, toUInt32(intDiv(t, ${HOUR_MS})) AS hour,
           toUInt32(count()) AS n, sum(v) AS total, min(v) AS low, max(v) AS high, toUInt32(min(o)) AS first_at,
           toUInt32(max(o)) AS last_at, argMin(v, (t, msg_id)) AS first, argMax(v, (t, msg_id)) AS last,
           sum(toFloat64(o)) AS shift, sum(toFloat64(o) * o) AS square,
           arraySort(one -> (one.1, one.2), groupArray((o, msg_id, v))) AS run,
           toInt32(arrayCount((x, y) -> y.3 < x.3, arrayPopBack(run), arrayPopFront(run))) AS falls
         FROM (SELECT device AS d, source, toUnixTimestamp64Milli(event_time) AS t, t % ${HOUR_MS} AS o, msg_id, one.1 AS f,
             assumeNotNull(one.2) AS v
           FROM ${EVENTS} ARRAY JOIN [${values.join(', ')}] AS one
           WHERE ${withinSql(of, days, bound)} AND isNotNull(one.2) ${touched('toDate(event_time), device, source')})
         GROUP BY f, d, source, hour
         UNION ALL
         SELECT field, device, toString(source), hour, toUInt32(0), 0., 0., 0., toUInt32(0), toUInt32(0), 0., 0., 0., 0., [], toInt32(0)
         FROM telemetry.chart_hours FINAL
         WHERE workgroup = ${workgroup} AND tbl = ${table} AND field IN ${fields} AND ${hours} AND n > 0
           ${touched('toDate(toUInt16(intDiv(hour, 24))), device, source')})
       ORDER BY n DESC LIMIT 1 BY field, d, source, hour`,
      { params: bound.params, settings: LONG },
    );
    // As much time is left to others as this took.
    await wait(performance.now() - started, undefined, signal ? { signal } : {});
  }

  async #write({ workgroup, table }: Table, extents: readonly Extent[], now: number): Promise<void> {
    const version = now * 10_000 + this.#step++;
    const lines = extents.map(
      ({ slot, since, until, looked, cuts }) =>
        `${JSON.stringify({ workgroup, tbl: table, field: slot.field, since, until, looked, cuts, version })}\n`,
    );
    await this.#clickhouse.insert(
      'INSERT INTO telemetry.chart_extents FORMAT JSONEachRow',
      Buffer.from(lines.join('')),
    );
  }

  async #dropUnused(): Promise<void> {
    const unused = `(workgroup, tbl, field) NOT IN (SELECT workgroup, tbl, field FROM telemetry.chart_asks FINAL
      WHERE asked + ${UNUSED_DAYS} >= toUInt16(today()))`;
    const [row] = await this.#clickhouse.queryRows<[string]>(
      `SELECT count() FROM telemetry.chart_extents WHERE ${unused}`,
    );
    if (Number(row?.[0] ?? 0) === 0) return;
    for (const name of ['chart_extents', 'chart_hours'])
      await this.#clickhouse.exec(`ALTER TABLE telemetry.${name} DELETE WHERE ${unused}`, {
        settings: { mutations_sync: 2 },
      });
  }
}

/** Events of a table on some days. */
function withinSql({ workgroup, table }: Table, { since, until }: Days, bound: Bound): string {
  const instant = (day: number) => `fromUnixTimestamp64Milli(${bound.add(day * DAY_MS, 'Int64')}, 'UTC')`;
  const day = (at: number) => `toDate(${bound.add(at, 'UInt16')})`;
  return `workgroup = ${bound.add(workgroup, 'String')} AND tbl = ${bound.add(table, 'String')}
    AND event_time >= ${instant(since)} AND event_time < ${instant(until)}
    AND toDate(event_time) >= ${day(since)} AND toDate(event_time) < ${day(until)}`;
}

/** Days of streams in which something was stored since an instant; `columns` say how a day, a device and a source are called. */
function touchedSql(
  of: Table,
  days: Days,
  stored: number,
  bound: Bound,
  columns = 'toDate(event_time), device, source',
): string {
  return `(${columns}) IN (SELECT DISTINCT toDate(event_time), device, source FROM telemetry.events
    WHERE ${withinSql(of, days, bound)}
      AND store_time >= fromUnixTimestamp64Milli(${bound.add(stored, 'Int64')}, 'UTC'))`;
}
