import type { Readable } from 'node:stream';
import type { LatestSource } from '@albedo/contract/devices/devices.schema';
import type { SearchQuery, SearchResult } from '@albedo/contract/telemetry/search.schema';
import type { SeriesPoints, SeriesQuery, TableInfo } from '@albedo/contract/telemetry/telemetry.schema';
import type { DeviceScope } from '../access/device-scope.ts';
import { AppError } from '../errors/app-error.ts';
import type { PageQuery } from './telemetry.page.ts';
import type { TelemetryStore } from './telemetry.store.ts';

/** Whose telemetry, and what of it can be seen. */
export interface View {
  workgroup: string;
  devices: DeviceScope;
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
  async table(table: string): Promise<TableInfo> {
    this.#demand(table);
    return this.store.table(this.view.workgroup, this.view.devices, table);
  }

  /** Throws `table.not_found`, `table.field_unknown`, `search.timed_out`, `search.too_much`. */
  async search(table: string, query: SearchQuery, signal?: AbortSignal): Promise<SearchResult> {
    this.#demand(table);
    return this.store.search(this.view.workgroup, this.view.devices, table, query, signal);
  }

  /** A further page of a search. Throws `search.scroll_expired`, and what `search` throws. */
  async scroll(table: string, id: string, signal?: AbortSignal): Promise<SearchResult> {
    this.#demand(table);
    return this.store.scroll(this.view.workgroup, this.view.devices, table, id, signal);
  }

  /** The records of a search as CSV. Throws what `search` throws, before the first record. */
  async csv(table: string, query: SearchQuery, signal?: AbortSignal): Promise<Readable> {
    this.#demand(table);
    return this.store.csv(this.view.workgroup, this.view.devices, table, query, signal);
  }

  /** Throws `table.not_found`, `table.field_unknown`, `search.timed_out`, `search.too_much`. */
  async series(query: SeriesQuery, signal?: AbortSignal): Promise<SeriesPoints[]> {
    for (const { table } of query.series) this.#demand(table);
    return this.store.series(this.view.workgroup, this.view.devices, query, signal);
  }

  /** The newest values of every source of a device, by table and source. */
  async latest(device: string, signal?: AbortSignal): Promise<LatestSource[]> {
    const { workgroup, devices, sees } = this.view;
    const all = await this.store.latest(workgroup, devices, device, signal);
    return all.filter(({ table }) => sees(table));
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
