import type { Readable } from 'node:stream';
import type { LatestSource } from '@albedo/contract/devices/devices.schema';
import type { LatestValue } from '@albedo/contract/latest-values/latest-values.schema';
import type { SearchQuery, SearchResult } from '@albedo/contract/telemetry/search.schema';
import type { FormulaText, SeriesPoints, TableInfo } from '@albedo/contract/telemetry/telemetry.schema';
import type { DeviceScope } from '../access/device-scope.ts';
import { AppError } from '../errors/app-error.ts';
import type { BucketPoints, BucketQuery } from './telemetry.buckets.ts';
import { readCombined } from './telemetry.combined.ts';
import type { CsvHow } from './telemetry.csv.ts';
import type { DaySlots, DaySlotsQuery } from './telemetry.day-slots.ts';
import type { FileFormat } from './telemetry.file.ts';
import type { EventInOrder } from './telemetry.in-order.ts';
import type { LateOf, LateQuery } from './telemetry.late.ts';
import type { LatestOfDevice } from './telemetry.latest.ts';
import type { PageQuery } from './telemetry.page.ts';
import type { PiecesQuery, StreamOf, StreamPieces } from './telemetry.pieces.ts';
import type { SeriesAsked } from './telemetry.series.ts';
import type { FieldType, FieldUnits, TelemetryStore } from './telemetry.store.ts';
import type { Usage } from './telemetry.usage.ts';
import type { WindowsQuery, WindowValues } from './telemetry.windows.ts';

/** Whose telemetry, and what of it can be seen. */
export interface View {
  workgroup: string;
  devices: DeviceScope;
  /** The user or the API token that asks; without one nobody can go on with a scroll. */
  who?: string | undefined;
  sees(table: string): boolean;
}

/**
 * What one reader can see of a workgroup. Throws `request.forbidden` for a table that needs a permission which the
 * reader lacks; devices that they do not see count as if they did not exist.
 */
export class TelemetryReader {
  protected readonly store: TelemetryStore;
  protected readonly view: View;

  constructor(store: TelemetryStore, view: View) {
    this.store = store;
    this.view = view;
  }

  get workgroup(): string {
    return this.view.workgroup;
  }

  /** Names of the tables that hold visible events. */
  async tables(): Promise<string[]> {
    const { workgroup, devices, sees } = this.view;
    return (await this.store.tables(workgroup, devices)).filter(sees);
  }

  /** Throws `table.not_found`. */
  async table(table: string, wish: { typesOnly?: boolean } = {}): Promise<TableInfo> {
    this.#demand(table);
    return this.store.table(this.view.workgroup, this.view.devices, table, wish);
  }

  /** What the visible events take. */
  async usage(): Promise<Usage> {
    return this.store.usage(this.view.workgroup, this.view.devices, await this.tables());
  }

  /** How many events of these tables are older than an instant (epoch ms), by table and month. Throws `table.not_found`. */
  async countBefore(tables: readonly string[], before: number) {
    for (const table of tables) this.#demand(table);
    return this.store.countBefore(this.view.workgroup, this.view.devices, tables, before);
  }

  /** How much a table holds of each month, oldest first. Throws `request.forbidden`. */
  async months(table: string) {
    this.#demand(table);
    return this.store.months(this.view.workgroup, this.view.devices, table);
  }

  /** The fields of a table with the types that were sent; a field of two types stands twice. Throws `table.not_found`. */
  async fieldTypes(table: string): Promise<FieldType[]> {
    this.#demand(table);
    return this.store.fieldTypes(this.view.workgroup, this.view.devices, table);
  }

  /** Throws `table.not_found`, `table.field_unknown`, `search.timed_out`, `search.too_much`. */
  async search(table: string, query: SearchQuery, signal?: AbortSignal): Promise<SearchResult> {
    this.#demand(table);
    const { workgroup, devices, who } = this.view;
    return this.store.search(workgroup, devices, table, query, signal, who);
  }

  /** A further page of a search. Throws `search.scroll_expired`, and what `search` throws. */
  async scroll(table: string, id: string, signal?: AbortSignal): Promise<SearchResult> {
    this.#demand(table);
    const { workgroup, devices, who } = this.view;
    return this.store.scroll(workgroup, devices, table, id, signal, who);
  }

  /** The records of a search as CSV. Throws what `search` throws, before the first record. */
  async csv(table: string, query: SearchQuery, signal?: AbortSignal, how?: CsvHow): Promise<Readable> {
    this.#demand(table);
    return this.store.csv(this.view.workgroup, this.view.devices, table, query, signal, how);
  }

  /** The events of a search in the order of their times, source by source. Throws what `search` throws. */
  inOrder(
    table: string,
    query: SearchQuery,
    fields: readonly string[],
    signal?: AbortSignal,
  ): AsyncGenerator<EventInOrder[]> {
    this.#demand(table);
    return this.store.inOrder(this.view.workgroup, this.view.devices, table, query, fields, signal);
  }

  /** The records of a search as a file that the engine writes. Throws what `search` throws. */
  async file(table: string, query: SearchQuery, format: FileFormat, signal?: AbortSignal): Promise<Readable> {
    this.#demand(table);
    return this.store.file(this.view.workgroup, this.view.devices, table, query, format, signal);
  }

  /** Throws `table.not_found`, `table.field_unknown`, `search.timed_out`, `search.too_much`. */
  async series(query: SeriesAsked, signal?: AbortSignal): Promise<SeriesPoints[]> {
    const { combined = [], ...plain } = query;
    const { series, formulas = [], ...range } = plain;
    const inputs = formulas.flatMap((one) => one.inputs);
    for (const { table } of [...series, ...inputs, ...combined.flatMap(({ streams }) => streams)])
      this.#demand(table);
    const ask = (asked: SeriesAsked) =>
      this.store.series(this.view.workgroup, this.view.devices, asked, signal);
    const [points, together] = await Promise.all([
      series.length + formulas.length > 0 ? ask(plain) : [],
      readCombined(ask, combined, range),
    ]);
    return [...points, ...together];
  }

  /** The unit of a formula. Throws as `series` does, and `request.invalid` with the character at fault. */
  async formulaUnit(formula: FormulaText): Promise<string> {
    for (const { table } of formula.inputs) this.#demand(table);
    return this.store.formulaUnit(this.view.workgroup, this.view.devices, formula);
  }

  /** The newest value of a field in every visible source. Throws `table.not_found`, `table.field_unknown`. */
  async latestOf(table: string, field: string, signal?: AbortSignal): Promise<LatestValue[]> {
    this.#demand(table);
    return this.store.latestOf(this.view.workgroup, this.view.devices, table, field, signal);
  }

  /** The newest values of every source of a device, by table and source. */
  async latest(device: string, signal?: AbortSignal): Promise<LatestSource[]> {
    const { workgroup, devices, sees } = this.view;
    const all = await this.store.latest(workgroup, devices, device, signal);
    return all.filter(({ table }) => sees(table));
  }

  /** The newest values of every source of every device, in those of the tables that are open to the reader. */
  latestIn(tables: readonly string[], signal?: AbortSignal): Promise<LatestOfDevice[]> {
    const { workgroup, devices, sees } = this.view;
    return this.store.latestIn(workgroup, devices, tables.filter(sees), signal);
  }

  /** Series of many streams in equal steps, in the order asked for. Throws `search.timed_out`. */
  async buckets(query: BucketQuery, signal?: AbortSignal): Promise<BucketPoints[]> {
    for (const { table } of query.series) this.#demand(table);
    return this.store.buckets(this.view.workgroup, this.view.devices, query, signal);
  }

  /** What windows over some streams are made of. Throws `table.not_found`, `search.timed_out`, `search.too_much`. */
  async pieces(query: PiecesQuery, signal?: AbortSignal): Promise<StreamPieces[]> {
    this.#demand(query.table);
    return this.store.pieces(this.view.workgroup, this.view.devices, query, signal);
  }

  /**
   * What an operator makes of streams of one table in calendar intervals, with counts and coverage. Throws
   * `table.not_found`, `table.field_unknown`, `request.invalid`, `search.timed_out`, `search.too_much`.
   */
  async windows(query: WindowsQuery, signal?: AbortSignal): Promise<WindowValues[]> {
    this.#demand(query.table);
    for (const { table } of query.during?.streams ?? []) this.#demand(table);
    return this.store.windows(this.view.workgroup, this.view.devices, query, signal);
  }

  /** Fields of streams in slots of days, for what computes days. Throws `table.not_found`, `search.timed_out`. */
  async daySlots(query: DaySlotsQuery, signal?: AbortSignal): Promise<DaySlots[]> {
    this.#demand(query.table);
    return this.store.daySlots(this.view.workgroup, this.view.devices, query, signal);
  }

  /** How many events of sources were stored more than an hour after they were measured. Throws `search.timed_out`. */
  async late(query: LateQuery, signal?: AbortSignal): Promise<LateOf[]> {
    this.#demand(query.table);
    return this.store.late(this.view.workgroup, this.view.devices, query, signal);
  }

  /** The streams of a table with their numeric fields. Throws `table.not_found`. */
  async streams(table: string, signal?: AbortSignal): Promise<(StreamOf & { fields: string[] })[]> {
    this.#demand(table);
    return this.store.streams(this.view.workgroup, this.view.devices, table, signal);
  }

  /**
   * Units of the fields of all tables, for reading values that are visible. It names fields of hidden devices too, so
   * it is never part of an answer.
   */
  units(): Promise<FieldUnits> {
    return this.store.units(this.view.workgroup);
  }

  /** Events of one table, newest first, from one of them on. Throws `table.not_found`, `search.timed_out`. */
  async page(
    table: string,
    query: PageQuery,
    signal?: AbortSignal,
  ): Promise<Record<string, string | number | null>[]> {
    this.#demand(table);
    return this.store.page(this.view.workgroup, this.view.devices, table, query, signal);
  }

  /** The different texts of a field. Throws `table.not_found`. */
  async texts(table: string, field: string): Promise<string[]> {
    this.#demand(table);
    return this.store.texts(this.view.workgroup, this.view.devices, table, field);
  }

  #demand(table: string): void {
    if (!this.view.sees(table)) throw new AppError('request.forbidden', { table });
  }
}

/** Everything of a workgroup, for what the cloud itself does. */
export class WholeWorkgroup extends TelemetryReader {
  /** Every event of one table, in pieces and for as long as somebody takes them. Throws `table.not_found`. */
  everything(table: string, signal?: AbortSignal): AsyncGenerator<Record<string, string | number | null>[]> {
    return this.store.everything(this.view.workgroup, table, signal);
  }
}
