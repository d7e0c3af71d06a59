import { type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { AppError } from '../errors/app-error.ts';
import type { Tunnels } from './tunnels.service.ts';
import type { TunnelRow } from './tunnels.store.ts';

/** Not a path that the page of a machine has. */
const ENTER = '/.albedo/enter/';
const COOKIE = 'albedo_page';
/** Belongs to one connection, not to what is asked. */
const HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** Would hold for longer than the tunnel, or for other host names. */
const NOT_BACK = new Set([...HOP, 'strict-transport-security', 'alt-svc', 'public-key-pins']);

/** Host name below which each page has one of its own, and how browsers reach it. */
export interface RemoteWebPlace {
  host: string;
  /** Such as `http://localhost:8080`: scheme and port hold for the pages too. */
  publicUrl: () => string;
}

/**
 * Pages of machines, each on a host name of its own, so that to a browser they are strangers to the app and to one another.
 * What their host names ask never reaches the app, and what they answer never has its address.
 */
export class RemoteWeb {
  readonly #tunnels: Tunnels;
  readonly #place: RemoteWebPlace;

  constructor(tunnels: Tunnels, place: RemoteWebPlace) {
    this.#tunnels = tunnels;
    this.#place = place;
  }

  /** First part of the host name of a page; null for any other host. */
  labelOf({ headers: { host = '' } }: IncomingMessage): string | null {
    const name = host.toLowerCase().replace(/:\d+$/, '');
    const end = `.${this.#place.host}`;
    if (!name.endsWith(end)) return null;
    const label = name.slice(0, -end.length);
    return /^[0-9a-f]{8}-[0-9a-f]{24}$/.test(label) ? label : null;
  }

  /** Answers a request to the host name of a page. */
  async serve(label: string, asked: IncomingMessage, reply: ServerResponse): Promise<void> {
    try {
      const row = await this.#tunnels.ofLabel(label);
      const path = asked.url ?? '/';
      if (path.startsWith(ENTER)) {
        await this.#enter(row, path.slice(ENTER.length), reply);
        return;
      }
      if (!this.#tunnels.isShown(row, cookieOf(asked.headers))) {
        say(reply, 403, 'Open this page from the device, under Tunnels.');
        return;
      }
      await this.#forward(row, asked, reply);
    } catch (error) {
      fail(reply, error);
    }
  }

  /** A page that speaks WebSocket, or anything else that takes a connection over. */
  async upgrade(label: string, asked: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    try {
      const row = await this.#tunnels.ofLabel(label);
      if (!this.#tunnels.isShown(row, cookieOf(asked.headers))) throw new AppError('tunnel.over');
      const stream = await this.#secured(row);
      const { connection = 'Upgrade', upgrade = '' } = asked.headers;
      const headers = { ...this.#headersFor(row, asked.headers), connection, upgrade };
      const lines = Object.entries(headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((one) => `${name}: ${one}`),
      );
      stream.write(`${asked.method} ${asked.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      if (head.length > 0) stream.write(head);
      joined(socket, stream);
    } catch (error) {
      const status = error instanceof AppError ? error.status : 502;
      socket.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
    }
  }

  /** The token of the address is good once; the browser keeps another one, for this host name alone. */
  async #enter(row: TunnelRow, token: string, reply: ServerResponse): Promise<void> {
    const kept = await this.#tunnels.enter(row, token);
    const isHttps = this.#place.publicUrl().startsWith('https:');
    const seconds = Math.max(0, Math.floor((row.endsAt.getTime() - Date.now()) / 1000));
    const cookie = `${COOKIE}=${kept}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}`;
    reply.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'set-cookie': isHttps ? `${cookie}; Secure` : cookie,
      ...OWN_HEADERS,
    });
    // A redirect would count as coming from the app, and the cookie would not go with it.
    reply.end('<!doctype html><meta http-equiv="refresh" content="0;url=/"><title>Albedo</title>');
  }

  async #forward(row: TunnelRow, asked: IncomingMessage, reply: ServerResponse): Promise<void> {
    const stream = await this.#secured(row);
    const forwarded = request({
      createConnection: () => stream,
      method: asked.method ?? 'GET',
      path: asked.url ?? '/',
      headers: { ...this.#headersFor(row, asked.headers), connection: 'close' },
      setHost: false,
    });
    reply.once('close', () => {
      forwarded.destroy();
      stream.destroy();
    });
    forwarded.on('error', (error) => fail(reply, error));
    forwarded.on('response', (answer) => {
      try {
        reply.writeHead(answer.statusCode ?? 502, headersBack(row, answer.headers));
      } catch (error) {
        fail(reply, error);
        return;
      }
      pipeline(answer, reply, () => {});
    });
    pipeline(asked, forwarded, () => {});
  }

  async #secured(row: TunnelRow): Promise<Duplex> {
    const stream = await this.#tunnels.connect(row);
    if (row.kind !== 'https') return stream;
    // Machines sign their own certificates; from the device on it is the plant's own network.
    const name = isIP(row.host) === 0 ? { servername: row.host } : {};
    const secured = connectTls({ socket: stream, rejectUnauthorized: false, ...name });
    secured.on('error', () => stream.destroy());
    return secured;
  }

  /** What the machine is asked with: as if the browser stood beside it. */
  #headersFor(row: TunnelRow, given: IncomingHttpHeaders): Record<string, string | string[] | undefined> {
    const own = originOf(row);
    const headers = Object.fromEntries(
      Object.entries(given).filter(([name]) => !HOP.has(name) && name !== 'cookie' && name !== 'host'),
    ) as Record<string, string | string[] | undefined>;
    const cookies = (given.cookie ?? '')
      .split(/; */)
      .filter((one) => one !== '' && !one.startsWith(`${COOKIE}=`));
    if (cookies.length > 0) headers.cookie = cookies.join('; ');
    if (given.origin) headers.origin = own;
    if (given.referer) headers.referer = given.referer.replace(/^https?:\/\/[^/]+/, own);
    return { host: new URL(own).host, ...headers };
  }
}

/** Joins a connection of a client with one of a device; either end ends both. */
export function joined(socket: Duplex, stream: Duplex): void {
  pipeline(socket, stream, (error) => error && socket.destroy());
  pipeline(stream, socket, (error) => error && stream.destroy());
}

function headersBack(row: TunnelRow, given: IncomingHttpHeaders): Record<string, string | string[]> {
  const back: Record<string, string | string[]> = { 'referrer-policy': 'same-origin' };
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || NOT_BACK.has(name)) continue;
    if (name === 'set-cookie') back[name] = [value].flat().flatMap(cookieBack);
    else if (name === 'location') back[name] = String(value).replace(originPattern(row), '') || '/';
    else back[name] = value;
  }
  return back;
}

/** A cookie of the machine, for the host name of the page alone; none that is called as ours. */
function cookieBack(cookie: string): string[] {
  if (cookie.trimStart().startsWith(`${COOKIE}=`)) return [];
  return [cookie.replace(/;\s*domain=[^;]*/gi, '')];
}

function cookieOf({ cookie = '' }: IncomingHttpHeaders): string | undefined {
  const own = cookie.split(/; */).find((one) => one.startsWith(`${COOKIE}=`));
  return own?.slice(COOKIE.length + 1);
}

const originOf = ({ kind, host, port }: TunnelRow): string => {
  const name = isIP(host) === 6 ? `[${host}]` : host;
  return new URL(`${kind}://${name}:${port}`).origin;
};

const originPattern = (row: TunnelRow): RegExp => {
  const { host, port } = row;
  const name = (isIP(host) === 6 ? `[${host}]` : host).replace(/[.[\]]/g, '\\$&');
  return new RegExp(`^https?://${name}(?::${port})?(?=/|$)`, 'i');
};

const OWN_HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'",
} as const;

function say(reply: ServerResponse, status: number, text: string): void {
  reply.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...OWN_HEADERS });
  reply.end(`${text}\n`);
}

function fail(reply: ServerResponse, error: unknown): void {
  if (reply.headersSent) reply.destroy();
  else if (error instanceof AppError) say(reply, error.status, error.message);
  else say(reply, 502, `The machine did not answer: ${(error as Error).message}`);
}
