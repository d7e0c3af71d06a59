import type { Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import type { Audit } from '../audit/audit.service.ts';
import { hear } from '../bus/bus.ts';
import { apiTokensPart } from '../database/api-tokens.tables.ts';
import type { DeviceGroups } from '../device-groups/device-groups.service.ts';
import type { Feature } from '../house/feature.ts';
import type { Mailer } from '../mail/mail.service.ts';
import { memberMoved } from '../members/members.topics.ts';
import type { Sessions } from '../sessions/sessions.service.ts';
import { apiTokenUsed } from '../sessions/sessions.topics.ts';
import type { Settings } from '../settings/settings.service.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { apiTokensFindings } from './api-tokens.findings.ts';
import { apiTokensRoutes } from './api-tokens.routes.ts';
import { ApiTokens } from './api-tokens.service.ts';
import { ApiTokensStore } from './api-tokens.store.ts';

/** Tokens for programs, which live on the rights of who made them. */
export function openApiTokens(of: {
  postgres: Postgres;
  sessions: Sessions;
  workgroups: Workgroups;
  deviceGroups: DeviceGroups;
  settings: Settings;
  mailer: Mailer;
  audit: Audit;
  sockets: Sockets;
  publicUrl: () => string;
  log: Logger;
}): Feature<ApiTokens> {
  const { postgres, sockets } = of;
  const store = new ApiTokensStore(postgres);
  const apiTokens = new ApiTokens({ ...of, store, tell: sockets.tellList });
  return {
    name: 'api-tokens',
    service: apiTokens,
    workgroupPart: { tables: apiTokensPart },
    findings: [apiTokensFindings(store)],
    hears: [
      hear(apiTokenUsed, (id) => apiTokens.noteUse(id)),
      hear(memberMoved, ({ workgroup, userId }) => apiTokens.endUnbacked({ workgroup, makerId: userId })),
    ],
    routes: (app) => apiTokensRoutes(app, apiTokens),
    jobs: (jobs) => jobs.add(apiTokens.look),
    start: () => apiTokens.start(),
  };
}
