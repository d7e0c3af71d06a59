import type { KeyPairPem } from '@albedo/pki/key-files';
import { makeSelfSigned } from '@albedo/pki/self-signed';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Engines } from '../engines/engines.ts';
import type { Shutdown } from '../house/shutdown.ts';
import type { Records } from '../records.ts';
import type { Seal } from '../secrets/sealed.ts';
import { keepSecret } from '../secrets/secrets.ts';
import type { TellList } from '../sockets/lists.ts';
import { IdentityProviders } from './identity-providers.service.ts';
import { IdentityProvidersStore } from './identity-providers.store.ts';
import { MetadataRefresh } from './metadata-refresh.ts';
import { Oidc } from './oidc.ts';
import { OutsideFetch } from './outside-fetch.ts';
import { SignIns } from './sign-ins.service.ts';
import { SsoRequestsStore } from './sso-requests.store.ts';

export interface SingleSignOn {
  identityProviders: IdentityProviders;
  signIns: SignIns;
  metadataRefresh: MetadataRefresh;
  publicUrl: () => string;
}

/** Years that our certificates are good for; providers have to be told of every new one. */
const CERTIFICATE_YEARS = 15;

/** What signs people in with the identity providers of their workgroups. */
export async function openSingleSignOn(of: {
  config: Config;
  engines: Engines;
  records: Records;
  seal: Seal;
  tell: TellList;
  publicUrl: () => string;
  log: Logger;
  shutdown: Shutdown;
}): Promise<SingleSignOn> {
  const { config, engines, records, seal, tell, publicUrl, log, shutdown } = of;
  const { postgres, dataDir } = engines;
  const { sessions, sessionsStore, audit } = records;
  const keysOf = async (name: string, subject: string): Promise<KeyPairPem> => {
    const made = async () => JSON.stringify(await makeSelfSigned(subject, CERTIFICATE_YEARS));
    return JSON.parse(await keepSecret(dataDir, postgres, name, made));
  };
  const signing = await keysOf('secrets/saml.json', 'Albedo single sign-on');
  // A key of its own, so that what it opens says nothing of what the other one signs.
  const encryption = await keysOf('secrets/saml-encryption.json', 'Albedo single sign-on, encryption');
  const outside = new OutsideFetch({ publicUrl });
  shutdown.add('identity providers', () => outside.stop());
  const store = new IdentityProvidersStore(postgres);
  const oidc = new Oidc(outside);
  const identityProviders = new IdentityProviders({ store, sessions, audit, seal, outside, oidc, publicUrl });
  const metadataRefresh = new MetadataRefresh({
    store,
    read: (address) => identityProviders.samlAt(address),
    log,
  });
  if (config.roles.has('jobs')) metadataRefresh.start();
  shutdown.add('metadata of identity providers', () => metadataRefresh.stop());
  const signIns = new SignIns({
    store,
    requests: new SsoRequestsStore(postgres),
    providers: identityProviders,
    metadataRefresh,
    sessions,
    sessionsStore,
    oidc,
    audit,
    signing,
    encryption,
    staffDomains: config.staffDomains,
    tell,
    publicUrl,
    log,
  });
  return { identityProviders, signIns, metadataRefresh, publicUrl };
}
