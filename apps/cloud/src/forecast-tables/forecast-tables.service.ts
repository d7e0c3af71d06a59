import { CLOUD_TABLES } from '@albedo/contract/telemetry/telemetry.schema';
import type { Manager } from '../access/manager.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { Bus } from '../bus/bus.ts';
import { AppError } from '../errors/app-error.ts';
import type { ForecastTablesStore } from './forecast-tables.store.ts';
import { forecastTablesChanged } from './forecast-tables.topics.ts';

export { FUTURE_MS, hasTimeOfArrival, withGoodTimes } from './event-times.ts';

export interface ForecastTablesOptions {
  store: ForecastTablesStore;
  audit: Audit;
  bus: Bus;
}

/** Which tables may hold values of the future. Asked for every batch that comes in, so all of them are in memory. */
export class ForecastTables {
  readonly #options: ForecastTablesOptions;
  readonly #tables = new Map<string, ReadonlySet<string>>();

  constructor(options: ForecastTablesOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    for (const [workgroup, rows] of Map.groupBy(await this.#options.store.all(), (row) => row.workgroup))
      this.#tables.set(workgroup, new Set(rows.map(({ table }) => table)));
  }

  has(workgroup: string, table: string): boolean {
    return this.#tables.get(workgroup)?.has(table) ?? false;
  }

  /** Has those of a workgroup read again, after this process or another one changed them. */
  async reload(workgroup: string): Promise<void> {
    this.#tables.set(workgroup, new Set(await this.#options.store.list(workgroup)));
  }

  /** Also of a table that is still to come. Throws `data_table.system`. */
  async set(workgroup: string, table: string, holdsForecasts: boolean, by: Manager): Promise<void> {
    if (CLOUD_TABLES.has(table)) throw new AppError('data_table.system', { table });
    const { store, audit, bus } = this.#options;
    if (!(await store.set(workgroup, table, holdsForecasts))) return;
    audit.record({
      ...{ workgroup, at: Date.now(), controller: 'data-table', entity: table, action: 'update' },
      ...{ attribute: 'forecasts', oldValue: String(!holdsForecasts), newValue: String(holdsForecasts) },
      ...{ by: by.email, address: by.address },
    });
    await bus.publish(forecastTablesChanged, { workgroup });
  }
}
