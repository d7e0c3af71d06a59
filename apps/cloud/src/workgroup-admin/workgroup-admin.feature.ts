import type { Postgres } from '@albedo/postgres/postgres';
import type { Audit } from '../audit/audit.service.ts';
import type { Bus } from '../bus/bus.ts';
import type { Config } from '../config/config.ts';
import type { DataTables } from '../data-tables/data-tables.service.ts';
import type { Feature } from '../house/feature.ts';
import type { House } from '../house/house.ts';
import type { Jobs } from '../jobs/jobs.service.ts';
import type { LongActions } from '../long-actions/long-actions.service.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import { workgroupAdminRoutes } from './workgroup-admin.routes.ts';
import { WorkgroupAdmin } from './workgroup-admin.service.ts';
import { WorkgroupAdminStore } from './workgroup-admin.store.ts';
import { workgroupWork } from './workgroup-work.ts';

/** What the staff do with workgroups as a whole: it walks over what the features of the house have of them. */
export function openWorkgroupAdmin(of: {
  config: Config;
  postgres: Postgres;
  house: House;
  audit: Audit;
  sockets: Sockets;
  bus: Bus;
  jobs: Jobs;
  longActions: LongActions;
  storage: DataTables;
}): Feature<WorkgroupAdmin> {
  const { postgres, house } = of;
  const store = new WorkgroupAdminStore(postgres);
  const parts = () => house.workgroupParts;
  const work = workgroupWork({ ...of, store, parts });
  const admin = new WorkgroupAdmin({ ...of, store, parts, work });
  return {
    name: 'workgroup-admin',
    service: admin,
    routes: (app) => workgroupAdminRoutes(app, admin),
    jobs: (jobs) => jobs.add(work.sweeping),
  };
}
