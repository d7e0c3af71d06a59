import { randomUUID, X509Certificate } from 'node:crypto';
import type {
  Provider,
  ProviderChange,
  ProviderName,
  SignInSettings,
} from '@albedo/contract/identity-providers/identity-providers.schema';
import type { Manager } from '../access/manager.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { OidcConfig, SamlConfig } from '../database/identity-providers.tables.ts';
import { AppError } from '../errors/app-error.ts';
import { OutsideError, type OutsideFetch, reachOf } from '../outbound/outside-fetch.ts';
import type { Seal } from '../secrets/sealed.ts';
import type { Sessions } from '../sessions/sessions.service.ts';
import type { IdentityProvidersStore, ProviderRow, ProviderSet } from './identity-providers.store.ts';
import type { Oidc } from './oidc.ts';
import { RefusedAnswer } from './person.ts';
import { readSamlMetadata } from './saml-metadata.ts';
import { ssoAddresses } from './sso-addresses.ts';

export interface IdentityProvidersOptions {
  store: IdentityProvidersStore;
  sessions: Sessions;
  audit: Audit;
  seal: Seal;
  outside: OutsideFetch;
  oidc: Oidc;
  publicUrl: () => string;
}

type NewProvider = NonNullable<ProviderChange['provider']>;

/** The identity provider of each workgroup. */
export class IdentityProviders {
  readonly #options: IdentityProvidersOptions;

  constructor(options: IdentityProvidersOptions) {
    this.#options = options;
  }

  async settings(workgroup: string): Promise<SignInSettings> {
    const { store, publicUrl } = this.#options;
    const row = await store.ofWorkgroup(workgroup);
    const provider = row ? await this.#providerOf(row) : null;
    return { provider, ...ssoAddresses(publicUrl(), workgroup) };
  }

  async #providerOf(row: ProviderRow): Promise<Provider> {
    const { store } = this.#options;
    const [people, failures] = await Promise.all([store.people(row.id), store.failures(row.id)]);
    return toProvider(row, people, failures);
  }

  async available(workgroup: string): Promise<ProviderName[]> {
    const row = await this.#options.store.ofWorkgroup(workgroup);
    return row ? [{ id: row.id, kind: row.kind, name: row.name }] : [];
  }

  /**
   * Sets or removes the provider. It can sign in as every member who uses it, so only an owner may.
   *
   * Throws `sso.owners_only`, `sso.metadata_invalid`, `sso.address_failed`, `sso.issuer_failed`, `sso.secret_missing`.
   */
  async set(workgroup: string, wanted: NewProvider | null, by: Manager): Promise<SignInSettings> {
    if (by.scope.role !== 'owner') throw new AppError('sso.owners_only');
    const { store, sessions } = this.#options;
    const old = await store.ofWorkgroup(workgroup);
    if (!old && !wanted) return this.settings(workgroup);
    const config = wanted && (await this.#configOf(wanted));
    const isOther = old !== undefined && config !== null && voucherOf(old.config) !== voucherOf(config);
    if (wanted?.kind === 'oidc' && wanted.clientSecret === undefined && isOther && old.secret !== null)
      throw new AppError('sso.secret_missing');
    const id = old && !isOther ? old.id : randomUUID();
    const set = wanted && config && (await this.#setOf(id, wanted, config, isOther ? undefined : old));
    const isSet = await store.whole(async () => {
      const ended = await store.set({ workgroup, old: old?.id ?? null, id }, set, isOther);
      for (const userId of ended ?? []) await sessions.revokeUser(userId);
      if (ended !== null) this.#record(workgroup, old ?? null, set, by);
      return ended !== null;
    });
    // Somebody else set it in between: what is wanted here is compared with that one.
    return isSet ? this.settings(workgroup) : this.set(workgroup, wanted, by);
  }

  /** The client secret of the provider; null for a public client. */
  secretOf(row: ProviderRow): string | null {
    return row.secret === null ? null : this.#options.seal.open(row.secret, row.id);
  }

  /** What the metadata at an address says. Throws `sso.address_failed`, `sso.metadata_invalid`. */
  async samlAt(metadataUrl: string): Promise<SamlConfig> {
    return this.#samlFrom(await this.#read(metadataUrl), metadataUrl);
  }

  async #configOf(wanted: NewProvider): Promise<SamlConfig | OidcConfig> {
    if (wanted.kind === 'saml') {
      const { metadata, metadataUrl } = wanted;
      return metadata === undefined ? this.samlAt(metadataUrl ?? '') : this.#samlFrom(metadata, null);
    }
    return { kind: 'oidc', issuer: wanted.issuer, clientId: wanted.clientId };
  }

  async #setOf(
    id: string,
    wanted: NewProvider,
    config: SamlConfig | OidcConfig,
    old: ProviderRow | undefined,
  ): Promise<ProviderSet> {
    const now = new Date();
    const set = {
      kind: wanted.kind,
      name: wanted.name,
      config,
      changedAt: now,
      refreshedAt: now,
      refreshFailure: null,
    };
    if (wanted.kind === 'saml' || config.kind === 'saml') return { ...set, secret: null };
    const { clientSecret = old ? this.secretOf(old) : null } = wanted;
    await this.#demandIssuer(config, clientSecret);
    return { ...set, secret: clientSecret === null ? null : this.#options.seal.close(clientSecret, id) };
  }

  async #demandIssuer(config: OidcConfig, clientSecret: string | null): Promise<void> {
    try {
      await this.#options.oidc.discover({ config, clientSecret });
    } catch (error) {
      if (error instanceof RefusedAnswer) throw new AppError('sso.issuer_failed', { what: error.message });
      throw error;
    }
  }

  #samlFrom(xml: string, metadataUrl: string | null): SamlConfig {
    const { hostname } = new URL(this.#options.publicUrl());
    const allowPlain = hostname === 'localhost' || reachOf(hostname) === 'loopback';
    return { kind: 'saml', ...readSamlMetadata(xml, { allowPlain }), metadataUrl };
  }

  async #read(address: string): Promise<string> {
    try {
      return await this.#options.outside.text(address);
    } catch (error) {
      if (error instanceof OutsideError) throw new AppError('sso.address_failed', { what: error.message });
      throw error;
    }
  }

  #record(workgroup: string, old: ProviderRow | null, set: ProviderSet | null, by: Manager): void {
    const action = set === null ? 'remove' : old === null ? 'create' : 'update';
    this.#options.audit.record({
      workgroup,
      at: Date.now(),
      controller: 'workgroup',
      entity: workgroup,
      action,
      attribute: 'identityProvider',
      oldValue: old && `${old.name}: ${voucherOf(old.config)}`,
      newValue: set && `${set.name}: ${voucherOf(set.config)}`,
      by: by.email,
      address: by.address,
    });
  }
}

/** Who vouches for people: another one needs trust of its own. */
const voucherOf = (config: SamlConfig | OidcConfig): string =>
  config.kind === 'saml' ? `saml ${config.entityId}` : `oidc ${config.issuer} ${config.clientId}`;

function toProvider(row: ProviderRow, people: number, failures: { at: Date; reason: string }[]): Provider {
  const { id, name, config, lastFailure } = row;
  const known = {
    id,
    name,
    people,
    lastFailure,
    failures: failures.map(({ at, reason }) => ({ at: at.getTime(), reason })),
    changedAt: row.changedAt.getTime(),
    lastSignInAt: row.lastSignInAt?.getTime() ?? null,
    lastFailureAt: row.lastFailureAt?.getTime() ?? null,
  };
  if (config.kind === 'oidc') {
    const { issuer, clientId } = config;
    return { ...known, kind: 'oidc', issuer, clientId, hasSecret: row.secret !== null };
  }
  const { entityId, signOnUrl, metadataUrl } = config;
  const metadataReadAt = row.refreshedAt?.getTime() ?? row.changedAt.getTime();
  const certificates = config.certificates.map((pem) => {
    const certificate = new X509Certificate(pem);
    return {
      subject: certificate.subject,
      notAfter: certificate.validToDate.getTime(),
      fingerprint: certificate.fingerprint256,
    };
  });
  const saml = {
    entityId,
    signOnUrl,
    metadataUrl,
    metadataReadAt,
    metadataFailure: row.refreshFailure,
    certificates,
  };
  return { ...known, kind: 'saml', ...saml };
}
