import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { LatestSource } from '@albedo/contract/devices/devices.schema';
import type { LatestValue } from '@albedo/contract/latest-values/latest-values.schema';
import type { SearchQuery, SearchResult } from '@albedo/contract/telemetry/search.schema';
import { SEARCH_ROWS } from '@albedo/contract/telemetry/search.schema';
import type { FormulaText, SeriesKey, SeriesPoints } from '@albedo/contract/telemetry/telemetry.schema';
import { ALL_DEVICES, type DeviceScope } from '../access/device-scope.ts';
import { type BucketPoints, type BucketQuery, readBuckets } from './telemetry.buckets.ts';
import type { TableFields } from './telemetry.catalog.ts';
import { ChartHours } from './telemetry.chart-hours.ts';
import { type CsvHow, csvOf } from './telemetry.csv.ts';
import { type DaySlots, type DaySlotsQuery, readDaySlots } from './telemetry.day-slots.ts';
import { readAll } from './telemetry.export.ts';
import { type FileFormat, fileOf } from './telemetry.file.ts';
import { checkFormula } from './telemetry.formula.ts';
import { type EventInOrder, inOrder } from './telemetry.in-order.ts';
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
import { countNewly, type NewlyQuery, readNewly } from './telemetry.newly.ts';
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
import { RecentDays } from './telemetry.recent-days.ts';
import { seesSeries } from './telemetry.scope.ts';
import { Scrolls } from './telemetry.scroll.ts';
import { continueSearch, search } from './telemetry.search.ts';
import { readSeries, type SeriesAsked } from './telemetry.series.ts';
import { StoredFields, type TelemetryOptions } from './telemetry.stored-fields.ts';
import { countBefore, readMonths, readUsage, type Usage } from './telemetry.usage.ts';
import type { SearchScope } from './telemetry.where.ts';
import type { WindowsQuery, WindowValues } from './telemetry.windows.ts';

/**
 * What is asked about events. Every method takes the workgroup from the checked scope of a request, and the devices that
 * exist for who asks.
 */
export class StoredQuestions extends StoredFields {
  readonly #recentDays = new RecentDays();
  readonly #chartHours = new ChartHours(this.clickhouse);
  readonly #scrolls: Scrolls;

  constructor(options: TelemetryOptions) {
    super(options);
    this.#scrolls = new Scrolls(options.scrollSecret ?? randomBytes(32));
  }

  /** The newest values of every source of a device, by table and source. */
  latest(
    workgroup: string,
    scope: DeviceScope,
    device: string,
    signal?: AbortSignal,
  ): Promise<LatestSource[]> {
    return asked(() => readLatest(this.clickhouse, this.catalog, workgroup, scope, device, signal));
  }

  /** The newest values of every source of every device that the scope has, in some tables. */
  latestIn(
    workgroup: string,
    scope: DeviceScope,
    tables: readonly string[],
    signal?: AbortSignal,
  ): Promise<LatestOfDevice[]> {
    return asked(() => readLatestIn(this.clickhouse, this.catalog, workgroup, scope, tables, signal));
  }

  /** The newest value of a field in every source that the scope has. Throws `table.not_found`, `table.field_unknown`. */
  async latestOf(
    workgroup: string,
    devices: DeviceScope,
    table: string,
    field: string,
    signal?: AbortSignal,
  ): Promise<LatestValue[]> {
    const fields = await this.fieldsOf(workgroup, devices, table);
    const of = { clickhouse: this.clickhouse, workgroup, devices, table, fields };
    return asked(() => readLatestOf(of, field, signal));
  }

  /** What is stored of every device, for the health list when the cloud starts. */
  facts(now: number): Promise<Map<string, StoredFacts>> {
    return asked(() => readFacts(this.clickhouse, this.catalog, now));
  }

  /** `who` can go on with its scroll. Throws `table.not_found`, `table.field_unknown`, `search.timed_out`, `search.too_much`. */
  async search(
    workgroup: string,
    scope: DeviceScope,
    table: string,
    query: SearchQuery,
    signal?: AbortSignal,
    who = '',
  ): Promise<SearchResult> {
    const { rows = SEARCH_ROWS.default, scroll } = query;
    const of = await this.#searchScope(workgroup, scope, table, query, signal);
    const { result, next } = await asked(() => search(of, rows));
    if (!scroll || next === null) return result;
    const { totalRecords } = result;
    const further = { table, query: of.query, rows, from: next, totalRecords };
    return { ...result, scroll_id: this.#scrolls.idOf(further, { workgroup, who }) };
  }

  /** A further page. Throws `search.scroll_expired`, and what `search` throws. */
  async scroll(
    workgroup: string,
    scope: DeviceScope,
    table: string,
    id: string,
    signal?: AbortSignal,
    who = '',
  ): Promise<SearchResult> {
    const page = this.#scrolls.read(id, table, { workgroup, who });
    const of = await this.#searchScope(workgroup, scope, table, page.query, signal);
    const { result, next } = await asked(() => continueSearch(of, page));
    if (next === null) return result;
    const further = { ...page, query: of.query, from: next };
    return { ...result, scroll_id: this.#scrolls.idOf(further, { workgroup, who }) };
  }

  /** The records of a search as CSV; `rows` of them, or ten million. Throws what `search` throws, before the first. */
  async csv(
    workgroup: string,
    scope: DeviceScope,
    table: string,
    query: SearchQuery,
    signal?: AbortSignal,
    how?: CsvHow,
  ): Promise<Readable> {
    return csvOf(await this.#searchScope(workgroup, scope, table, query, signal), query.rows, how);
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

  /** The events of a search in the order of their times, source by source. Throws what `search` throws. */
  async *inOrder(
    workgroup: string,
    scope: DeviceScope,
    table: string,
    query: SearchQuery,
    fields: readonly string[],
    signal?: AbortSignal,
  ): AsyncGenerator<EventInOrder[]> {
    yield* inOrder(await this.#searchScope(workgroup, scope, table, query, signal), fields);
  }

  async #searchScope(
    workgroup: string,
    devices: DeviceScope,
    table: string,
    query: SearchQuery,
    signal: AbortSignal | undefined,
  ): Promise<SearchScope> {
    const fields = await this.fieldsOf(workgroup, devices, table);
    const clickhouse = this.clickhouse;
    return { clickhouse, workgroup, devices, table, fields, query: resolveQuery(query), signal };
  }

  /** Throws `table.not_found`, `table.field_unknown`, `search.timed_out`, `search.too_much`. */
  series(
    workgroup: string,
    scope: DeviceScope,
    query: SeriesAsked,
    signal?: AbortSignal,
  ): Promise<SeriesPoints[]> {
    const find = (table: string, field?: string) => this.find(workgroup, scope, table, field);
    const sees = (key: SeriesKey) => seesSeries(scope, key);
    const of = { clickhouse: this.clickhouse, hours: this.#chartHours, workgroup, find, sees, signal };
    return asked(() => readSeries(of, query));
  }

  /** The unit of a formula. Throws as `series` does, and `request.invalid` with the character at fault. */
  async formulaUnit(workgroup: string, scope: DeviceScope, formula: FormulaText): Promise<string> {
    const find = (table: string, field?: string) => this.find(workgroup, scope, table, field);
    return (await asked(() => checkFormula(formula, find))).unit;
  }

  /** Series of many streams in equal steps; those that the scope does not have are empty. Throws `search.timed_out`. */
  async buckets(
    workgroup: string,
    scope: DeviceScope,
    query: BucketQuery,
    signal?: AbortSignal,
  ): Promise<BucketPoints[]> {
    await this.catalog.refresh();
    const slotOf = (key: SeriesKey) =>
      seesSeries(scope, key) ? this.catalog.table(workgroup, key.table)?.n.get(key.field) : undefined;
    return asked(() => readBuckets(this.clickhouse, slotOf, workgroup, query, signal));
  }

  /** What windows over some streams are made of. Throws `table.not_found`, `search.timed_out`, `search.too_much`. */
  async pieces(
    workgroup: string,
    scope: DeviceScope,
    query: PiecesQuery,
    signal?: AbortSignal,
  ): Promise<StreamPieces[]> {
    const fields = await this.fieldsOf(workgroup, scope, query.table);
    const of = { clickhouse: this.clickhouse, workgroup, devices: scope, fields };
    return asked(() => readPieces(of, query, signal));
  }

  /** Throws `table.not_found`, `table.field_unknown`, `request.invalid`, `search.timed_out`, `search.too_much`. */
  async windows(
    workgroup: string,
    scope: DeviceScope,
    query: WindowsQuery,
    signal?: AbortSignal,
  ): Promise<WindowValues[]> {
    const fields = await this.fieldsOf(workgroup, scope, query.table);
    const others = new Map<string, TableFields>();
    for (const { table } of query.during?.streams ?? [])
      if (table !== query.table) others.set(table, await this.fieldsOf(workgroup, scope, table));
    const of = { clickhouse: this.clickhouse, workgroup, devices: scope, fields, others };
    return asked(() => readWindowsOrDays({ ...of, recent: this.#recentDays }, query, signal));
  }

  /** Fields of streams in slots of days. Throws `table.not_found`, `request.invalid`, `search.timed_out`. */
  async daySlots(
    workgroup: string,
    scope: DeviceScope,
    query: DaySlotsQuery,
    signal?: AbortSignal,
  ): Promise<DaySlots[]> {
    const fields = await this.fieldsOf(workgroup, scope, query.table);
    const of = { clickhouse: this.clickhouse, workgroup, devices: scope, fields };
    return asked(() => readDaySlots(of, query, signal));
  }

  /** How much a table holds of each month. */
  months(workgroup: string, scope: DeviceScope, table: string) {
    return asked(() => readMonths(this.clickhouse, { workgroup, scope, table }));
  }

  /** How many events of a table were stored in each minute of a span (epoch minutes). */
  countNewly(query: NewlyQuery, signal?: AbortSignal): Promise<Map<number, number>> {
    return asked(() => countNewly(this.clickhouse, query, signal));
  }

  /** The first events of a table that were stored within a span, and their sources. */
  async newly(query: NewlyQuery & { sources: number; rows: number }, signal?: AbortSignal) {
    const fields = await this.catalog.find(query.workgroup, query.table);
    if (!fields) return { sources: [], rows: [] };
    return asked(() => readNewly(this.clickhouse, { ...query, fields }, signal));
  }

  /** How many events of sources came late. */
  late(workgroup: string, devices: DeviceScope, query: LateQuery, signal?: AbortSignal): Promise<LateOf[]> {
    return asked(() => readLate({ clickhouse: this.clickhouse, workgroup, devices }, query, signal));
  }

  /** The streams of a table with their numeric fields. Throws `table.not_found`. */
  async streams(
    workgroup: string,
    scope: DeviceScope,
    table: string,
    signal?: AbortSignal,
  ): Promise<(StreamOf & { fields: string[] })[]> {
    const fields = await this.fieldsOf(workgroup, scope, table);
    const of = { clickhouse: this.clickhouse, workgroup, devices: scope, fields };
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
    const fields = await this.fieldsOf(workgroup, scope, table);
    const clickhouse = this.clickhouse;
    return asked(() => readPage({ clickhouse, workgroup, devices: scope, table, fields }, query, signal));
  }

  /** The different texts of a field. Throws `table.not_found`. */
  async texts(workgroup: string, scope: DeviceScope, table: string, field: string): Promise<string[]> {
    const fields = await this.fieldsOf(workgroup, scope, table);
    const clickhouse = this.clickhouse;
    return asked(() => readTexts({ clickhouse, workgroup, devices: scope, table, fields }, field));
  }

  /** Every event of one table, in pieces and for as long as somebody takes them. Throws `table.not_found`. */
  async *everything(
    workgroup: string,
    table: string,
    signal?: AbortSignal,
  ): AsyncGenerator<Record<string, string | number | null>[]> {
    const fields = await this.fieldsOf(workgroup, ALL_DEVICES, table);
    yield* readAll(this.clickhouse, { workgroup, table, fields }, signal);
  }

  /** What the events of these tables take, of the devices that the scope has. */
  usage(workgroup: string, scope: DeviceScope, tables: readonly string[]): Promise<Usage> {
    return asked(() => readUsage(this.clickhouse, workgroup, scope, tables));
  }

  /** How many events of these tables are older than an instant (epoch ms), by table and month. */
  countBefore(workgroup: string, scope: DeviceScope, tables: readonly string[], before: number) {
    return asked(() => countBefore(this.clickhouse, { workgroup, scope, tables, before }));
  }
}
