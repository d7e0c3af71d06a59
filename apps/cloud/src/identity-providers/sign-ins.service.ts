import { randomBytes } from 'node:crypto';
import type { SsoFailure } from '@albedo/contract/identity-providers/identity-providers.names';
import type { ProviderName, SsoFound } from '@albedo/contract/identity-providers/identity-providers.schema';
import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import type { KeyPairPem } from '@albedo/pki/key-files';
import type { Logger } from 'pino';
import type { Audit } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import { hashOf, makeLinkToken } from '../secrets/link-token.ts';
import type { SsoPair } from '../secrets/sso-pairs.ts';
import type { Sessions } from '../sessions/sessions.service.ts';
import type { TellList } from '../sockets/lists.ts';
import { domainOf, type UsersStore } from '../users/users.store.ts';
import type { IdentityProviders } from './identity-providers.service.ts';
import type { IdentityProvidersStore, ProviderRow } from './identity-providers.store.ts';
import type { MetadataRefresh } from './metadata-refresh.ts';
import type { Oidc, OidcClient } from './oidc.ts';
import { CLOCK_SKEW_MS, type Person, RefusedAnswer } from './person.ts';
import type { AcceptedAssertion, ServiceProvider } from './saml.ts';
import { ssoAddresses } from './sso-addresses.ts';
import type { SsoRequest, SsoRequestsStore } from './sso-requests.store.ts';
import { whyNot } from './why-not.ts';

/** A hundred files, which a server without SAML need not read. */
const saml = () => import('./saml.ts');

/** How long somebody may take at the identity provider, and the browser to fetch the session, ms. */
export const SSO_REQUEST_MS = 10 * 60_000;
const GRANT_MS = 60_000;
/** As `makeLinkToken` makes it. */
const SECRET = /^[\w-]{43}$/;

export interface SignInsOptions {
  store: IdentityProvidersStore;
  requests: SsoRequestsStore;
  providers: IdentityProviders;
  metadataRefresh: MetadataRefresh;
  sessions: Sessions;
  users: UsersStore;
  oidc: Oidc;
  audit: Audit;
  signing: KeyPairPem;
  encryption: SsoPair;
  oldCiphers: boolean;
  staffDomains: string[];
  tell: TellList;
  publicUrl: () => string;
  log: Logger;
}

export interface SignedIn {
  /** Of the session. */
  token: string;
  providerId: string;
}

/** The person is back from the provider, for a session that waits for it. */
export interface Confirmed {
  confirmation: string;
}

/** A sign-in did not come about; the reason goes to the page that says so, and nothing else does. */
export class SignInFailed extends Error {
  readonly failure: SsoFailure;

  constructor(failure: SsoFailure) {
    super(failure);
    this.failure = failure;
  }
}

/**
 * Sign-ins with identity providers.
 *
 * A provider belongs to one workgroup, and its word counts for nothing else: it signs in people who were invited with it,
 * and the session opens that workgroup alone. An account that was there before must have agreed by the link of its
 * invitation. The answer is taken once, for a request of ours, and the session goes to the browser that began.
 */
export class SignIns {
  readonly #options: SignInsOptions;

  constructor(options: SignInsOptions) {
    this.#options = options;
  }

  /**
   * The providers of an address, the one that the browser used last before others. The same answer for an address that is
   * unknown and for one without a provider: throws `sso.not_found`.
   */
  async lookup(email: string, lastUsed: string | null): Promise<SsoFound> {
    const found = await this.#options.store.ofEmail(email, new Date());
    const sorted = [
      ...found.filter(({ id }) => id === lastUsed),
      ...found.filter(({ id }) => id !== lastUsed),
    ];
    const [first] = sorted;
    if (!first) throw new AppError('sso.not_found');
    const isTwice = (one: string) => found.filter(({ name }) => name === one).length > 1;
    const choices = sorted.map((one) => ({ ...one, workgroup: isTwice(one.name) ? one.workgroup : null }));
    return { id: first.id, kind: first.kind, name: first.name, choices };
  }

  /** Throws `sso.not_found`. */
  async named(id: string): Promise<ProviderName> {
    const found = await this.#options.store.find(id);
    if (!found) throw new AppError('sso.not_found');
    return { id: found.id, kind: found.kind, name: found.name };
  }

  /**
   * Where the browser goes, and the secret that it keeps until it is back: the one that it has from another tab
   * (`kept`), or a new one. With `confirms`, the `jti` of a session, the provider is asked to sign the person in anew, and
   * the answer opens nothing but confirms that session. Throws `SignInFailed`.
   */
  async begin(
    providerId: string,
    kept: string | null,
    confirms: string | null = null,
  ): Promise<{ url: string; browserSecret: string }> {
    const { requests, oidc, store } = this.#options;
    const provider = await store.find(providerId);
    if (!provider) throw new SignInFailed('refused');
    const browserSecret = kept !== null && SECRET.test(kept) ? kept : makeLinkToken().token;
    const browserHash = hashOf(browserSecret);
    const createdAt = new Date();
    const expiresAt = new Date(createdAt.getTime() + SSO_REQUEST_MS);
    const row = { idpId: provider.id, browserHash, createdAt, expiresAt, confirms };
    if (provider.config.kind === 'saml') {
      // An XML ID must not begin with a digit.
      const id = `_${randomBytes(20).toString('hex')}`;
      await requests.add({ ...row, id });
      const request = { id, createdAt, confirms };
      const { samlRequestUrl } = await saml();
      const url = await samlRequestUrl(this.#own(provider.workgroup), provider.config, request);
      return { url, browserSecret };
    }
    const { state, nonce, codeVerifier } = oidc.newChecks();
    try {
      const client = this.#clientOf(provider);
      const url = await oidc.requestUrl(client, { state, nonce, codeVerifier }, confirms !== null);
      await requests.add({ ...row, id: state, nonce, codeVerifier });
      return { url, browserSecret };
    } catch (error) {
      throw await this.#failed(provider, error, null);
    }
  }

  /** As `begin`, for the session of this `jti`. Throws `sso.not_confirmed` where the provider cannot be asked. */
  async beginConfirmation(
    providerId: string,
    kept: string | null,
    jti: string,
  ): Promise<{ url: string; browserSecret: string }> {
    try {
      return await this.begin(providerId, kept, jti);
    } catch (error) {
      throw error instanceof SignInFailed ? new AppError('sso.not_confirmed') : error;
    }
  }

  /** Takes the answer of a SAML provider; the id is good for `finish`. Throws `SignInFailed`. */
  async takeSamlAnswer(requestId: string, answer: string, address: string): Promise<string> {
    const { requests } = this.#options;
    const { request, provider } = await this.#take(requestId);
    try {
      const { person, assertionId, expiresAt } = await this.#acceptSaml(provider, request, answer);
      if (!(await requests.isNewAssertion(provider.id, assertionId, expiresAt)))
        throw new RefusedAnswer('The assertion has been used before.');
      await this.#grant(provider, request, person, address);
      return request.id;
    } catch (error) {
      throw await this.#failed(provider, error, address);
    }
  }

  /**
   * The provider of an answer that nobody asked for: somebody chose us at the provider. Nothing in the answer is believed
   * but whom to ask, and the sign-in begins anew from here. Undefined for any other answer. Throws `SignInFailed` where
   * it does not say which provider it is.
   */
  async providerOfUnsolicited(requestId: string, answer: string): Promise<string | undefined> {
    const { store, requests, publicUrl } = this.#options;
    const hint = (await saml()).unsolicitedHint(answer);
    if (!hint || (await requests.isKnown(requestId))) return undefined;
    const found = await store.ofEntity(hint.issuer);
    const isMeant = ({ workgroup }: { workgroup: string }) =>
      hint.audiences.includes(ssoAddresses(publicUrl(), workgroup).saml.entityId);
    const meant = found.length > 1 ? found.filter(isMeant) : found;
    const [one, ...others] = meant;
    if (!one || others.length > 0) throw new SignInFailed('unsolicited');
    return one.id;
  }

  async #acceptSaml(provider: ProviderRow, request: SsoRequest, answer: string): Promise<AcceptedAssertion> {
    const { config, workgroup } = provider;
    if (config.kind !== 'saml')
      throw new RefusedAnswer('The provider of this workgroup no longer uses SAML.');
    const own = this.#own(workgroup);
    const { acceptSamlAnswer } = await saml();
    try {
      return await acceptSamlAnswer(own, config, request, answer);
    } catch (error) {
      const isRefused = error instanceof RefusedAnswer && error.failure === 'refused';
      const newer = isRefused ? await this.#options.metadataRefresh.afterRefusal(provider) : null;
      if (!newer) throw error;
      return await acceptSamlAnswer(own, newer, request, answer);
    }
  }

  /** Notes whom the provider named. Throws `SignInFailed` and, where it did not ask them anew, `RefusedAnswer`. */
  async #grant(provider: ProviderRow, request: SsoRequest, person: Person, address: string): Promise<void> {
    const { authenticatedAt } = person;
    if (request.confirms !== null) demandAnew(authenticatedAt, request.createdAt);
    const userId = await this.#userOf(provider, person, address);
    const expiresAt = new Date(Date.now() + GRANT_MS);
    await this.#options.requests.grant(request.id, { userId, authenticatedAt, expiresAt });
  }

  /** Takes the answer of an OpenID provider, for the workgroup that it was sent to. Throws `SignInFailed`. */
  async takeOidcAnswer(
    workgroup: string,
    answer: Record<string, string>,
    browserSecret: string,
    address: string,
  ): Promise<SignedIn | Confirmed> {
    const { oidc } = this.#options;
    const { request, provider } = await this.#take(answer.state ?? '');
    try {
      const { nonce, codeVerifier, id: state } = request;
      if (provider.workgroup !== workgroup || nonce === null || codeVerifier === null)
        throw new RefusedAnswer('The response came to the address of another provider.');
      if (request.browserHash !== hashOf(browserSecret))
        throw new RefusedAnswer(
          'The response came from a different browser than the one that started the sign-in.',
        );
      const person = await oidc.accept(this.#clientOf(provider), { state, nonce, codeVerifier }, answer);
      await this.#grant(provider, request, person, address);
    } catch (error) {
      throw await this.#failed(provider, error, address);
    }
    return this.finish(request.id, browserSecret, address);
  }

  /** A session token for the browser that began the sign-in, or its confirmation. Throws `SignInFailed`. */
  async finish(requestId: string, browserSecret: string, address: string): Promise<SignedIn | Confirmed> {
    const { requests, store, sessions, users, audit } = this.#options;
    const now = new Date();
    if (await requests.noteReturn(requestId, hashOf(browserSecret), now)) return { confirmation: requestId };
    const request = await requests.finish(requestId, hashOf(browserSecret), now);
    const provider = request && (await store.find(request.idpId));
    const user = request?.userId ? await users.user(request.userId) : undefined;
    if (!provider || !user || !(await store.isMember(provider.workgroup, user.id)))
      throw new SignInFailed('expired');
    // A provider that knew the person already did not ask who is there now.
    const confirmedAt = request.authenticatedAt ? secondsOf(request.authenticatedAt) : null;
    const token = await sessions.issue(user, { idpId: provider.id, confirmedAt });
    await store.noteSignIn(provider.id, now);
    audit.record({
      ...loginOf(provider),
      at: now.getTime(),
      newValue: methodOf(provider),
      by: user.email,
      address,
    });
    return { token, providerId: provider.id };
  }

  /**
   * A token of the same session that is fresh since the person proved to the provider that it is them; good once. Throws
   * `sso.not_confirmed` for another session and another person.
   */
  async confirm(session: SessionClaims, requestId: string, address: string): Promise<string> {
    const { requests, store, sessions, audit } = this.#options;
    const now = new Date();
    const request = await requests.takeConfirmation(requestId, session.jti, now);
    const provider = request && (await store.find(request.idpId));
    if (!request?.authenticatedAt || !provider) throw new AppError('sso.not_confirmed');
    const isSame = request.userId === session._id && provider.id === session.idpId;
    audit.record({
      ...loginOf(provider),
      action: 'confirm',
      at: now.getTime(),
      newValue: methodOf(provider),
      by: session.email,
      address,
      ...(isSame ? {} : { status: 'failed' as const }),
    });
    if (!isSame) throw new AppError('sso.not_confirmed');
    return sessions.confirm(session, secondsOf(request.authenticatedAt), 'sso');
  }

  async metadata(workgroup: string): Promise<string> {
    return (await saml()).samlMetadata(this.#own(workgroup));
  }

  async #take(requestId: string): Promise<{ request: SsoRequest; provider: ProviderRow }> {
    const { requests, store } = this.#options;
    const request = await requests.takeForAnswer(requestId, new Date());
    const provider = request && (await store.find(request.idpId));
    if (!provider) throw new SignInFailed('expired');
    return { request, provider };
  }

  /** The account of whom the provider named. Throws `SignInFailed` for somebody who was not invited with it. */
  async #userOf(provider: ProviderRow, person: Person, address: string): Promise<string> {
    const { store } = this.#options;
    const { subject, emails } = person;
    const [email] = emails;
    const known = await store.userBySubject(provider.id, subject);
    const userId = known ?? (await this.#firstSignIn(provider, person));
    if (userId && (await store.isMember(provider.workgroup, userId))) {
      if (email && person.name) await store.nameIfNone(userId, email, person.name);
      return userId;
    }
    const { staffDomains } = this.#options;
    const { reason, failure } = await whyNot({
      store,
      provider,
      person,
      staffDomains,
    });
    await store.noteFailure(provider.id, new Date(), reason);
    const by = person.isHidden ? null : (email ?? subject);
    this.#recordFailure(provider, { by, address, reason });
    throw new SignInFailed(failure);
  }

  /** Of several addresses the first that somebody waits for. */
  async #firstSignIn(provider: ProviderRow, { subject, emails, name }: Person): Promise<string | undefined> {
    const { store, staffDomains, tell } = this.#options;
    for (const email of emails) {
      const claimed = await store.claim(provider.id, email, subject);
      if (claimed) return claimed;
      // Accounts of the provider's staff are never made on the word of a customer.
      if (staffDomains.includes(domainOf(email))) continue;
      const userId = await store.register(provider, { email, subject, name: name ?? email }, new Date());
      if (userId === undefined) continue;
      for (const list of ['members', 'invites', 'device-groups'] as const) tell(list, provider.workgroup);
      return userId;
    }
    return undefined;
  }

  /** Writes down why, for people who manage access; the stranger in the browser learns less. */
  async #failed(provider: ProviderRow, error: unknown, address: string | null): Promise<unknown> {
    if (error instanceof SignInFailed || !(error instanceof RefusedAnswer)) return error;
    const { store, log } = this.#options;
    log.info({ provider: provider.id, reason: error.message }, 'an identity provider was refused');
    await store.noteFailure(provider.id, new Date(), error.message);
    if (address !== null) this.#recordFailure(provider, { by: null, address, reason: error.message });
    return new SignInFailed(error.failure);
  }

  #recordFailure(
    provider: ProviderRow,
    { by, address, reason }: { by: string | null; address: string; reason: string },
  ): void {
    const newValue = `${methodOf(provider)}: ${reason}`;
    const entry = { ...loginOf(provider), at: Date.now(), newValue, by, address };
    this.#options.audit.record({ ...entry, status: 'failed' });
  }

  #own(workgroup: string): ServiceProvider {
    const { signing, encryption, oldCiphers, publicUrl } = this.#options;
    return { ...ssoAddresses(publicUrl(), workgroup).saml, signing, encryption, oldCiphers };
  }

  #clientOf(provider: ProviderRow): OidcClient {
    const { providers, publicUrl } = this.#options;
    if (provider.config.kind !== 'oidc')
      throw new RefusedAnswer('The provider of this workgroup no longer uses OpenID Connect.');
    const { redirectUrl } = ssoAddresses(publicUrl(), provider.workgroup).oidc;
    return { config: provider.config, clientSecret: providers.secretOf(provider), redirectUrl };
  }
}

/** Epoch s; a clock that is ahead of ours proves nothing about the future. */
const secondsOf = (at: Date): number => Math.floor(Math.min(at.getTime(), Date.now()) / 1000);

/** Providers may ignore that we want them to ask anew. Throws `RefusedAnswer`. */
function demandAnew(authenticatedAt: Date | null, since: Date): void {
  if (authenticatedAt === null)
    throw new RefusedAnswer(
      'The response does not say when the person signed in. Let the provider send the claim auth_time.',
    );
  if (authenticatedAt.getTime() < since.getTime() - CLOCK_SKEW_MS)
    throw new RefusedAnswer(
      'The provider did not ask the person to sign in again. Let it heed ForceAuthn, or prompt=login with OpenID Connect.',
    );
}

const loginOf = ({ workgroup }: ProviderRow) =>
  ({ workgroup, controller: 'auth', entity: 'user', action: 'login', attribute: 'method' }) as const;

const methodOf = ({ kind, name }: ProviderRow): string =>
  `${kind === 'saml' ? 'SAML' : 'OpenID Connect'}: ${name}`;
