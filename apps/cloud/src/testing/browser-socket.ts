import { API_PREFIX } from '@albedo/contract/http/endpoint';
import { SOCKET_PATH, type SocketReply } from '@albedo/contract/sockets/action';
import { io, type Socket } from 'socket.io-client';
import type { TestCloud } from './test-cloud.ts';

/** A socket as the web app has it. */
export class BrowserSocket {
  readonly socket: Socket;

  /**
   * @param test a cloud in this process, or the address of one
   * @param isTicketed asks for a ticket first, and goes with the token as it is where there is none for it
   */
  constructor(
    test: TestCloud | string,
    query: { token?: string | undefined; orgName?: string },
    extraHeaders: Record<string, string> = {},
    isTicketed = true,
  ) {
    const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
    const url = typeof test === 'string' ? test : test.cloud.url;
    this.socket = io(url, {
      path: SOCKET_PATH,
      transports: ['websocket'],
      extraHeaders,
      autoConnect: false,
      reconnection: false,
      forceNew: true,
    });
    void this.#open(url, given, isTicketed);
  }

  async #open(url: string, given: Record<string, string | undefined>, isTicketed: boolean): Promise<void> {
    const ticket = given.token && isTicketed ? await ticketFor(url, given.token).catch(() => null) : null;
    const query = ticket === null ? given : { ...given, token: ticket };
    this.socket.io.opts.query = query as Record<string, string>;
    this.socket.connect();
  }

  /** Resolves when connected; rejects with the server's reason. */
  connected(): Promise<this> {
    return new Promise((resolve, reject) => {
      this.socket.once('connect', () => resolve(this));
      this.socket.once('connect_error', reject);
    });
  }

  /** The last reply of a call; every one of them goes to `each`. */
  call(action: string, request: object, each: (reply: SocketReply) => void = () => {}): Promise<SocketReply> {
    const requestId = crypto.randomUUID();
    return new Promise((resolve) => {
      const take = (reply: SocketReply) => {
        if (reply.requestId !== requestId) return;
        each(reply);
        if (!reply.complete) return;
        this.socket.off(action, take);
        resolve(reply);
      };
      this.socket.on(action, take);
      this.socket.emit(action, { requestId, ...request });
    });
  }

  /** The next event of this name that `wanted` says yes to. */
  event<T>(name: string, wanted: (payload: T) => boolean = () => true): Promise<T> {
    return new Promise((resolve) => {
      const take = (payload: T) => {
        if (!wanted(payload)) return;
        this.socket.off(name, take as never);
        resolve(payload);
      };
      this.socket.on(name, take as never);
    });
  }

  close(): void {
    this.socket.disconnect();
  }
}

/** A ticket for a socket; null for a token that gets none. */
export async function ticketFor(url: string, token: string): Promise<string | null> {
  const { headers } = await fetch(`${url}${API_PREFIX}/version`);
  const csrf = /XSRF-TOKEN=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? '';
  const asked = { authorization: `bearer ${token}`, cookie: `XSRF-TOKEN=${csrf}`, 'x-xsrf-token': csrf };
  const reply = await fetch(`${url}${API_PREFIX}/socket-ticket`, { method: 'POST', headers: asked });
  return reply.ok ? ((await reply.json()) as { ticket: string }).ticket : null;
}
