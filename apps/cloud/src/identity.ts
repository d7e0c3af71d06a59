import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { type Access, accessRoutes, openAccess } from './access.ts';
import type { AccessControl } from './access-control/access-control.service.ts';
import { accountsRoutes } from './accounts/accounts.routes.ts';
import { Accounts } from './accounts/accounts.service.ts';
import { AccountsStore } from './accounts/accounts.store.ts';
import { Profiles } from './accounts/profiles.service.ts';
import { ProfilesStore } from './accounts/profiles.store.ts';
import { brandingRoutes } from './branding/branding.routes.ts';
import { Branding } from './branding/branding.service.ts';
import { BrandingStore } from './branding/branding.store.ts';
import { hostBrandChanged } from './branding/branding.topics.ts';
import type { Bus } from './bus/bus.ts';
import type { Config } from './config/config.ts';
import type { Engines } from './engines/engines.ts';
import type { Shutdown } from './house/shutdown.ts';
import { identityProvidersRoutes } from './identity-providers/identity-providers.routes.ts';
import { openSingleSignOn, type SingleSignOn } from './identity-providers/single-sign-on.ts';
import { lookupTablesRoutes } from './lookup-tables/lookup-tables.routes.ts';
import { LookupTables } from './lookup-tables/lookup-tables.service.ts';
import { LookupTablesStore } from './lookup-tables/lookup-tables.store.ts';
import { Mailer } from './mail/mail.service.ts';
import { Invites } from './members/invites.service.ts';
import { InvitesStore } from './members/invites.store.ts';
import { membersRoutes } from './members/members.routes.ts';
import { Members } from './members/members.service.ts';
import { MembersStore } from './members/members.store.ts';
import { mfaRoutes } from './mfa/mfa.routes.ts';
import { Mfa } from './mfa/mfa.service.ts';
import { MfaStore } from './mfa/mfa.store.ts';
import { passkeysRoutes } from './passkeys/passkeys.routes.ts';
import { Passkeys } from './passkeys/passkeys.service.ts';
import { PasskeysStore } from './passkeys/passkeys.store.ts';
import type { Records } from './records.ts';
import { makeSealKey, Seal } from './secrets/sealed.ts';
import { keepSecret } from './secrets/secrets.ts';
import { auditSignIns } from './sessions/sign-in-audit.ts';
import { settingsRoutes } from './settings/settings.routes.ts';
import { Settings } from './settings/settings.service.ts';
import { SettingsStore } from './settings/settings.store.ts';
import type { TellList } from './sockets/lists.ts';
import type { Sockets } from './sockets/sockets.server.ts';
import { AccountAudit } from './users/account-audit.ts';
import { Staff } from './users/staff.ts';
import { workgroupRequestsRoutes } from './workgroup-requests/workgroup-requests.routes.ts';
import { WorkgroupRequests } from './workgroup-requests/workgroup-requests.service.ts';
import { WorkgroupRequestsStore } from './workgroup-requests/workgroup-requests.store.ts';
import { addonsRoutes } from './workgroups/addons.routes.ts';
import { Addons } from './workgroups/addons.service.ts';
import { AddonsStore } from './workgroups/addons.store.ts';
import { WorkgroupSettings } from './workgroups/workgroup-settings.service.ts';
import { WorkgroupSettingsStore } from './workgroups/workgroup-settings.store.ts';
import type { Workgroups } from './workgroups/workgroups.service.ts';

/** What people do with their accounts and with one another. */
export interface Identity extends Access, SingleSignOn {
  mailer: Mailer;
  accounts: Accounts;
  profiles: Profiles;
  settings: Settings;
  mfa: Mfa;
  passkeys: Passkeys;
  members: Members;
  invites: Invites;
  workgroupRequests: WorkgroupRequests;
  workgroupSettings: WorkgroupSettings;
  addons: Addons;
  branding: Branding;
  lookupTables: LookupTables;
}

export async function openIdentity(of: {
  config: Config;
  engines: Engines;
  records: Records;
  accessControl: AccessControl;
  publicUrl: () => string;
  bus: Bus;
  sockets: Sockets;
  log: Logger;
  shutdown: Shutdown;
}): Promise<Identity> {
  const { config, engines, records, publicUrl, log, shutdown } = of;
  const { postgres, dataDir } = engines;
  const { sessions, sessionsStore, attempts, audit } = records;
  const tell: TellList = (...told) => of.sockets.listChanged(...told);
  const branding = new Branding({
    store: new BrandingStore(postgres),
    workgroups: records.workgroups,
    audit,
    bus: of.bus,
  });
  of.bus.subscribe(hostBrandChanged, (_changed, { isOwn }) => (isOwn ? undefined : branding.start()));
  await branding.start();
  const mailer = new Mailer({
    smtpUrl: config.smtpUrl,
    outboxDir: join(dataDir, 'outbox'),
    from: () => config.mailFrom ?? `no-reply@${new URL(publicUrl()).hostname}`,
    theme: () => branding.ofHost(new URL(publicUrl()).hostname).theme,
    log,
  });
  shutdown.add('mail', () => mailer.stop());
  const accountAudit = new AccountAudit(audit, sessionsStore);
  auditSignIns(of.bus, accountAudit, audit, log);
  const settings = new Settings(new SettingsStore(postgres), accountAudit);
  const seal = new Seal(await keepSecret(dataDir, postgres, 'secrets/mfa', makeSealKey));
  const accounts = new Accounts({
    store: new AccountsStore(postgres),
    sessionsStore,
    sessions,
    settings,
    mailer,
    audit: accountAudit,
    attempts,
    publicUrl,
  });
  const membersStore = new MembersStore(postgres);
  const singleSignOn = await openSingleSignOn({
    config,
    engines,
    records,
    seal,
    tell,
    publicUrl,
    log,
    shutdown,
  });
  const invites = new Invites({
    store: new InvitesStore(postgres),
    members: membersStore,
    sessions,
    deviceGroups: records.deviceGroups,
    settings,
    mailer,
    audit,
    tell,
    publicUrl,
    providerOf: async (wg) => (await singleSignOn.identityProviders.available(wg))[0]?.id ?? null,
  });
  const members = new Members({
    store: membersStore,
    sessions,
    deviceGroups: records.deviceGroups,
    audit,
    tell,
    bus: of.bus,
  });
  const access = await openAccess({ ...of, tell, mailer, membersStore, settings });
  return {
    ...access,
    ...singleSignOn,
    mailer,
    settings,
    accounts,
    profiles: new Profiles({
      store: new ProfilesStore(postgres),
      sessionsStore,
      sessions,
      settings,
      mailer,
      audit: accountAudit,
      attempts,
      staffDomains: config.staffDomains,
    }),
    invites,
    members,
    branding,
    lookupTables: new LookupTables({ store: new LookupTablesStore(postgres), audit, tell }),
    addons: new Addons({ store: new AddonsStore(postgres), workgroups: records.workgroups, audit }),
    workgroupSettings: new WorkgroupSettings({
      store: new WorkgroupSettingsStore(postgres),
      workgroups: records.workgroups,
      audit,
    }),
    workgroupRequests: new WorkgroupRequests({
      store: new WorkgroupRequestsStore(postgres),
      accounts,
      invites,
      mailer,
      audit,
      attempts,
      staff: new Staff(sessionsStore, config),
      tell,
      publicUrl,
    }),
    passkeys: new Passkeys({
      store: new PasskeysStore(postgres),
      sessions,
      sessionsStore,
      accounts,
      settings,
      mailer,
      audit: accountAudit,
      publicUrl,
    }),
    mfa: new Mfa({
      store: new MfaStore(postgres),
      sessions,
      sessionsStore,
      seal,
      attempts,
      audit,
      accountAudit,
      settings,
      mailer,
      tell,
      publicUrl,
    }),
  };
}

export function identityRoutes(app: FastifyInstance, identity: Identity, workgroups: Workgroups): void {
  accountsRoutes(app, identity.accounts, identity.profiles);
  settingsRoutes(app, identity.settings);
  mfaRoutes(app, identity.mfa);
  passkeysRoutes(app, identity.passkeys);
  membersRoutes(app, { ...identity, workgroups });
  accessRoutes(app, identity);
  identityProvidersRoutes(app, identity);
  workgroupRequestsRoutes(app, identity.workgroupRequests);
  addonsRoutes(app, identity.addons);
  brandingRoutes(app, identity.branding);
  lookupTablesRoutes(app, identity.lookupTables);
}
