import type { Postgres } from '@albedo/postgres/postgres';
import type { Audit } from '../audit/audit.service.ts';
import { type Bus, hear } from '../bus/bus.ts';
import type { Feature } from '../house/feature.ts';
import { workgroupChanged } from '../workgroups/workgroups.topics.ts';
import { ForecastTables } from './forecast-tables.service.ts';
import { ForecastTablesStore } from './forecast-tables.store.ts';
import { forecastTablesPart } from './forecast-tables.tables.ts';
import { forecastTablesChanged } from './forecast-tables.topics.ts';

/** Tables of prices, weather and schedules, whose values stand at their own times. Opened before anything comes in. */
export function openForecastTables(of: {
  postgres: Postgres;
  audit: Audit;
  bus: Bus;
}): Feature<ForecastTables> {
  const tables = new ForecastTables({ ...of, store: new ForecastTablesStore(of.postgres) });
  return {
    name: 'forecast-tables',
    service: tables,
    workgroupPart: { tables: forecastTablesPart },
    hears: [
      hear(forecastTablesChanged, ({ workgroup }) => tables.reload(workgroup)),
      // One that is deleted leaves nothing to another one with its name.
      hear(workgroupChanged, ({ workgroup }) => tables.reload(workgroup)),
    ],
    start: () => tables.start(),
  };
}
