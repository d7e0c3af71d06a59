import { createHash, randomBytes } from 'node:crypto';

export interface Account {
  user: string;
  password: string;
}

/** What a server asks for, once it has refused a request. */
export type Challenge =
  | { scheme: 'basic' }
  | { scheme: 'digest'; realm: string; nonce: string; opaque: string | null; hash: Hash; hasQop: boolean };

type Hash = 'MD5' | 'SHA-256';

/** From the strongest on; what else there is nobody speaks. */
const HASHES: readonly Hash[] = ['SHA-256', 'MD5'];

/** The strongest of the `WWW-Authenticate` headers that is known here; null where none is. */
export function challengeOf(headers: readonly string[]): Challenge | null {
  const all = headers.flatMap(challengesIn);
  const digests = all.filter((one) => one.scheme === 'digest');
  for (const hash of HASHES) {
    const found = digests.find((one) => one.hash === hash);
    if (found) return found;
  }
  return all.find(({ scheme }) => scheme === 'basic') ?? null;
}

/** One header may hold several: a word without an equals sign begins the next. */
function challengesIn(header: string): Challenge[] {
  const starts = [...header.matchAll(/(?:^|,\s*)(Basic|Digest)(?=\s|$)/gi)];
  return starts.flatMap((start, index): Challenge[] => {
    if (start[1]?.toLowerCase() === 'basic') return [{ scheme: 'basic' }];
    const text = header.slice(start.index + start[0].length, starts[index + 1]?.index);
    const digest = digestIn(text);
    return digest ? [digest] : [];
  });
}

function digestIn(text: string): Challenge | null {
  const fields = new Map<string, string>();
  for (const [, name = '', quoted, bare = ''] of text.matchAll(
    /([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))/g,
  ))
    fields.set(name.toLowerCase(), quoted === undefined ? bare : quoted.replace(/\\(.)/g, '$1'));
  const [realm, nonce] = [fields.get('realm'), fields.get('nonce')];
  const said = (fields.get('algorithm') ?? 'MD5').toUpperCase();
  const hash = HASHES.find((one) => one === said);
  const qops = fields
    .get('qop')
    ?.split(',')
    .map((one) => one.trim());
  if (realm === undefined || nonce === undefined || !hash) return null;
  if (qops && !qops.includes('auth')) return null;
  return {
    scheme: 'digest',
    realm,
    nonce,
    opaque: fields.get('opaque') ?? null,
    hash,
    hasQop: qops !== undefined,
  };
}

export interface AuthorizedRequest {
  method: string;
  /** Path and query, as on the wire. */
  path: string;
  /** How often this nonce was used, from 1. */
  count: number;
  clientNonce?: string;
}

/** The header `Authorization`. Source: RFC 7617 and RFC 7616, section 3.4; without `qop` RFC 2069. */
export function authorizationFor(
  challenge: Challenge,
  { user, password }: Account,
  request: AuthorizedRequest,
): string {
  if (challenge.scheme === 'basic') return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const { realm, nonce, opaque, hash, hasQop } = challenge;
  const digest = (text: string) =>
    createHash(hash === 'MD5' ? 'md5' : 'sha256')
      .update(text)
      .digest('hex');
  const { method, path, count, clientNonce = randomBytes(12).toString('hex') } = request;
  const [secret, what] = [digest(`${user}:${realm}:${password}`), digest(`${method}:${path}`)];
  const nonceCount = count.toString(16).padStart(8, '0');
  const proof = digest(
    hasQop ? `${secret}:${nonce}:${nonceCount}:${clientNonce}:auth:${what}` : `${secret}:${nonce}:${what}`,
  );
  const fields = [
    `username=${quoted(user)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(path)}`,
    `algorithm=${hash}`,
    `response="${proof}"`,
    ...(opaque === null ? [] : [`opaque=${quoted(opaque)}`]),
    ...(hasQop ? ['qop=auth', `nc=${nonceCount}`, `cnonce=${quoted(clientNonce)}`] : []),
  ];
  return `Digest ${fields.join(', ')}`;
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&').replace(/[\r\n]/g, '')}"`;
