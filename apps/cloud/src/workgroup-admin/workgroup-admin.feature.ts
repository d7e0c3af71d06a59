import type { Postgres } from '@albedo/postgres/postgres';
import type { Feature } from '../house/feature.ts';
import { workgroupAdminRoutes } from './workgroup-admin.routes.ts';
import { WorkgroupAdmin, type WorkgroupAdminOptions } from './workgroup-admin.service.ts';
import { WorkgroupAdminStore } from './workgroup-admin.store.ts';
import { type WorkgroupWorkOptions, workgroupWork } from './workgroup-work.ts';

type Parts = Omit<WorkgroupAdminOptions, 'store' | 'work' | 'staffDomains' | 'roles'> &
  Omit<WorkgroupWorkOptions, 'store'>;

/** What the staff do with workgroups and users as a whole. */
export function openWorkgroupAdmin(
  of: Parts & { config: { staffDomains: string[]; roles: ReadonlySet<string> }; postgres: Postgres },
): Feature<WorkgroupAdmin> {
  const { config, postgres } = of;
  const store = new WorkgroupAdminStore(postgres);
  const work = workgroupWork({ ...of, store });
  const admin = new WorkgroupAdmin({
    ...of,
    store,
    work,
    staffDomains: config.staffDomains,
    roles: [...config.roles],
  });
  return {
    name: 'workgroup-admin',
    service: admin,
    routes: (app) => workgroupAdminRoutes(app, admin),
    jobs: (jobs) => jobs.add(work.sweeping),
  };
}
