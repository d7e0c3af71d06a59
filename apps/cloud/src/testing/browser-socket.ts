import { SOCKET_PATH, type SocketReply } from '@albedo/contract/sockets/action';
import { io, type Socket } from 'socket.io-client';
import type { TestCloud } from './test-cloud.ts';

/** A socket as the web app has it. */
export class BrowserSocket {
  readonly socket: Socket;

  /** @param test a cloud in this process, or the address of one */
  constructor(
    test: TestCloud | string,
    query: { token?: string | undefined; orgName?: string },
    extraHeaders: Record<string, string> = {},
  ) {
    const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
    this.socket = io(typeof test === 'string' ? test : test.cloud.url, {
      path: SOCKET_PATH,
      transports: ['websocket'],
      query: given,
      extraHeaders,
      reconnection: false,
      forceNew: true,
    });
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
