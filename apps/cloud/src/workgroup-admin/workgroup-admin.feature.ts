import type { Postgres } from '@albedo/postgres/postgres';
import type { Feature } from '../house/feature.ts';
import { workgroupAdminRoutes } from './workgroup-admin.routes.ts';
import { WorkgroupAdmin, type WorkgroupAdminOptions } from './workgroup-admin.service.ts';
import { WorkgroupAdminStore } from './workgroup-admin.store.ts';

type Parts = Omit<WorkgroupAdminOptions, 'store' | 'staffDomains' | 'roles'>;

/** What the staff do with workgroups and users as a whole. */
export function openWorkgroupAdmin(
  of: Parts & { config: { staffDomains: string[]; roles: ReadonlySet<string> }; postgres: Postgres },
): Feature<WorkgroupAdmin> {
  const { config, postgres } = of;
  const admin = new WorkgroupAdmin({
    ...of,
    store: new WorkgroupAdminStore(postgres),
    staffDomains: config.staffDomains,
    roles: [...config.roles],
  });
  return {
    name: 'workgroup-admin',
    service: admin,
    routes: (app) => workgroupAdminRoutes(app, admin),
    start: () => {
      if (config.roles.has('api')) admin.start();
    },
    stop: () => admin.stop(),
  };
}
