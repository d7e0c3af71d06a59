import type { Readable } from 'node:stream';
import type { ClickHouse } from '@albedo/clickhouse/client';
import type { LatestSource } from '@albedo/contract/devices/devices.schema';
import type { LatestValue } from '@albedo/contract/latest-values/latest-values.api';
import type { BatchRow } from '@albedo/contract/link/link.messages';
import type { SearchQuery, SearchResult } from '@albedo/contract/telemetry/search.schema';
import { SEARCH_ROWS } from '@albedo/contract/telemetry/search.schema';
import type {
  FormulaText,
  SeriesKey,
  SeriesPoints,
  TableInfo,
} from '@albedo/contract/telemetry/telemetry.schema';
import { ALL_DEVICES, type DeviceScope } from '../access/device-scope.ts';
import { AppError } from '../errors/app-error.ts';
import type { FieldSlot, TelemetryBlock } from './telemetry.blocks.ts';
import { type BucketPoints, type BucketQuery, readBuckets } from './telemetry.buckets.ts';
import { type Exclusively, FieldCatalog, type TableFields } from './telemetry.catalog.ts';
import { fieldList } from './telemetry.columns.ts';
import { csvOf } from './telemetry.csv.ts';
import { Days } from './telemetry.days.ts';
import { encodeBlocks } from './telemetry.encode.ts';
import { readAll } from './telemetry.export.ts';
import { type FileFormat, fileOf } from './telemetry.file.ts';
import { checkFormula } from './telemetry.formula.ts';
import { readHeld } from './telemetry.held.ts';
import {
  forgetNumbered,
  type NumberedStream,
  type NumberRange,
  readInstants,
  readNumbered,
  readSpans,
} from './telemetry.history.ts';
import { readWindowsOrDays } from './telemetry.kept-windows.ts';
import { type LateOf, type LateQuery, readLate } from './telemetry.late.ts';
import {
  type LatestOfDevice,
  readFacts,
  readLatest,
  readLatestIn,
  readLatestOf,
  type StoredFacts,
} from './telemetry.latest.ts';
import { type PageQuery, readPage, readTexts } from './telemetry.page.ts';
import {
  type PiecesQuery,
  readPieces,
  readStreams,
  type StreamOf,
  type StreamPieces,
} from './telemetry.pieces.ts';
import { resolveQuery } from './telemetry.query.ts';
import { asked } from './telemetry.reading.ts';
import { makeTables } from './telemetry.schema-sql.ts';
import { seesSeries, tablesOf, VisibleFields } from './telemetry.scope.ts';
import { readScrollId, scrollId } from './telemetry.scroll.ts';
import {
  countSince,
  type Deletion,
  groupAfter,
  noteDeletion,
  readDeletions,
  readGroup,
  type ScrubGroup,
  type StreamCount,
} from './telemetry.scrub.ts';
import { continueSearch, search } from './telemetry.search.ts';
import { readSeries, type SeriesAsked } from './telemetry.series.ts';
import { readStoredSince, type StoredRun } from './telemetry.stored.ts';
import { readTableInfo } from './telemetry.table-info.ts';
import { readTouched, type Touched } from './telemetry.touched.ts';
import { deleteEvents, hasEventsBefore, readUsage, type Usage } from './telemetry.usage.ts';
import type { SearchScope } from './telemetry.where.ts';
import type { WindowsQuery, WindowValues } from './telemetry.windows.ts';

/** The part of a logger that is used here; pino's fits. */
interface Log {
  info(facts: object, message: string): void;
}

export interface TelemetryOptions {
  clickhouse: ClickHouse;
  log: Log;
  /** Guards the assignment of new fields; several writing processes need a lock that they share. */
  exclusively?: Exclusively | undefined;
}

/** A field with one of the types that it was sent with. */
export type FieldType = Pick<FieldSlot, 'field' | 'type' | 'units'>;

/** Events of a block may lie in any number of months; the engine's own limit would refuse it. */
const INSERT_SETTINGS = { max_partitions_per_insert_block: 0 };

/** Units of fields, by table and field. */
export type FieldUnits = ReadonlyMap<string, ReadonlyMap<string, string | null>>;

/** Tables of the engine that hold something of workgroups. */
export const TELEMETRY_TABLES = ['events', 'latest', 'fields', 'deletions', 'days', 'day_looks'] as const;

/**
 * The events of all workgroups. Every method takes the workgroup from the checked scope of a request, and every read
 * the devices that exist for who asks.
 *
 * Names of tables and fields come from devices: they are data here and never part of a statement.
 */
export class TelemetryStore {
  readonly #clickhouse: ClickHouse;
  readonly #catalog: FieldCatalog;
  readonly #visibleFields: VisibleFields;
  readonly #log: Log;
  readonly #inserts = new Set<Promise<void>>();

  constructor({ clickhouse, log, exclusively }: TelemetryOptions) {
    this.#clickhouse = clickhouse;
    this.#log = log;
    this.#catalog = new FieldCatalog(clickhouse, exclusively);
    this.#visibleFields = new VisibleFields(clickhouse);
  }

  async start(): Promise<void> {
    await makeTables(this.#clickhouse);
    await this.#catalog.load();
    this.#log.info({ workgroups: [...this.#catalog.workgroups].length }, 'telemetry is open');
  }

  /** Waits for inserts in hand. The connection belongs to the code that opened it. */
  async stop(): Promise<void> {
    await Promise.allSettled(this.#inserts);
  }

  /** Throws when the store does not answer. */
  ping(): Promise<void> {
    return this.#clickhouse.ping();
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
    await this.#catalog.ensure(filled);
    const data = encodeBlocks(
      filled,
      ({ workgroup, stream }) => this.#catalog.table(workgroup, stream.table) as TableFields,
      Date.now(),
    );
    await this.#clickhouse.insert('INSERT INTO telemetry.events FORMAT JSONEachRow', data, {
      token,
      settings: INSERT_SETTINGS,
    });
  }

  /** Of the rows of a block, those that are stored under their number, with the same time and the same values. */
  async held(block: TelemetryBlock): Promise<Set<BatchRow>> {
    const fields = await this.#catalog.find(block.workgroup, block.stream.table);
    return fields ? readHeld(this.#clickhouse, block, fields) : new Set();
  }

  /** The instants of a block at which its stream has events with other numbers than those of the range, epoch ms. */
  instants(block: TelemetryBlock, range: NumberRange): Promise<Set<number>> {
    return readInstants(this.#clickhouse, block, range);
  }

  /** The first and last instant at which the streams of a table have events with other numbers than those of the range. */
  spans(
    workgroup: string,
    table: string,
    range: NumberRange,
  ): Promise<Omit<NumberedStream, 'table' | 'events'>[]> {
    return readSpans(this.#clickhouse, workgroup, table, range);
  }

  /** The streams of a workgroup that have events with numbers of the range. */
  numbered(workgroup: string, range: NumberRange): Promise<NumberedStream[]> {
    return readNumbered(this.#clickhouse, workgroup, range);
  }

  /** Deletes the events with numbers of the range, which these streams have. May be repeated. */
  async forgetNumbered(
    workgroup: string,
    range: NumberRange,
    streams: readonly Pick<NumberedStream, 'device' | 'table' | 'source'>[],
  ): Promise<void> {
    await forgetNumbered(this.#clickhouse, workgroup, range, streams);
    const days = new Days(this.#clickhouse);
    for (const table of new Set(streams.map((one) => one.table))) await days.forget(workgroup, table);
  }

  /** The newest values of every source of a device, by table and source. */
  latest(
    workgroup: string,
    scope: DeviceScope,
    device: string,
    signal?: AbortSignal,
  ): Promise<LatestSource[]> {
    return asked(() => readLatest(this.#clickhouse, this.#catalog, workgroup, scope, device, signal));
  }

  /** The newest values of every source of every device that the scope has, in some tables. */
  latestIn(
    workgroup: string,
    scope: DeviceScope,
    tables: readonly string[],
    signal?: AbortSignal,
  ): Promise<LatestOfDevice[]> {
    return asked(() => readLatestIn(this.#clickhouse, this.#catalog, workgroup, scope, tables, signal));
  }

  /** The fields of every table of the workgroup with their units, whoever sent them: not for eyes, but for reading values. */
  async units(workgroup: string): Promise<FieldUnits> {
    await this.#catalog.refresh();
    const tables = this.#catalog.tables(workgroup).map((table) => {
      const fields = this.#catalog.table(workgroup, table);
      return [
        table,
        new Map(fields ? fieldList(fields).map(({ name, units }) => [name, units]) : []),
      ] as const;
    });
    return new Map(tables);
  }

  /** The newest value of a field in every source that the scope has. Throws `table.not_found`, `table.field_unknown`. */
  async latestOf(
    workgroup: string,
    devices: DeviceScope,
    table: string,
    field: string,
    signal?: AbortSignal,
  ): Promise<LatestValue[]> {
    const fields = await this.#fields(workgroup, devices, table);
    const of = { clickhouse: this.#clickhouse, workgroup, devices, table, fields };
    return asked(() => readLatestOf(of, field, signal));
  }

  /** What is stored of every device, for the health list when the cloud starts. */
  facts(now: number): Promise<Map<string, StoredFacts>> {
    return asked(() => readFacts(this.#clickhouse, this.#catalog, now));
  }

  /** Names of the tables that hold data of the workgroup, of the devices that the scope has. */
  async tables(workgroup: string, scope: DeviceScope): Promise<string[]> {
    await this.#catalog.refresh();
    const all = this.#catalog.tables(workgroup);
    const visible = await asked(() => tablesOf(this.#clickhouse, workgroup, scope));
    return all.filter((table) => visible.has(table));
  }

  /** Throws `table.not_found`. */
  async table(workgroup: string, scope: DeviceScope, table: string): Promise<TableInfo> {
    await this.#catalog.refresh();
    const fields = await this.#fields(workgroup, scope, table);
    return asked(() =>
      readTableInfo({ clickhouse: this.#clickhouse, workgroup, devices: scope, table, fields }),
    );
  }

  /** Throws `table.not_found`, `table.field_unknown`, `search.timed_out`, `search.too_much`. */
  async search(
    workgroup: string,
    scope: DeviceScope,
    table: string,
    query: SearchQuery,
    signal?: AbortSignal,
  ): Promise<SearchResult> {
    const { rows = SEARCH_ROWS.default, scroll } = query;
    const of = await this.#searchScope(workgroup, scope, table, query, signal);
    const { result, next } = await asked(() => search(of, rows));
    if (!scroll || next === null) return result;
    const { totalRecords } = result;
    return { ...result, scroll_id: scrollId({ table, query: of.query, rows, from: next, totalRecords }) };
  }

  /** A further page. Throws `search.scroll_expired`, and what `search` throws. */
  async scroll(
    workgroup: string,
    scope: DeviceScope,
    table: string,
    id: string,
    signal?: AbortSignal,
  ): Promise<SearchResult> {
    const page = readScrollId(id, table);
    const of = await this.#searchScope(workgroup, scope, table, page.query, signal);
    const { result, next } = await asked(() => continueSearch(of, page));
    if (next === null) return result;
    return { ...result, scroll_id: scrollId({ ...page, query: of.query, from: next }) };
  }

  /** The records of a search as CSV; `rows` of them, or ten million. Throws what `search` throws, before the first. */
  async csv(
    workgroup: string,
    scope: DeviceScope,
    table: string,
    query: SearchQuery,
    signal?: AbortSignal,
  ): Promise<Readable> {
    return csvOf(await this.#searchScope(workgroup, scope, table, query, signal), query.rows);
  }

  /** The records of a search as a file of the engine, ten million at most. Throws what `search` throws. */
  async file(
    workgroup: string,
    scope: DeviceScope,
    table: string,
    query: SearchQuery,
    format: FileFormat,
    signal?: AbortSignal,
  ): Promise<Readable> {
    const of = await this.#searchScope(workgroup, scope, table, query, signal);
    return asked(() => fileOf(of, format));
  }

  async #searchScope(
    workgroup: string,
    devices: DeviceScope,
    table: string,
    query: SearchQuery,
    signal: AbortSignal | undefined,
  ): Promise<SearchScope> {
    const fields = await this.#fields(workgroup, devices, table);
    const clickhouse = this.#clickhouse;
    return { clickhouse, workgroup, devices, table, fields, query: resolveQuery(query), signal };
  }

  /** Throws `table.not_found`, `table.field_unknown`, `search.timed_out`, `search.too_much`. */
  series(
    workgroup: string,
    scope: DeviceScope,
    query: SeriesAsked,
    signal?: AbortSignal,
  ): Promise<SeriesPoints[]> {
    const find = (table: string, field?: string) => this.#find(workgroup, scope, table, field);
    const sees = (key: SeriesKey) => seesSeries(scope, key);
    const clickhouse = this.#clickhouse;
    return asked(() => readSeries({ clickhouse, workgroup, find, sees, signal }, query));
  }

  /** The unit of a formula. Throws as `series` does, and `request.invalid` with the character at fault. */
  async formulaUnit(workgroup: string, scope: DeviceScope, formula: FormulaText): Promise<string> {
    const find = (table: string, field?: string) => this.#find(workgroup, scope, table, field);
    return (await asked(() => checkFormula(formula, find))).unit;
  }

  /** Series of many streams in equal steps; those that the scope does not have are empty. Throws `search.timed_out`. */
  async buckets(
    workgroup: string,
    scope: DeviceScope,
    query: BucketQuery,
    signal?: AbortSignal,
  ): Promise<BucketPoints[]> {
    await this.#catalog.refresh();
    const slotOf = (key: SeriesKey) =>
      seesSeries(scope, key) ? this.#catalog.table(workgroup, key.table)?.n.get(key.field) : undefined;
    return asked(() => readBuckets(this.#clickhouse, slotOf, workgroup, query, signal));
  }

  /** What windows over some streams are made of. Throws `table.not_found`, `search.timed_out`, `search.too_much`. */
  async pieces(
    workgroup: string,
    scope: DeviceScope,
    query: PiecesQuery,
    signal?: AbortSignal,
  ): Promise<StreamPieces[]> {
    const fields = await this.#fields(workgroup, scope, query.table);
    const of = { clickhouse: this.#clickhouse, workgroup, devices: scope, fields };
    return asked(() => readPieces(of, query, signal));
  }

  /** Throws `table.not_found`, `table.field_unknown`, `request.invalid`, `search.timed_out`, `search.too_much`. */
  async windows(
    workgroup: string,
    scope: DeviceScope,
    query: WindowsQuery,
    signal?: AbortSignal,
  ): Promise<WindowValues[]> {
    const fields = await this.#fields(workgroup, scope, query.table);
    const of = { clickhouse: this.#clickhouse, workgroup, devices: scope, fields };
    return asked(() => readWindowsOrDays(of, query, signal));
  }

  /** How many events of sources came late. */
  late(workgroup: string, devices: DeviceScope, query: LateQuery, signal?: AbortSignal): Promise<LateOf[]> {
    return asked(() => readLate({ clickhouse: this.#clickhouse, workgroup, devices }, query, signal));
  }

  /** The streams of a table with their numeric fields. Throws `table.not_found`. */
  async streams(
    workgroup: string,
    scope: DeviceScope,
    table: string,
    signal?: AbortSignal,
  ): Promise<(StreamOf & { fields: string[] })[]> {
    const fields = await this.#fields(workgroup, scope, table);
    const of = { clickhouse: this.#clickhouse, workgroup, devices: scope, fields };
    return asked(() => readStreams(of, table, signal));
  }

  /** Events of one table, newest first, from one of them on. Throws `table.not_found`, `search.timed_out`. */
  async page(
    workgroup: string,
    scope: DeviceScope,
    table: string,
    query: PageQuery,
    signal?: AbortSignal,
  ): Promise<Record<string, string | number | null>[]> {
    const fields = await this.#fields(workgroup, scope, table);
    const clickhouse = this.#clickhouse;
    return asked(() => readPage({ clickhouse, workgroup, devices: scope, table, fields }, query, signal));
  }

  /** The different texts of a field. Throws `table.not_found`. */
  async texts(workgroup: string, scope: DeviceScope, table: string, field: string): Promise<string[]> {
    const fields = await this.#fields(workgroup, scope, table);
    const clickhouse = this.#clickhouse;
    return asked(() => readTexts({ clickhouse, workgroup, devices: scope, table, fields }, field));
  }

  /** Every event of one table, in pieces and for as long as somebody takes them. Throws `table.not_found`. */
  async *everything(
    workgroup: string,
    table: string,
    signal?: AbortSignal,
  ): AsyncGenerator<Record<string, string | number | null>[]> {
    const fields = await this.#fields(workgroup, ALL_DEVICES, table);
    yield* readAll(this.#clickhouse, { workgroup, table, fields }, signal);
  }

  /** Those of the workgroups of which anything is stored. */
  async stored(workgroups: string[]): Promise<string[]> {
    if (workgroups.length === 0) return [];
    const rows = await this.#clickhouse.queryRows<[string]>(
      TELEMETRY_TABLES.map(
        (table) =>
          `SELECT DISTINCT workgroup FROM telemetry.${table} WHERE workgroup IN {workgroups:Array(String)}`,
      ).join(' UNION DISTINCT '),
      { params: { workgroups } },
    );
    return rows.map(([workgroup]) => workgroup);
  }

  /** Deletes everything of a workgroup; resolves when nothing of it can be read any more. */
  async forgetWorkgroup(workgroup: string): Promise<void> {
    for (const table of TELEMETRY_TABLES) {
      await this.#clickhouse.exec(
        `ALTER TABLE telemetry.${table} DELETE WHERE workgroup = {workgroup:String}`,
        { params: { workgroup }, settings: { mutations_sync: 2 } },
      );
    }
    this.#catalog.forgetWorkgroup(workgroup);
  }

  /** What the events of these tables take, of the devices that the scope has. */
  usage(workgroup: string, scope: DeviceScope, tables: readonly string[]): Promise<Usage> {
    return asked(() => readUsage(this.#clickhouse, workgroup, scope, tables));
  }

  /** The fields of a table with the types that were sent; a field of two types stands twice. Throws `table.not_found`. */
  async fieldTypes(workgroup: string, scope: DeviceScope, table: string): Promise<FieldType[]> {
    const { n, s } = await this.#fields(workgroup, scope, table);
    return [...n.values(), ...s.values()].filter(({ field }) => field !== '');
  }

  /**
   * Deletes events of a table, all of them or those before an instant (epoch ms). Its fields keep their columns, for what
   * devices still send.
   */
  async deleteEvents(workgroup: string, table: string, before?: number): Promise<void> {
    if (before !== undefined && !(await hasEventsBefore(this.#clickhouse, { workgroup, table, before })))
      return;
    const until = before === undefined ? {} : { before };
    // First, so that nobody who counts takes what is deleted for lost.
    await noteDeletion(this.#clickhouse, { workgroup, table, before: before ?? null, at: Date.now() });
    await deleteEvents(this.#clickhouse, { workgroup, table, ...until });
    await new Days(this.#clickhouse).forget(workgroup, table);
  }

  /** The events of one table and day after those of `last`, in the order of the store; null at its end. */
  groupAfter(last: ScrubGroup | null): Promise<ScrubGroup | null> {
    return groupAfter(this.#clickhouse, last);
  }

  /** Reads every value of them and counts the events of each stream. Throws where something cannot be read. */
  readGroup(group: ScrubGroup): Promise<StreamCount[]> {
    return readGroup(this.#clickhouse, group);
  }

  /** Events of each stream (`device\ntable\nsource`) that were stored since an instant, epoch ms. */
  countSince(at: number): Promise<Map<string, number>> {
    return countSince(this.#clickhouse, at);
  }

  /** What was deleted on purpose. */
  deletions(): Promise<Deletion[]> {
    return readDeletions(this.#clickhouse);
  }

  /** Quarters of an hour in which something was stored since an instant (epoch ms), stream by stream. */
  touchedSince(workgroup: string, at: number, signal?: AbortSignal): Promise<Touched[]> {
    return asked(() => readTouched(this.#clickhouse, workgroup, at, signal));
  }

  /** Version of the engine. */
  async engineVersion(): Promise<string> {
    const [row] = await this.#clickhouse.queryRows<[string]>('SELECT version()');
    return row?.[0] ?? 'unknown';
  }

  /**
   * What was stored since an instant (epoch ms), stream by stream; long ones come in pieces. Of the devices of these
   * shards of the device link, or of all.
   */
  storedSince(at: number, shards: readonly string[] | null = null): AsyncIterable<StoredRun> {
    return readStoredSince(this.#clickhouse, at, shards);
  }

  async #find(
    workgroup: string,
    scope: DeviceScope,
    table: string,
    field?: string,
  ): Promise<TableFields | null> {
    const all = await this.#catalog.find(workgroup, table, field);
    return all && this.#visibleFields.of(workgroup, scope, table, all);
  }

  async #fields(workgroup: string, scope: DeviceScope, table: string): Promise<TableFields> {
    const fields = await asked(() => this.#find(workgroup, scope, table));
    if (!fields) throw new AppError('table.not_found', { table });
    return fields;
  }
}
