import type { Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import type { Attempts } from '../attempts/attempts.ts';
import type { Audit } from '../audit/audit.service.ts';
import { type Bus, hear } from '../bus/bus.ts';
import type { Config } from '../config/config.ts';
import type { Feature } from '../house/feature.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { AccountAudit } from '../users/account-audit.ts';
import type { UsersStore } from '../users/users.store.ts';
import { workgroupChanged } from '../workgroups/workgroups.topics.ts';
import { OpenSessionsStore } from './open-sessions.store.ts';
import { OpenSessions } from './open-sessions.ts';
import { sessionsRoutes } from './sessions.routes.ts';
import { Sessions } from './sessions.service.ts';
import { sessionRevoked } from './sessions.topics.ts';
import { signInAudit } from './sign-in-audit.ts';
import { SocketTickets } from './socket-tickets.ts';

/** Who is signed in. */
export function openSessions(of: {
  config: Config;
  postgres: Postgres;
  signingKey: string;
  csrfSecret: Buffer;
  users: UsersStore;
  attempts: Attempts;
  audit: Audit;
  accountAudit: AccountAudit;
  sockets: Sockets;
  bus: Bus;
  log: Logger;
}): Feature<{ sessions: Sessions; tickets: SocketTickets }> {
  const { config, sockets } = of;
  const { staffDomains, addonManagers } = config;
  const uses = new OpenSessions(new OpenSessionsStore(of.postgres));
  const sessions = new Sessions({ ...of, staffDomains, addonManagers, uses });
  const tickets = new SocketTickets({ attempts: of.attempts, secret: of.csrfSecret });
  return {
    name: 'sessions',
    service: { sessions, tickets },
    hears: [
      hear(sessionRevoked, (revocation, { isOwn }) => {
        if (!isOwn) sessions.apply(revocation);
        if (revocation.kind !== 'older') sockets.end(revocation);
      }),
      hear(workgroupChanged, ({ workgroup }) => uses.readLimit(workgroup)),
      ...signInAudit(of),
    ],
    routes: (app) => sessionsRoutes(app, sessions, tickets),
    start: () => sessions.start(),
  };
}
