import { randomInt } from 'node:crypto';
import { API_PREFIX } from '@albedo/contract/http/endpoint';
import { SSO_TOKEN_COOKIE } from '@albedo/contract/identity-providers/identity-providers.names';
import type { Reply, TestCloud } from './test-cloud.ts';

/** What a browser ends up with after a sign-in with an identity provider. */
export interface SsoOutcome {
  /** The session token that was handed over; null where none was. */
  token: string | null;
  /** What the page gets instead. */
  error: string | null;
}

/** A browser that keeps cookies and stops at every redirect, so that a test can be the identity provider. */
export class SsoBrowser {
  readonly #url: string;
  readonly #call: TestCloud['call'];
  readonly #cookies = new Map<string, string>();
  /** Where the last answer that was posted led to. */
  at = '';
  /** Requests are limited by address; each browser is somewhere else. */
  readonly #from = { 'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}` };

  constructor({ cloud, call }: TestCloud) {
    this.#url = cloud.url;
    this.#call = call;
  }

  /** Begins a sign-in as somebody who asks for it on our page; answers where the provider is asked. */
  async begin(providerId: string): Promise<string> {
    await this.ask('auth/saml/login/sso', { id: providerId });
    return this.start(providerId);
  }

  /** What our page calls, with the cookies that the answer brings. */
  async ask(path: string, body: object, bearer?: string): Promise<Reply> {
    await this.get(`${API_PREFIX}/version`);
    const token = this.#cookies.get('XSRF-TOKEN') ?? '';
    const headers = { ...this.#from, cookie: this.#cookie(), 'x-xsrf-token': token };
    const reply = await this.#call('POST', path, { body, headers, ...(bearer ? { token: bearer } : {}) });
    this.#keep(reply.headers);
    return reply;
  }

  /** Opens the start, from whatever site; answers where the browser is led. */
  async start(providerId: string): Promise<string> {
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

  forget(cookie: string): void {
    this.#cookies.delete(cookie);
  }

  async get(path: string): Promise<Response> {
    const { pathname, search } = new URL(path, this.#url);
    const response = await fetch(this.#url + pathname + search, {
      redirect: 'manual',
      headers: { ...this.#from, cookie: this.#cookie() },
    });
    this.#keep(response.headers);
    return response;
  }

  #keep(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
  }

  #cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async #follow(response: Response): Promise<SsoOutcome> {
    const to = new URL(response.headers.get('location') ?? '/', this.#url);
    this.at = response.headers.get('location') ?? '';
    if (response.status !== 303) return { token: null, error: `status ${response.status}` };
    if (to.pathname.startsWith(API_PREFIX)) return this.open(to.pathname + to.search);
    return { token: this.#cookies.get(SSO_TOKEN_COOKIE) ?? null, error: to.searchParams.get('error') };
  }
}
