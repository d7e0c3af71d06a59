import type { Postgres } from '@albedo/postgres/postgres';
import type { Attempts } from '../attempts/attempts.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { Feature } from '../house/feature.ts';
import type { Mailer } from '../mail/mail.service.ts';
import type { Seal } from '../secrets/sealed.ts';
import type { Sessions } from '../sessions/sessions.service.ts';
import type { Settings } from '../settings/settings.service.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { AccountAudit } from '../users/account-audit.ts';
import type { UsersStore } from '../users/users.store.ts';
import { mfaRoutes } from './mfa.routes.ts';
import { Mfa } from './mfa.service.ts';
import { MfaStore } from './mfa.store.ts';

/** One-time codes as a second factor. */
export function openMfa(of: {
  postgres: Postgres;
  seal: Seal;
  users: UsersStore;
  sessions: Sessions;
  settings: Settings;
  mailer: Mailer;
  audit: Audit;
  accountAudit: AccountAudit;
  attempts: Attempts;
  sockets: Sockets;
  publicUrl: () => string;
}): Feature<Mfa> {
  const mfa = new Mfa({ ...of, store: new MfaStore(of.postgres), tell: of.sockets.tellList });
  return { name: 'mfa', service: mfa, routes: (app) => mfaRoutes(app, mfa) };
}
