import type { Postgres } from '@albedo/postgres/postgres';
import type { Accounts } from '../accounts/accounts.service.ts';
import type { Attempts } from '../attempts/attempts.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { Config } from '../config/config.ts';
import type { Feature } from '../house/feature.ts';
import type { Mailer } from '../mail/mail.service.ts';
import type { Invites } from '../members/invites.service.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { Staff } from '../users/staff.ts';
import { workgroupRequestsRoutes } from './workgroup-requests.routes.ts';
import { WorkgroupRequests } from './workgroup-requests.service.ts';
import { WorkgroupRequestsStore } from './workgroup-requests.store.ts';
import { workgroupRequestsPart } from './workgroup-requests.tables.ts';

/** Who would like to have a workgroup. */
export function openWorkgroupRequests(of: {
  config: Config;
  postgres: Postgres;
  accounts: Accounts;
  invites: Invites;
  mailer: Mailer;
  audit: Audit;
  attempts: Attempts;
  staff: Staff;
  sockets: Sockets;
  publicUrl: () => string;
}): Feature<WorkgroupRequests> {
  const store = new WorkgroupRequestsStore(of.postgres);
  const requests = new WorkgroupRequests({ ...of, store, tell: of.sockets.tellList });
  return {
    name: 'workgroup-requests',
    service: requests,
    workgroupPart: { tables: workgroupRequestsPart },
    routes: (app) => workgroupRequestsRoutes(app, requests),
  };
}
