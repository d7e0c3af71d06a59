import type { Postgres } from '@albedo/postgres/postgres';
import type { Accounts } from '../accounts/accounts.service.ts';
import type { Feature } from '../house/feature.ts';
import type { Mailer } from '../mail/mail.service.ts';
import type { Sessions } from '../sessions/sessions.service.ts';
import type { Settings } from '../settings/settings.service.ts';
import type { AccountAudit } from '../users/account-audit.ts';
import type { UsersStore } from '../users/users.store.ts';
import { passkeysRoutes } from './passkeys.routes.ts';
import { Passkeys } from './passkeys.service.ts';
import { PasskeysStore } from './passkeys.store.ts';

/** Passkeys as a second factor, and instead of a password. */
export function openPasskeys(of: {
  postgres: Postgres;
  users: UsersStore;
  sessions: Sessions;
  accounts: Accounts;
  settings: Settings;
  mailer: Mailer;
  accountAudit: AccountAudit;
  publicUrl: () => string;
}): Feature<Passkeys> {
  const passkeys = new Passkeys({ ...of, store: new PasskeysStore(of.postgres), audit: of.accountAudit });
  return { name: 'passkeys', service: passkeys, routes: (app) => passkeysRoutes(app, passkeys) };
}
