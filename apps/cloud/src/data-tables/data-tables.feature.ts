import type { Postgres } from '@albedo/postgres/postgres';
import type { Audit } from '../audit/audit.service.ts';
import type { ForecastTables } from '../forecast-tables/forecast-tables.service.ts';
import type { Feature } from '../house/feature.ts';
import type { LongActions } from '../long-actions/long-actions.service.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { retentionJob, tableRemoval } from './data-tables.jobs.ts';
import { dataTablesRoutes } from './data-tables.routes.ts';
import { DataTables } from './data-tables.service.ts';
import { DataTablesStore } from './data-tables.store.ts';
import { dataTablesPart } from './data-tables.tables.ts';
import { Drops } from './drops.service.ts';
import { DropsStore } from './drops.store.ts';

/** The tables of telemetry as an administrator sees them: fields, size, retention, deletion. */
export function openDataTables(of: {
  postgres: Postgres;
  telemetry: Telemetry;
  audit: Audit;
  longActions: LongActions;
  forecasts: ForecastTables;
  workgroups: Workgroups;
}): Feature<DataTables> {
  const { postgres, telemetry, audit, longActions, forecasts, workgroups } = of;
  const store = new DataTablesStore(postgres);
  const dropsStore = new DropsStore(postgres);
  const isOpen = (action: string) => longActions.isOpen(action);
  const removing = tableRemoval({ telemetry, store: dropsStore, audit, isOpen });
  longActions.add(removing);
  const drops = new Drops({ store: dropsStore, audit, longActions, removing });
  const tables = new DataTables({ store, audit, drops, forecasts, workgroups });
  return {
    name: 'data-tables',
    service: tables,
    workgroupPart: { tables: dataTablesPart },
    routes: (app) => dataTablesRoutes(app, { tables, drops, telemetry }),
    jobs: (jobs) => jobs.add(retentionJob({ telemetry, store, drops: dropsStore, audit, isOpen })),
  };
}
