import type { IncomingMessage } from 'node:http';

/**
 * Whether a handshake comes from a page of this server, or from no page at all. A browser always says which page asks, and no
 * page can make it say something else; programs say nothing. `publicUrl` is for proxies that give the server another name.
 */
export function isOwnPage({ headers }: IncomingMessage, publicUrl: string): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const forwarded = String(headers['x-forwarded-host'] ?? '').split(',');
  const ours = [host, new URL(publicUrl).host, ...forwarded].map((one) => one?.trim().toLowerCase());
  return ours.includes(new URL(origin).host);
}
