import ipaddr from 'ipaddr.js';

/** Where connections to other machines may do without TLS: nowhere, within private networks, or everywhere. */
export const PLAIN_CONNECTIONS = ['none', 'private', 'any'] as const;
export type PlainConnections = (typeof PLAIN_CONNECTIONS)[number];

type Given = Readonly<Record<string, string | undefined>>;
type Place = 'here' | 'private' | 'public';

/** Addresses of servers that this one connects to, and what an encrypted one looks like. */
const SERVERS = {
  DATABASE_URL: 'sslmode=verify-full',
  CLICKHOUSE_URL: 'https://',
  MQTT_URL: 'mqtts://',
  REDIS_URL: 'rediss://',
  S3_URL: 'https://',
  ALBEDO_BACKUP_TO: 'https://',
} as const;
const NAMES = Object.keys(SERVERS) as (keyof typeof SERVERS)[];

/** Names and passwords that servers come with. */
const SHIPPED = new Set(['default:', 'postgres:', 'guest:guest', 'minioadmin:minioadmin', 'admin:password']);

/** Variables whose server is on another machine and is spoken to without TLS, or without a look at its certificate. */
export const plainServers = (given: Given): string[] =>
  NAMES.filter((name) => {
    const url = urlOf(given[name]);
    return url !== null && placeOf(url) !== 'here' && !isChecked(url);
  });

/** What stands against the addresses of servers: no TLS where it is asked for, or a password that everybody knows. */
export function faultsOfServers(given: Given, allowed: PlainConnections): string[] {
  const plain = plainServers(given).filter((name) => !mayBePlain(given[name], allowed));
  const known = [...NAMES, 'SMTP_URL'].filter((name) => hasKnownPassword(given[name]));
  const { CLICKHOUSE_URL: clickhouse } = given;
  const isOpen = hasNoPassword(clickhouse) && !known.includes('CLICKHOUSE_URL');
  return [
    ...plain.map((name) => {
      const wanted = SERVERS[name as keyof typeof SERVERS];
      return `${name} must ask for TLS (${wanted}), or ALBEDO_PLAIN_CONNECTIONS must let it be without`;
    }),
    ...known.map((name) => `${name} has a password that everybody knows`),
    ...(isOpen
      ? ['CLICKHOUSE_URL must name a user with a password, since its server is on another machine']
      : []),
  ];
}

/**
 * The address of PostgreSQL, which is told there whose certificates count, and which one we show; `caFile` null for those of the
 * system, `certFile` for none.
 */
export function withAuthority(
  databaseUrl: string | undefined,
  caFile: string | null,
  certFile: string | null = null,
): string | null {
  const url = urlOf(databaseUrl);
  if (!url || !databaseUrl) return null;
  if (!isChecked(url)) return databaseUrl;
  const files = { sslrootcert: caFile, sslcert: certFile, sslkey: certFile };
  const missing = Object.entries(files).filter(([name, file]) => file && !url.searchParams.has(name));
  for (const [name, file] of missing) url.searchParams.set(name, file ?? '');
  return missing.length > 0 ? url.href : databaseUrl;
}

/** Mail servers begin without TLS and offer it: whether one that does not is refused. */
export function demandsMailTls(smtpUrl: string | undefined, allowed: PlainConnections): boolean {
  const url = urlOf(smtpUrl);
  return url !== null && placeOf(url) !== 'here' && !mayBePlain(smtpUrl, allowed);
}

function mayBePlain(text: string | undefined, allowed: PlainConnections): boolean {
  const url = urlOf(text);
  return allowed === 'any' || (allowed === 'private' && url !== null && placeOf(url) === 'private');
}

/** Null for what is no address of a server, such as a folder. */
const urlOf = (text: string | undefined): URL | null =>
  text !== undefined && URL.canParse(text) ? new URL(text) : null;

/** Encrypted, and by a server whose certificate is checked. */
function isChecked(url: URL): boolean {
  const { protocol, searchParams } = url;
  if (!/^postgres(ql)?:$/.test(protocol)) return ['https:', 'mqtts:', 'rediss:', 's3:'].includes(protocol);
  const mode = searchParams.get('sslmode');
  // With this, the driver reads the modes as libpq does, which checks nothing before `verify-ca`.
  if (searchParams.get('uselibpqcompat') === 'true') return mode === 'verify-ca' || mode === 'verify-full';
  if (mode !== null) return mode !== 'disable' && mode !== 'no-verify';
  const ssl = searchParams.get('ssl');
  return ssl === 'true' || ssl === '1' || searchParams.has('sslrootcert');
}

/** Of several hosts, or of one in the query, the one that is farthest away. */
function placeOf({ hostname, searchParams, protocol }: URL): Place {
  if (protocol === 's3:') return 'public';
  const hosts = (searchParams.get('host') ?? hostname).split(',');
  const places = hosts.map(placeOfHost);
  return places.includes('public') ? 'public' : places.includes('private') ? 'private' : 'here';
}

/** A name without a dot, as containers have, and those of local networks are private; a path is a socket of this machine. */
function placeOfHost(text: string): Place {
  const host = text.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (host === '' || host.startsWith('/') || host.startsWith('%2f') || host === 'localhost') return 'here';
  if (!ipaddr.isValid(host)) {
    if (host.endsWith('.localhost')) return 'here';
    const isLocal = !host.includes('.') || /\.(internal|local|lan|home\.arpa)$/.test(host);
    return isLocal ? 'private' : 'public';
  }
  const range = ipaddr.process(host).range();
  if (range === 'loopback') return 'here';
  return ['private', 'uniqueLocal', 'carrierGradeNat', 'linkLocal'].includes(range) ? 'private' : 'public';
}

function hasKnownPassword(text: string | undefined): boolean {
  const url = urlOf(text);
  if (!url || placeOf(url) === 'here') return false;
  const { username, password } = url;
  return username !== '' && (username === password || SHIPPED.has(`${username}:${password}`));
}

function hasNoPassword(text: string | undefined): boolean {
  const url = urlOf(text);
  if (!url || placeOf(url) === 'here') return false;
  const { searchParams: asked } = url;
  return (url.password || asked.get('password')) === null || (url.password || asked.get('password')) === '';
}

/** True for `tcp://host:port` and `unix:/path`, where a daemon of ClamAV listens. */
export const isClamdAddress = (address: string): boolean =>
  /^unix:\/./.test(address) || (URL.canParse(address) && /^tcp:\/\/[^/]+:\d+$/.test(address));
