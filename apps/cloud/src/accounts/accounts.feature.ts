import type { Postgres } from '@albedo/postgres/postgres';
import type { Attempts } from '../attempts/attempts.ts';
import type { Config } from '../config/config.ts';
import type { Feature } from '../house/feature.ts';
import type { Mailer } from '../mail/mail.service.ts';
import type { Sessions } from '../sessions/sessions.service.ts';
import type { Settings } from '../settings/settings.service.ts';
import type { AccountAudit } from '../users/account-audit.ts';
import type { UsersStore } from '../users/users.store.ts';
import { accountsRoutes } from './accounts.routes.ts';
import { Accounts } from './accounts.service.ts';
import { AccountsStore } from './accounts.store.ts';
import { Profiles } from './profiles.service.ts';
import { ProfilesStore } from './profiles.store.ts';

/** What people do with their own accounts. */
export function openAccounts(of: {
  config: Config;
  postgres: Postgres;
  users: UsersStore;
  sessions: Sessions;
  settings: Settings;
  mailer: Mailer;
  accountAudit: AccountAudit;
  attempts: Attempts;
  publicUrl: () => string;
}): Feature<{ accounts: Accounts; profiles: Profiles }> {
  const { config, postgres, accountAudit: audit } = of;
  const { staffDomains } = config;
  const accounts = new Accounts({ ...of, store: new AccountsStore(postgres), audit });
  const profiles = new Profiles({ ...of, store: new ProfilesStore(postgres), audit, staffDomains, accounts });
  return {
    name: 'accounts',
    service: { accounts, profiles },
    routes: (app) => accountsRoutes(app, accounts, profiles),
  };
}
