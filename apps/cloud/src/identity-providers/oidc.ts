import * as client from 'openid-client';
import type { OidcConfig } from '../database/identity-providers.tables.ts';
import { OutsideError, type OutsideFetch } from '../outbound/outside-fetch.ts';
import { emailIn, type Person, RefusedAnswer } from './person.ts';

const SCOPE = 'openid email profile';
/** Clocks of providers may differ from ours by so much, as with SAML. */
const CLOCK_SKEW_S = 180;
/** How long what a provider publishes about itself is believed, ms. */
const DISCOVERY_LIFE_MS = 3_600_000;

/** What one sign-in has to find again in its answer. */
export interface OidcChecks {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** Makes the provider ask anew who is there, and say when it did. */
const ASK_ANEW = { prompt: 'login', max_age: '0' } as const;

export interface OidcClient {
  config: OidcConfig;
  clientSecret: string | null;
  redirectUrl: string;
}

/** Signs in with OpenID providers: authorization code, PKCE, state and nonce; ID tokens are checked by signature. */
export class Oidc {
  readonly #outside: OutsideFetch;
  readonly #discovered = new Map<string, { at: number; configuration: client.Configuration }>();

  constructor(outside: OutsideFetch) {
    this.#outside = outside;
  }

  /** Reads what the issuer publishes. Throws `RefusedAnswer` with what is wrong. */
  async discover({ config, clientSecret }: Omit<OidcClient, 'redirectUrl'>): Promise<client.Configuration> {
    const key = JSON.stringify([config.issuer, config.clientId, clientSecret]);
    const known = this.#discovered.get(key);
    if (known && Date.now() - known.at < DISCOVERY_LIFE_MS) return known.configuration;
    const issuer = new URL(config.issuer);
    demandOneTenant(issuer);
    const authentication = clientSecret === null ? client.None() : undefined;
    try {
      const configuration = await client.discovery(
        issuer,
        config.clientId,
        {
          [client.clockTolerance]: CLOCK_SKEW_S,
          ...(clientSecret === null ? {} : { client_secret: clientSecret }),
        },
        authentication,
        {
          [client.customFetch]: (url, init) => this.#outside.fetch(url, init as RequestInit),
          // Plain addresses are refused by the fetch above, but for loopback.
          execute: [
            client.enableNonRepudiationChecks,
            ...(issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []),
          ],
          timeout: 8,
        },
      );
      if (this.#discovered.size >= 200) this.#discovered.clear();
      this.#discovered.set(key, { at: Date.now(), configuration });
      return configuration;
    } catch (error) {
      throw new RefusedAnswer(wordsOf(error));
    }
  }

  newChecks(): OidcChecks {
    return {
      state: client.randomState(),
      nonce: client.randomNonce(),
      codeVerifier: client.randomPKCECodeVerifier(),
    };
  }

  /** Where the browser goes; `isAnew` to sign in there once more, whoever is signed in already. */
  async requestUrl(
    of: OidcClient,
    { state, nonce, codeVerifier }: OidcChecks,
    isAnew: boolean,
  ): Promise<string> {
    const configuration = await this.discover(of);
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: of.redirectUrl,
      scope: SCOPE,
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      ...(isAnew ? ASK_ANEW : {}),
    });
    return url.href;
  }

  /** Exchanges the answer for an ID token and checks it. Throws `RefusedAnswer`. */
  async accept(of: OidcClient, checks: OidcChecks, answer: Record<string, string>): Promise<Person> {
    const configuration = await this.discover(of);
    try {
      const tokens = await client.authorizationCodeGrant(
        configuration,
        new URL(`${of.redirectUrl}?${new URLSearchParams(answer)}`),
        {
          expectedState: checks.state,
          expectedNonce: checks.nonce,
          pkceCodeVerifier: checks.codeVerifier,
          idTokenExpected: true,
        },
      );
      const claims = tokens.claims();
      if (!claims) throw new RefusedAnswer('The response has no ID token.');
      const facts =
        claims.email === undefined && configuration.serverMetadata().userinfo_endpoint
          ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : claims;
      if (String(facts.email_verified) === 'false')
        throw new RefusedAnswer('The provider has not verified the email address.');
      const name = typeof facts.name === 'string' ? facts.name.trim().slice(0, 120) : '';
      const email = emailIn(facts.email);
      const authenticatedAt = claims.auth_time === undefined ? null : new Date(claims.auth_time * 1000);
      return {
        subject: claims.sub,
        emails: email === null ? [] : [email],
        name: name || null,
        authenticatedAt,
      };
    } catch (error) {
      if (error instanceof RefusedAnswer) throw error;
      const isCancelled = error instanceof client.AuthorizationResponseError;
      throw new RefusedAnswer(wordsOf(error), isCancelled ? 'cancelled' : 'refused');
    }
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof client.AuthorizationResponseError)
    return `the provider answered ${error.error}${error.error_description ? `: ${error.error_description}` : ''}.`;
  if (error instanceof client.ResponseBodyError) {
    const isOfClient = /client/.test(error.error);
    const hint = isOfClient ? ' Check client ID and client secret; secrets expire at some providers.' : '';
    return `the provider refused the request: ${error.error}.${hint}`;
  }
  const causes: unknown[] = [];
  for (let one = error; one instanceof Error && causes.length < 5; one = one.cause) causes.push(one);
  const outside = causes.find((one) => one instanceof OutsideError);
  if (outside instanceof OutsideError) return outside.message;
  const issuer = otherIssuer(error);
  if (issuer !== null)
    return `the issuer there is ${issuer}. Enter it so, with Microsoft that of your tenant.`;
  return causes.map((one) => (one as Error).message).join(': ');
}

/** There, anyone with any Microsoft account is signed in, with an address that nobody checked. */
function demandOneTenant({ hostname, pathname }: URL): void {
  if (hostname === 'login.microsoftonline.com' && /^\/(common|organizations|consumers)(\/|$)/.test(pathname))
    throw new RefusedAnswer(
      'it stands for everybody who has an account with Microsoft. Enter that of your tenant: https://login.microsoftonline.com/<tenant>/v2.0.',
    );
}

/** How an issuer calls itself that calls itself differently than was expected; null for all other errors. */
function otherIssuer(error: unknown): string | null {
  const cause = error instanceof Error ? (error.cause as Record<string, unknown> | undefined) : undefined;
  const body = cause?.attribute === 'issuer' ? (cause.body as { issuer?: unknown }) : null;
  return typeof body?.issuer === 'string' ? body.issuer : null;
}
