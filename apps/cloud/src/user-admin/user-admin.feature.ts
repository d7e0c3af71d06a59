import type { Postgres } from '@albedo/postgres/postgres';
import type { Accounts } from '../accounts/accounts.service.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { Config } from '../config/config.ts';
import type { Feature } from '../house/feature.ts';
import type { Sessions } from '../sessions/sessions.service.ts';
import { userAdminRoutes } from './user-admin.routes.ts';
import { UserAdmin } from './user-admin.service.ts';
import { UserAdminStore } from './user-admin.store.ts';

/** What the staff do with the users of all workgroups. */
export function openUserAdmin(of: {
  config: Config;
  postgres: Postgres;
  sessions: Sessions;
  accounts: Accounts;
  audit: Audit;
}): Feature<UserAdmin> {
  const { staffDomains } = of.config;
  const admin = new UserAdmin({ ...of, store: new UserAdminStore(of.postgres), staffDomains });
  return { name: 'user-admin', service: admin, routes: (app) => userAdminRoutes(app, admin) };
}
