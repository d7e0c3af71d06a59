import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import proxyAddress from '@fastify/proxy-addr';
import ipaddr from 'ipaddr.js';
import { AppError } from '../errors/app-error.ts';
import { trustedProxies } from './server.ts';

/** Asked by machines of the operator, which learn nothing that is secret. */
const OPEN: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/**
 * Looks at requests and handshakes that come from another machine without TLS, as far as this server and the proxies that
 * it trusts know: `hear` learns of the first one. Where they are not `allowed`, each is refused before anything of it is
 * read. Stands before everything else that listens to the server by then.
 */
export function watchPlainRequests(
  server: Server,
  of: { trustedProxies: readonly string[]; allowed: boolean; hear: (address: string) => void },
): void {
  const isTrusted = proxyAddress.compile(trustedProxies(of.trustedProxies));
  let isHeard = false;
  const isRefused = (asked: IncomingMessage): boolean => {
    if ((of.allowed && isHeard) || OPEN.has(asked.url ?? '') || !isPlain(asked, isTrusted)) return false;
    if (!isHeard) of.hear(asked.socket.remoteAddress ?? '');
    isHeard = true;
    return !of.allowed;
  };
  const [requests, upgrades] = [server.listeners('request'), server.listeners('upgrade')];
  server.removeAllListeners('request').removeAllListeners('upgrade');
  server.on('request', (asked: IncomingMessage, reply: ServerResponse) => {
    if (isRefused(asked)) refuse(reply);
    else for (const listener of requests) listener.call(server, asked, reply);
  });
  server.on('upgrade', (asked: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (isRefused(asked))
      socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    else for (const listener of upgrades) listener.call(server, asked, socket, head);
  });
}

function refuse(reply: ServerResponse): void {
  const { status, body } = new AppError('request.plain');
  reply.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    // What the rest of the request says is not read.
    connection: 'close',
  });
  reply.end(JSON.stringify(body));
}

type IsTrusted = (address: string, hop: number) => boolean;

/** A proxy that says nothing of how it was asked counts as one that was asked without TLS. */
function isPlain({ socket, headers }: IncomingMessage, isTrusted: IsTrusted): boolean {
  const peer = socket.remoteAddress ?? '';
  const { 'x-forwarded-proto': protocol, 'x-forwarded-for': client } = headers;
  const isOfProxy = isTrusted(peer, 0) && (protocol !== undefined || client !== undefined);
  if (!isOfProxy) return !isHere(peer);
  return String(protocol).split(',').at(-1)?.trim().toLowerCase() !== 'https';
}

const isHere = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
