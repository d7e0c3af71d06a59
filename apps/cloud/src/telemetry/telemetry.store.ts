import type { Readable } from 'node:stream';
import type { BatchRow } from '@albedo/contract/link/link.messages';
import type { TelemetryBlock } from './telemetry.blocks.ts';
import type { TableFields } from './telemetry.catalog.ts';
import { forgetAllHours, forgetHours } from './telemetry.chart-hours.ts';
import { Days } from './telemetry.days.ts';
import { DaysRenewal } from './telemetry.days-renewal.ts';
import { encodeBlocks } from './telemetry.encode.ts';
import { readHeld, readHeldAhead } from './telemetry.held.ts';
import {
  forgetNumbered,
  forgetOthers,
  type NumberedStream,
  type NumberRange,
  putBack,
  readInstants,
  readNumbered,
  readOthers,
  readSpans,
  renewLatest,
  type Stretch,
  takeOthers,
} from './telemetry.history.ts';
import { HoursKeeper } from './telemetry.hours-keeper.ts';
import {
  brokenParts,
  type DetachedPart,
  damageOf,
  listParts,
  type StorePart,
  setAsidePart,
} from './telemetry.parts.ts';
import { asked } from './telemetry.reading.ts';
import { makeTables } from './telemetry.schema-sql.ts';
import {
  countSince,
  type Deletion,
  groupAfter,
  noteDeletedMonth,
  noteDeletion,
  readDeletions,
  readGroup,
  type ScrubGroup,
  type StreamCount,
} from './telemetry.scrub.ts';
import { readStoredSince, type StoredRun } from './telemetry.stored.ts';
import { StoredQuestions } from './telemetry.stored-questions.ts';
import {
  type Beside,
  readPauses,
  readTouched,
  readTouchedDevices,
  type SourceSpan,
  type Touched,
  type TouchedDevice,
} from './telemetry.touched.ts';
import {
  countSpan,
  deleteEvents,
  deleteSpan,
  hasEventsBefore,
  type MonthSpan,
  streamsUntil,
} from './telemetry.usage.ts';

export type { FieldType, FieldUnits } from './telemetry.stored-fields.ts';

/** Events of a block may lie in any number of months; the engine's own limit would refuse it. */
const INSERT_SETTINGS = { max_partitions_per_insert_block: 0 };

/** Tables of the engine that hold something of workgroups. */
export const TELEMETRY_TABLES = [
  'events',
  'latest',
  'fields',
  'deletions',
  'days',
  'day_looks',
  'chart_hours',
  'chart_extents',
  'chart_asks',
  'forgotten_hours',
  'deleted_months',
] as const;

/**
 * The events of all workgroups. Every method takes the workgroup from the checked scope of a request, and every read
 * the devices that exist for who asks.
 *
 * Names of tables and fields come from devices: they are data here and never part of a statement.
 */
export class TelemetryStore extends StoredQuestions {
  readonly #inserts = new Set<Promise<void>>();
  /** The same one every time: it remembers what it has looked through. */
  readonly #hoursKeeper = new HoursKeeper(this.clickhouse, this.catalog);
  readonly #daysRenewal = new DaysRenewal(this.clickhouse, this.catalog);

  async start(): Promise<void> {
    await makeTables(this.clickhouse);
    await this.catalog.load();
    this.log.info({ workgroups: [...this.catalog.workgroups].length }, 'telemetry is open');
  }

  /** Waits for inserts in hand. The connection belongs to the code that opened it. */
  async stop(): Promise<void> {
    await Promise.allSettled(this.#inserts);
  }

  /** Throws when the store does not answer. */
  ping(): Promise<void> {
    return this.clickhouse.ping();
  }

  /**
   * Stores blocks; resolves when they are durable. All or nothing, and the same token twice is stored once, so a
   * failed call is repeated as it was until it succeeds. Throws `RefusedBlocks` for blocks that can never be stored.
   */
  async insert(blocks: TelemetryBlock[], token: string): Promise<void> {
    const insert = this.#insert(blocks, token);
    this.#inserts.add(insert);
    try {
      await insert;
    } finally {
      this.#inserts.delete(insert);
    }
  }

  async #insert(blocks: readonly TelemetryBlock[], token: string): Promise<void> {
    const filled = blocks.filter(({ rows }) => rows.length > 0);
    if (filled.length === 0) return;
    await this.catalog.ensure(filled);
    const data = encodeBlocks(
      filled,
      ({ workgroup, stream }) => this.catalog.table(workgroup, stream.table) as TableFields,
      Date.now(),
    );
    await this.clickhouse.insert('INSERT INTO telemetry.events FORMAT JSONEachRow', data, {
      token,
      settings: INSERT_SETTINGS,
    });
  }

  /**
   * Those rows of a block that are stored already: under the same number, with the same time and values, or at the time of
   * their arrival where they came too far ahead.
   */
  async held(block: TelemetryBlock): Promise<Set<BatchRow>> {
    const fields = await this.catalog.find(block.workgroup, block.stream.table);
    if (!fields) return new Set();
    const held = await readHeld(this.clickhouse, block, fields);
    const rest = { ...block, rows: block.rows.filter((row) => !held.has(row)) };
    return new Set([...held, ...(await readHeldAhead(this.clickhouse, rest, fields))]);
  }

  /** The instants of a block at which its stream has events with other numbers than those of the range, epoch ms. */
  instants(block: TelemetryBlock, range: NumberRange): Promise<Set<number>> {
    return readInstants(this.clickhouse, block, range);
  }

  /** The first and last instant at which the streams of a table have events with other numbers than those of the range. */
  spans(
    workgroup: string,
    table: string,
    range: NumberRange,
  ): Promise<Omit<NumberedStream, 'table' | 'events'>[]> {
    return readSpans(this.clickhouse, workgroup, table, range);
  }

  /** The streams of a workgroup that have events with numbers of the range. */
  numbered(workgroup: string, range: NumberRange): Promise<NumberedStream[]> {
    return readNumbered(this.clickhouse, workgroup, range);
  }

  /** Deletes the events with numbers of the range, which these streams have. May be repeated. */
  async forgetNumbered(
    workgroup: string,
    range: NumberRange,
    streams: readonly Pick<NumberedStream, 'device' | 'table' | 'source'>[],
  ): Promise<void> {
    await this.#changing(workgroup, streams, () =>
      forgetNumbered(this.clickhouse, workgroup, range, streams),
    );
  }

  /** What lies in stretches with numbers of the cloud that are none of the range, and the ranges of its numbers. */
  others(
    workgroup: string,
    range: NumberRange,
    stretches: readonly Stretch[],
  ): Promise<{ events: number; ranges: NumberRange[] }> {
    return readOthers(this.clickhouse, workgroup, range, stretches);
  }

  /** The same as the engine has it, to be put back. */
  takeOthers(workgroup: string, range: NumberRange, stretches: readonly Stretch[]): AsyncGenerator<Readable> {
    return takeOthers(this.clickhouse, workgroup, range, stretches);
  }

  /** Deletes the same. May be repeated. */
  async forgetOthers(workgroup: string, range: NumberRange, stretches: readonly Stretch[]): Promise<void> {
    await this.#changing(workgroup, stretches, () =>
      forgetOthers(this.clickhouse, workgroup, range, stretches),
    );
  }

  /** Puts events of these streams back, in pieces of whole lines as they were taken out. May be repeated. */
  async putBack(
    workgroup: string,
    streams: readonly Pick<NumberedStream, 'device' | 'table' | 'source'>[],
    pieces: AsyncIterable<Buffer>,
  ): Promise<void> {
    await this.#changing(workgroup, streams, async () => {
      for await (const lines of pieces) await putBack(this.clickhouse, lines);
      await renewLatest(this.clickhouse, workgroup, streams);
    });
  }

  /** What was derived of the tables of these streams goes, before and after they change. */
  async #changing(
    workgroup: string,
    streams: readonly Pick<NumberedStream, 'table'>[],
    change: () => Promise<void>,
  ): Promise<void> {
    const tables = new Set(streams.map((one) => one.table));
    for (const table of tables) await forgetHours(this.clickhouse, { workgroup, table });
    await change();
    const days = new Days(this.clickhouse);
    for (const table of tables) {
      await days.forget(workgroup, table);
      await forgetHours(this.clickhouse, { workgroup, table });
    }
  }

  /** Those of the workgroups of which anything is stored. */
  async stored(workgroups: string[]): Promise<string[]> {
    if (workgroups.length === 0) return [];
    const rows = await this.clickhouse.queryRows<[string]>(
      TELEMETRY_TABLES.map(
        (table) =>
          `SELECT DISTINCT workgroup FROM telemetry.${table} WHERE workgroup IN {workgroups:Array(String)}`,
      ).join(' UNION DISTINCT '),
      { params: { workgroups } },
    );
    return rows.map(([workgroup]) => workgroup);
  }

  /** Names of the workgroups that have events of a table. */
  async workgroupsOf(table: string): Promise<string[]> {
    const sql = 'SELECT DISTINCT workgroup FROM telemetry.events WHERE tbl = {table:String}';
    const rows = await this.clickhouse.queryRows<[string]>(sql, { params: { table } });
    return rows.map(([workgroup]) => workgroup);
  }

  /** Deletes everything of a workgroup; resolves when nothing of it can be read any more. */
  async forgetWorkgroup(workgroup: string): Promise<void> {
    for (const table of TELEMETRY_TABLES) {
      await this.clickhouse.exec(
        `ALTER TABLE telemetry.${table} DELETE WHERE workgroup = {workgroup:String}`,
        { params: { workgroup }, settings: { mutations_sync: 2 } },
      );
    }
    this.catalog.forgetWorkgroup(workgroup);
  }

  /**
   * Deletes events of a table, all or those before an instant (epoch ms), except months that stay. Its fields keep their
   * columns, for what devices still send. With `isAgain`, after an attempt that was cut off, derived data and the newest values
   * are corrected even if no event is left.
   */
  async deleteEvents(
    workgroup: string,
    table: string,
    before?: number,
    { except = [], isAgain = false }: { except?: readonly MonthSpan[]; isAgain?: boolean } = {},
  ): Promise<void> {
    if (
      !isAgain &&
      before !== undefined &&
      !(await hasEventsBefore(this.clickhouse, { workgroup, table, before, except }))
    )
      return;
    const until = { ...(before === undefined ? {} : { before }), except };
    // First, so that deleted events are not counted as lost.
    await noteDeletion(this.clickhouse, { workgroup, table, before: before ?? null, except, at: Date.now() });
    await forgetHours(this.clickhouse, { workgroup, table, before });
    await deleteEvents(this.clickhouse, { workgroup, table, ...until });
    if (before !== undefined && (isAgain || except.length > 0))
      await this.#renewLatest(workgroup, table, before);
    await new Days(this.clickhouse).forget(workgroup, table);
    await forgetHours(this.clickhouse, { workgroup, table, before });
  }

  /**
   * Deletes the events of a month, or only those that devices sent, and returns how many there were. May be repeated: derived
   * data and the newest values are right afterwards, wherever an earlier attempt was cut off.
   */
  async deleteMonth(
    workgroup: string,
    table: string,
    month: MonthSpan,
    { isSentOnly = false, isAgain = false } = {},
  ): Promise<number> {
    const of = { workgroup, table, month, isSentOnly };
    const events = await countSpan(this.clickhouse, of);
    if (events === 0 && isSentOnly && !isAgain) return 0;
    // First, so that deleted events are not counted as lost.
    await noteDeletedMonth(this.clickhouse, { workgroup, table, monthAt: month.from, at: Date.now() });
    await forgetHours(this.clickhouse, { workgroup, table, before: month.to });
    await deleteSpan(this.clickhouse, of);
    await this.#renewLatest(workgroup, table, month.to);
    await new Days(this.clickhouse).forget(workgroup, table);
    await forgetHours(this.clickhouse, { workgroup, table, before: month.to });
    return events;
  }

  /** After deleting what is before an instant (epoch ms), if something older stayed. */
  async #renewLatest(workgroup: string, table: string, at: number): Promise<void> {
    const streams = await streamsUntil(this.clickhouse, { workgroup, table, at });
    await renewLatest(this.clickhouse, workgroup, streams);
  }

  /** Makes what is kept for charts of long ranges, and again what another rule made; one process does so at a time. */
  async keepHours(signal?: AbortSignal, isForced = false): Promise<void> {
    await this.#hoursKeeper.keep(signal, isForced);
    await this.#daysRenewal.run(signal);
  }

  listParts(): Promise<StorePart[]> {
    return listParts(this.clickhouse);
  }

  brokenParts(): Promise<DetachedPart[]> {
    return brokenParts(this.clickhouse);
  }

  damageOf(part: StorePart): Promise<string | null> {
    return damageOf(this.clickhouse, part);
  }

  async setAsidePart(part: StorePart): Promise<{ saved: number; lost: number }> {
    await forgetAllHours(this.clickhouse);
    const counts = await setAsidePart(this.clickhouse, part);
    await forgetAllHours(this.clickhouse);
    return counts;
  }

  /** The events of one table and day after those of `last`, in the order of the store; null at its end. */
  groupAfter(last: ScrubGroup | null): Promise<ScrubGroup | null> {
    return groupAfter(this.clickhouse, last);
  }

  /** Reads every value of them and counts the events of each stream. Throws where something cannot be read. */
  readGroup(group: ScrubGroup): Promise<StreamCount[]> {
    return readGroup(this.clickhouse, group);
  }

  /** Events of each stream (`device\ntable\nsource`) that were stored since an instant, epoch ms. */
  countSince(at: number): Promise<Map<string, number>> {
    return countSince(this.clickhouse, at);
  }

  /** What was deleted on purpose. */
  deletions(): Promise<Deletion[]> {
    return readDeletions(this.clickhouse);
  }

  /** Quarters of an hour in which something was stored since an instant (epoch ms), stream by stream. */
  touchedSince(workgroup: string, at: number, signal?: AbortSignal): Promise<Touched[]> {
    return asked(() => readTouched(this.clickhouse, workgroup, at, signal));
  }

  /** Of sources, each with one stretch of time, those beside which nothing was read for a day, with what was read next to that. */
  pausesBeside(workgroup: string, spans: readonly SourceSpan[], signal?: AbortSignal): Promise<Beside[]> {
    return asked(() => readPauses(this.clickhouse, workgroup, spans, signal));
  }

  /** The same by device, in stretches of `stepMs`. */
  touchedDevices(
    workgroup: string,
    of: { since: number; stepMs: number },
    signal?: AbortSignal,
  ): Promise<TouchedDevice[]> {
    return asked(() => readTouchedDevices(this.clickhouse, workgroup, of, signal));
  }

  /** Version of the engine. */
  async engineVersion(): Promise<string> {
    const [row] = await this.clickhouse.queryRows<[string]>('SELECT version()');
    return row?.[0] ?? 'unknown';
  }

  /**
   * What was stored since an instant (epoch ms), stream by stream; long ones come in pieces. Of the devices of these
   * shards of the device link, or of all.
   */
  storedSince(at: number, shards: readonly string[] | null = null): AsyncIterable<StoredRun> {
    return readStoredSince(this.clickhouse, at, shards);
  }
}
