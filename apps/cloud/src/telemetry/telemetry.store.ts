import type { Readable } from 'node:stream';
import type { ClickHouse } from '@albedo/clickhouse/client';
import type { LatestSource } from '@albedo/contract/devices/devices.schema';
import type { SearchQuery, SearchResult } from '@albedo/contract/telemetry/search.schema';
import { SEARCH_ROWS } from '@albedo/contract/telemetry/search.schema';
import type {
  SeriesKey,
  SeriesPoints,
  SeriesQuery,
  TableInfo,
} from '@albedo/contract/telemetry/telemetry.schema';
import { ALL_DEVICES, type DeviceScope } from '../access/device-scope.ts';
import { AppError } from '../errors/app-error.ts';
import type { TelemetryBlock } from './telemetry.blocks.ts';
import { type Exclusively, FieldCatalog, type TableFields } from './telemetry.catalog.ts';
import { csvOf } from './telemetry.csv.ts';
import { encodeBlocks } from './telemetry.encode.ts';
import { readAll } from './telemetry.export.ts';
import { readFacts, readLatest, type StoredFacts } from './telemetry.latest.ts';
import { type PageQuery, readPage, readTexts } from './telemetry.page.ts';
import { resolveQuery } from './telemetry.query.ts';
import { asked } from './telemetry.reading.ts';
import { makeTables } from './telemetry.schema-sql.ts';
import { seesSeries, tablesOf, VisibleFields } from './telemetry.scope.ts';
import { readScrollId, scrollId } from './telemetry.scroll.ts';
import { continueSearch, search } from './telemetry.search.ts';
import { readSeries } from './telemetry.series.ts';
import { readStoredSince, type StoredRun } from './telemetry.stored.ts';
import { readTableInfo } from './telemetry.table-info.ts';
import type { SearchScope } from './telemetry.where.ts';

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

/** Events of a block may lie in any number of months; the engine's own limit would refuse it. */
const INSERT_SETTINGS = { max_partitions_per_insert_block: 0 };

/** Tables of the engine that hold something of workgroups. */
export const TELEMETRY_TABLES = ['events', 'latest', 'fields'] as const;

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

  /** The newest values of every source of a device, by table and source. */
  latest(
    workgroup: string,
    scope: DeviceScope,
    device: string,
    signal?: AbortSignal,
  ): Promise<LatestSource[]> {
    return asked(() => readLatest(this.#clickhouse, this.#catalog, workgroup, scope, device, signal));
  }

  /** What is stored of every device, for the health list when the cloud starts. */
  facts(now: number): Promise<Map<string, StoredFacts>> {
    return asked(() => readFacts(this.#clickhouse, this.#catalog, now));
  }

  /** Names of the tables that hold data of the workgroup, of the devices that the scope has. */
  async tables(workgroup: string, scope: DeviceScope): Promise<string[]> {
    await this.#catalog.refresh();
    const all = this.#catalog.tables(workgroup);
    if (scope.isAll) return all;
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
    query: SeriesQuery,
    signal?: AbortSignal,
  ): Promise<SeriesPoints[]> {
    const find = (table: string, field?: string) => this.#find(workgroup, scope, table, field);
    const sees = (key: SeriesKey) => seesSeries(scope, key);
    return asked(() => readSeries(this.#clickhouse, find, sees, workgroup, query, signal));
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
