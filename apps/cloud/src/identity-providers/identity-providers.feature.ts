import type { Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import type { Audit } from '../audit/audit.service.ts';
import type { Config } from '../config/config.ts';
import { identityProvidersPart } from '../database/identity-providers.tables.ts';
import type { Feature } from '../house/feature.ts';
import { OutsideFetch } from '../outbound/outside-fetch.ts';
import type { KeyRing } from '../secrets/key-ring.ts';
import type { Seal } from '../secrets/sealed.ts';
import { keepSecret } from '../secrets/secrets.ts';
import { makeSsoPair, SSO_PAIRS, type SsoPair } from '../secrets/sso-pairs.ts';
import type { Sessions } from '../sessions/sessions.service.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { UsersStore } from '../users/users.store.ts';
import { identityProvidersFindings } from './identity-providers.findings.ts';
import { identityProvidersRoutes } from './identity-providers.routes.ts';
import { IdentityProviders } from './identity-providers.service.ts';
import { IdentityProvidersStore } from './identity-providers.store.ts';
import { MetadataRefresh } from './metadata-refresh.ts';
import { Oidc } from './oidc.ts';
import { SignIns } from './sign-ins.service.ts';
import { SsoRequestsStore } from './sso-requests.store.ts';

export interface SingleSignOn {
  identityProviders: IdentityProviders;
  signIns: SignIns;
  metadataRefresh: MetadataRefresh;
}

/** Signs people in with the identity providers of their workgroups. */
export async function openIdentityProviders(of: {
  config: Config;
  dataDir: string;
  postgres: Postgres;
  keys: KeyRing;
  users: UsersStore;
  sessions: Sessions;
  audit: Audit;
  seal: Seal;
  sockets: Sockets;
  publicUrl: () => string;
  log: Logger;
}): Promise<Feature<SingleSignOn>> {
  const { config, postgres, sockets, publicUrl, log } = of;
  const pairOf = async (kept: (typeof SSO_PAIRS)[keyof typeof SSO_PAIRS]): Promise<SsoPair> =>
    JSON.parse(await keepSecret(of, kept.file, () => makeSsoPair(kept)));
  const signing = await pairOf(SSO_PAIRS.signing);
  const encryption = await pairOf(SSO_PAIRS.encryption);
  const outside = new OutsideFetch({ publicUrl, hosts: config.outboundHosts });
  const store = new IdentityProvidersStore(postgres);
  const oidc = new Oidc(outside);
  const identityProviders = new IdentityProviders({ ...of, store, outside, oidc });
  const metadataRefresh = new MetadataRefresh({
    store,
    read: (address) => identityProviders.samlAt(address),
    log,
  });
  const signIns = new SignIns({
    ...of,
    store,
    requests: new SsoRequestsStore(postgres),
    providers: identityProviders,
    metadataRefresh,
    oidc,
    signing,
    encryption,
    oldCiphers: config.oldCiphers,
    staffDomains: config.staffDomains,
    tell: sockets.tellList,
  });
  return {
    name: 'identity-providers',
    service: { identityProviders, signIns, metadataRefresh },
    workgroupPart: { tables: identityProvidersPart },
    findings: [identityProvidersFindings(identityProviders)],
    routes: (app) => identityProvidersRoutes(app, { identityProviders, signIns, publicUrl }),
    jobs: (jobs) => jobs.add(metadataRefresh.job()),
    stop: () => outside.stop(),
  };
}
