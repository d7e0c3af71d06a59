import type { Logger } from 'pino';
import type { Attempts } from '../attempts/attempts.ts';
import type { Audit } from '../audit/audit.service.ts';
import { type Bus, hear } from '../bus/bus.ts';
import type { Config } from '../config/config.ts';
import type { Feature } from '../house/feature.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { AccountAudit } from '../users/account-audit.ts';
import type { UsersStore } from '../users/users.store.ts';
import { sessionsRoutes } from './sessions.routes.ts';
import { Sessions } from './sessions.service.ts';
import { sessionRevoked } from './sessions.topics.ts';
import { signInAudit } from './sign-in-audit.ts';

/** Who is signed in. */
export function openSessions(of: {
  config: Config;
  signingKey: string;
  users: UsersStore;
  attempts: Attempts;
  audit: Audit;
  accountAudit: AccountAudit;
  sockets: Sockets;
  bus: Bus;
  log: Logger;
}): Feature<Sessions> {
  const { config, sockets } = of;
  const { staffDomains, addonManagers } = config;
  const sessions = new Sessions({ ...of, staffDomains, addonManagers });
  return {
    name: 'sessions',
    service: sessions,
    hears: [
      hear(sessionRevoked, (revocation, { isOwn }) => {
        if (!isOwn) sessions.apply(revocation);
        sockets.end(revocation);
      }),
      ...signInAudit(of),
    ],
    routes: (app) => sessionsRoutes(app, sessions),
    start: () => sessions.start(),
  };
}
