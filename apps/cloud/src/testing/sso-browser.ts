import { randomInt } from 'node:crypto';
import { API_PREFIX } from '@albedo/contract/http/endpoint';
import { SSO_TOKEN_COOKIE } from '@albedo/contract/identity-providers/identity-providers.names';
import type { TestCloud } from './test-cloud.ts';

/** What a browser ends up with after a sign-in with an identity provider. */
export interface SsoOutcome {
  /** The session token that was handed over; null where none was. */
  token: string | null;
  /** What the page is told instead. */
  error: string | null;
}

/** A browser that keeps cookies and stops at every redirect, so that a test can be the identity provider. */
export class SsoBrowser {
  readonly #url: string;
  readonly #cookies = new Map<string, string>();
  /** Requests are limited by address; each browser is somewhere else. */
  readonly #from = { 'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}` };

  constructor({ cloud }: TestCloud) {
    this.#url = cloud.url;
  }

  /** Begins a sign-in; answers where the provider is asked. */
  async begin(providerId: string): Promise<string> {
    const response = await this.get(`${API_PREFIX}/auth/saml/login/sso?id=${providerId}&moved=1`);
    return response.headers.get('location') ?? '';
  }

  /** Posts the answer of a SAML provider, from another site: without cookies. */
  async post(SAMLResponse: string, RelayState: string): Promise<SsoOutcome> {
    const response = await fetch(`${this.#url}${API_PREFIX}/auth/saml/login/sso/callback`, {
      method: 'POST',
      redirect: 'manual',
      headers: this.#from,
      body: new URLSearchParams({ SAMLResponse, RelayState }),
    });
    return this.#follow(response);
  }

  /** Opens an address of ours as a navigation and goes on until the page. */
  async open(path: string): Promise<SsoOutcome> {
    return this.#follow(await this.get(path));
  }

  async get(path: string): Promise<Response> {
    const { pathname, search } = new URL(path, this.#url);
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(this.#url + pathname + search, {
      redirect: 'manual',
      headers: { ...this.#from, cookie },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    return response;
  }

  async #follow(response: Response): Promise<SsoOutcome> {
    const to = new URL(response.headers.get('location') ?? '/', this.#url);
    if (response.status !== 303) return { token: null, error: `status ${response.status}` };
    if (to.pathname.startsWith(API_PREFIX)) return this.open(to.pathname + to.search);
    return { token: this.#cookies.get(SSO_TOKEN_COOKIE) ?? null, error: to.searchParams.get('error') };
  }
}
