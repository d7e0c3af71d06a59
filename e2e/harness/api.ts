import { randomInt } from 'node:crypto';
import {
  API_PREFIX,
  type Endpoint,
  type EndpointInput,
  type EndpointReply,
} from '@albedo/contract/http/endpoint';
import { sessionsApi } from '@albedo/contract/sessions/sessions.api';

/** Some address behind a proxy on the same machine: sign-ins are limited for each address. */
export const someAddress = (): string => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;

/** A signed-in caller of the API, as any program outside the browser would be, at an address of its own. */
export class ApiCaller {
  readonly #base: string;
  readonly #address = someAddress();
  #token = '';
  #cookie = '';
  #forgeryToken = '';

  constructor(base: string) {
    this.#base = base;
  }

  /** Of the session; empty before `signIn`. */
  get token(): string {
    return this.#token;
  }

  async signIn(email: string, password: string): Promise<void> {
    const version = await fetch(`${this.#base}${API_PREFIX}/version`);
    this.#cookie = version.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ');
    this.#forgeryToken = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(this.#cookie)?.[1] ?? '');
    const { token } = await this.call(sessionsApi.login, { body: { email, password } });
    this.#token = token;
  }

  async call<const E extends Endpoint>(endpoint: E, input: EndpointInput<E>): Promise<EndpointReply<E>> {
    const response = await this.request(endpoint, input);
    return (await response.json()) as EndpointReply<E>;
  }

  /** The raw answer; throws with the server's message when it is not a success. With a file, the body goes as a form. */
  async request<const E extends Endpoint>(
    endpoint: E,
    input: EndpointInput<E>,
    file?: File,
  ): Promise<Response> {
    const { params = {}, query = {}, body } = input as { params?: object; query?: object; body?: unknown };
    const path = endpoint.url.replace(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(String((params as Record<string, unknown>)[name])),
    );
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query))
      for (const one of Array.isArray(value) ? value : [value])
        search.append(name, typeof one === 'object' ? JSON.stringify(one) : String(one));
    const response = await fetch(`${this.#base}${API_PREFIX}${path}${search.size > 0 ? `?${search}` : ''}`, {
      method: endpoint.method,
      headers: {
        'x-forwarded-for': this.#address,
        ...(this.#token && { authorization: `Bearer ${this.#token}` }),
        ...(this.#cookie && { cookie: this.#cookie, 'x-xsrf-token': this.#forgeryToken }),
        ...(body !== undefined && !file && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: file ? formOf(body as object, file) : JSON.stringify(body) }),
    }).catch((cause: Error) => {
      throw new Error(`${endpoint.method} ${path}: ${cause.message}`, { cause });
    });
    if (!response.ok)
      throw new Error(`${endpoint.method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  }
}

function formOf(fields: object, file: File): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  form.append('files', file);
  return form;
}
