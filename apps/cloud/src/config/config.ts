import proxyAddress from '@fastify/proxy-addr';
import { z } from 'zod';
import { DEFAULT_QUOTAS, type QuotaLimits } from '../access/quotas.ts';
import { isBucket } from '../files/s3-address.ts';
import { cookieLifeS } from '../http/cookie-life.ts';
import {
  demandsMailTls,
  faultsOfServers,
  isClamdAddress,
  PLAIN_CONNECTIONS,
  type PlainConnections,
  plainServers,
  withAuthority,
} from './connections.ts';
import { withFiles } from './secret-files.ts';

export const ROLES = ['api', 'ingest', 'jobs'] as const;
export type CloudRole = (typeof ROLES)[number];

const flag = z
  .string()
  .default('0')
  .transform((text) => !['', '0', 'false', 'f', 'off', 'no', 'n'].includes(text.trim().toLowerCase()));

const port = (byDefault: number) =>
  z
    .string()
    .default(String(byDefault))
    .transform((text) => (/^\d{1,5}$/.test(text) ? Number(text) : Number.NaN))
    .refine((value) => value <= 65_535, 'must be a port from 0 to 65535 (0 takes a free one)');

const url = (...protocols: string[]) =>
  z
    .string()
    .refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
      message: `must be an address that begins with ${protocols.map((one) => `${one}//`).join(' or ')}`,
    })
    .optional();

const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean),
  );

/** `name=number` of a quota, as one entry. */
function quotaIn(text: string): [[string, number]] | null {
  const [, name = '', number = ''] = /^([a-z-]+)=(\d{1,9})$/.exec(text) ?? [];
  return Object.hasOwn(DEFAULT_QUOTAS, name) ? [[name, Number(number)]] : null;
}

/** What `docs/configuration.md` tells, one entry for each variable. */
const mfaWish = z.enum(['required', 'optional'], { error: 'must be required or optional' }).optional();

const variables = z.object({
  ALBEDO_HOST: z.string().min(1, 'must name a host or address').default('127.0.0.1'),
  ALBEDO_PORT: port(8080),
  ALBEDO_PUBLIC_URL: url('http:', 'https:'),
  ALBEDO_TRUSTED_PROXIES: list.refine(
    areNetworks,
    'must be addresses or networks such as 10.0.0.0/8, comma separated',
  ),
  ALBEDO_OUTBOUND_NETWORKS: list.refine(
    areNetworks,
    'must be addresses or networks such as 192.168.0.0/16, comma separated',
  ),
  ALBEDO_OUTBOUND_HOSTS: list
    .transform((hosts) => hosts.map((one) => one.toLowerCase()))
    .refine(
      (hosts) => hosts.every((one) => /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(one)),
      'must be host names, or *. and one, comma separated',
    ),
  ALBEDO_PLAIN_CONNECTIONS: z
    .enum(PLAIN_CONNECTIONS, { error: 'must be none, private or any' })
    .default('private'),
  ALBEDO_ADDRESS_TOKENS: z.enum(['none', 'any'], { error: 'must be none or any' }).default('any'),
  ALBEDO_OLD_CIPHERS: z.enum(['none', 'any'], { error: 'must be none or any' }).default('any'),
  ALBEDO_CA_FILE: z.string().min(1, 'must name a file').optional(),
  ALBEDO_CERT_FILE: z.string().min(1, 'must name a file').optional(),
  ALBEDO_CED_LAUNCHER: z.string().startsWith('/', 'must be the path of a program').optional(),
  ALBEDO_REMOTE_WEB_HOST: z
    .string()
    .toLowerCase()
    .regex(/^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)*$/, 'must be a host name')
    .optional(),
  ALBEDO_DATA: z.string().min(1, 'must name a folder').default('./data'),
  ALBEDO_DEMO: flag,
  ALBEDO_OWNER_EMAIL: z
    .string()
    .toLowerCase()
    .regex(/^[^@\s]+@[^@\s]+$/, 'must be an e-mail address')
    .default('owner@albedo.local'),
  ALBEDO_OWNER_PASSWORD: z.string().min(8, 'must contain at least 8 characters').optional(),
  ALBEDO_STAFF_DOMAINS: list
    .transform((domains) => domains.map((one) => one.toLowerCase()))
    .refine((domains) => domains.length <= 2, 'names at most two domains'),
  ALBEDO_STAFF_MFA: mfaWish,
  ALBEDO_WORKGROUP_MFA: z
    .enum(['always', 'required', 'optional'], { error: 'must be always, required or optional' })
    .optional(),
  ALBEDO_ADDON_MANAGERS: list
    .transform((emails) => emails.map((one) => one.toLowerCase()))
    .refine((emails) => emails.every((one) => /^[^@\s]+@[^@\s]+$/.test(one)), 'must be e-mail addresses'),
  ALBEDO_KNOWN_BROWSER: z
    .string()
    .default('180d')
    .transform((text) => cookieLifeS(text) ?? 0)
    .refine((seconds) => seconds > 0, 'must be a number of days, or a time such as 180d, 12h or 1d 12h'),
  ALBEDO_ROLES: list
    .refine((roles) => roles.every((role) => (ROLES as readonly string[]).includes(role)), {
      message: `may name ${ROLES.join(', ')} and nothing else`,
    })
    .transform((roles) => new Set((roles.length ? roles : ROLES) as CloudRole[])),
  ALBEDO_MQTT_PORT: port(8883),
  ALBEDO_MQTT_PUBLIC_HOST: z.string().min(1, 'must name a host or address').optional(),
  ALBEDO_METRICS_TOKEN: z.string().min(16, 'must contain at least 16 characters').optional(),
  DATABASE_URL: url('postgres:', 'postgresql:'),
  CLICKHOUSE_URL: url('http:', 'https:'),
  MQTT_URL: url('mqtt:', 'mqtts:'),
  REDIS_URL: url('redis:', 'rediss:'),
  ALBEDO_CLAMD: z.string().refine(isClamdAddress, 'must be tcp://host:port or unix:/path').optional(),
  SMTP_URL: url('smtp:', 'smtps:'),
  ALBEDO_MAIL_FROM: z
    .string()
    .regex(/^[^@\s]+@[^@\s]+$/, 'must be an e-mail address')
    .optional(),
  ALBEDO_SUPPORT_EMAIL: z
    .string()
    .regex(/^[^@\s]+@[^@\s]+$/, 'must be an e-mail address')
    .optional(),
  S3_URL: url('s3:', 'http:', 'https:').refine(
    (text) => text === undefined || isBucket(text),
    'must name a bucket: s3://bucket or https://key:secret@host/bucket',
  ),
  ALBEDO_KEY: z.string().min(32, 'must contain at least 32 characters').optional(),
  ALBEDO_KEY_FILE: z.string().min(1, 'must name a file').optional(),
  ALBEDO_KEY_COMMAND: z.string().min(1, 'must be a command').optional(),
  ALBEDO_QUOTAS: list
    .refine(
      (texts) => texts.every((one) => quotaIn(one)),
      `may set ${Object.keys(DEFAULT_QUOTAS).join(', ')}, each as name=number, comma separated`,
    )
    .transform((texts) => ({
      ...DEFAULT_QUOTAS,
      ...Object.fromEntries(texts.flatMap((one) => quotaIn(one) ?? [])),
    })),
  ALBEDO_REGION: z.string().trim().min(1, 'must name a place').max(80).optional(),
  ALBEDO_PLANS: list.refine(
    (plans) => plans.every((one) => one.length <= 80),
    'must be names of at most 80 characters, comma separated',
  ),
  ALBEDO_BACKUP_TO: z.string().min(1, 'must name a folder or a bucket').optional(),
  ALBEDO_BACKUP_RECIPIENTS: list.refine(
    (keys) => keys.every((key) => /^age1[a-z0-9]+$/.test(key)),
    'must be public keys of age, which begin with age1, comma separated',
  ),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'must be trace, debug, info, warn, error, fatal or silent',
    })
    .default('info'),
});

export interface Config {
  host: string;
  port: number;
  /** Where people reach the server; null means `http://localhost:<port>` with the port that was taken. */
  publicUrl: string | null;
  /** Other machines than this one reach it, as its public address or the one it listens at says. */
  isPublic: boolean;
  /** Addresses and networks whose word on a client's address counts, besides this machine's. */
  trustedProxies: string[];
  /** Private addresses and networks that external sources may be read from. */
  outboundNetworks: string[];
  /** Host names that people may have read, `*.` before one for all below it; empty for any. */
  outboundHosts: string[];
  /** Where connections to other machines may do without TLS. */
  plainConnections: PlainConnections;
  /** Programs may open sockets with their token in the address. */
  addressTokens: boolean;
  /** Identity providers may encrypt with CBC, SHA-1 and 128 bits. */
  oldCiphers: boolean;
  /** Variables whose server is on another machine and is spoken to without TLS. */
  plainServers: string[];
  /** The only authorities whose certificates servers named here may show, PEM; null for those of the system. */
  caFile: string | null;
  /** Certificate and key that this server shows to those named here, PEM; null where it has none. */
  certFile: string | null;
  /** Program that joins the network of a plant and goes on as a cloud device; null without one. */
  cedLauncher: string | null;
  /** Host name below which pages of machines have one each; null for none. */
  remoteWebHost: string | null;
  /** Folder of everything the embedded parts keep. */
  dataDir: string;
  isDemo: boolean;
  ownerEmail: string;
  /** Null: one is made and printed once. */
  ownerPassword: string | null;
  staffDomains: string[];
  /** The staff must have a second factor. */
  staffMfa: boolean;
  /** Members of a new workgroup must have a second factor, unless whoever makes it says otherwise. */
  workgroupMfa: boolean;
  /** Everybody must have a second factor, whatever workgroups say. */
  mfaOfAll: boolean;
  /** How long a browser counts as known after a sign-in, seconds. */
  knownBrowserS: number;
  /** E-mails of the staff who may change addons. */
  addonManagers: string[];
  roles: ReadonlySet<CloudRole>;
  mqttPort: number;
  /** Host name that agents call the embedded broker by. */
  mqttPublicHost: string;
  metricsToken: string | null;
  databaseUrl: string | null;
  clickhouseUrl: string | null;
  mqttUrl: string | null;
  redisUrl: string | null;
  /** Where a virus scanner listens. */
  clamd: string | null;
  /** Null: mails become files in the data folder. */
  smtpUrl: string | null;
  /** Mails go nowhere rather than without TLS. */
  smtpNeedsTls: boolean;
  /** Sender of mails; null means `no-reply@` the host of the public address. */
  mailFrom: string | null;
  /** Who is mailed of support tickets; null means the provider's staff, or the owner. */
  supportEmail: string | null;
  /** Keys that seal the secrets of this installation, from one of three places; null everywhere: they are not sealed. */
  key: string | null;
  keyFile: string | null;
  keyCommand: string | null;
  /** What one person and one workgroup may use of this process. */
  quotas: QuotaLimits;
  /** Where the data lies, in the provider's words; null where nobody says. */
  region: string | null;
  /** Names of the plans that workgroups can have. */
  plans: string[];
  /** Where the backup of each night goes; null for none. */
  backupTo: string | null;
  /** Who can read backups: public keys of age. */
  backupRecipients: string[];
  s3Url: string | null;
  logLevel: string;
}

/** Says which variables are wrong and why, all of them, on one line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Reads the configuration from the environment; an empty variable counts as not set. Throws `ConfigError`. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const isSet = ([, value]: [string, string | undefined]) => value !== undefined && value !== '';
  const files = withFiles(Object.fromEntries(Object.entries(env).filter(isSet)));
  const given = Object.fromEntries(Object.entries(files.env).filter(isSet));
  const parsed = variables.safeParse(given);
  const faults = [
    ...(parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.')} ${issue.message}`),
    ...files.faults,
    ...(parsed.success ? faultsOfServers(given, parsed.data.ALBEDO_PLAIN_CONNECTIONS) : []),
    ...faultsOfRoles(given),
    ...faultsOfKeys(given),
    ...faultsOfRemoteWeb(given),
  ];
  if (!parsed.success || faults.length > 0) {
    throw new ConfigError(`The configuration is not usable: ${[...new Set(faults)].join('; ')}.`);
  }
  const values = parsed.data;
  const isPublic = !isOwn(values.ALBEDO_HOST) || !isOwn(hostOf(values.ALBEDO_PUBLIC_URL));
  const isRequired = (wish: string | undefined) => (wish === undefined ? isPublic : wish !== 'optional');
  return {
    host: values.ALBEDO_HOST,
    port: values.ALBEDO_PORT,
    publicUrl: values.ALBEDO_PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    isPublic,
    trustedProxies: values.ALBEDO_TRUSTED_PROXIES,
    outboundNetworks: values.ALBEDO_OUTBOUND_NETWORKS,
    outboundHosts: values.ALBEDO_OUTBOUND_HOSTS,
    plainConnections: values.ALBEDO_PLAIN_CONNECTIONS,
    addressTokens: values.ALBEDO_ADDRESS_TOKENS === 'any',
    oldCiphers: values.ALBEDO_OLD_CIPHERS === 'any',
    plainServers: plainServers(given),
    caFile: values.ALBEDO_CA_FILE ?? null,
    certFile: values.ALBEDO_CERT_FILE ?? null,
    cedLauncher: values.ALBEDO_CED_LAUNCHER ?? null,
    remoteWebHost:
      values.ALBEDO_REMOTE_WEB_HOST ??
      (hostOf(values.ALBEDO_PUBLIC_URL) === 'localhost' ? 'localhost' : null),
    dataDir: values.ALBEDO_DATA,
    isDemo: values.ALBEDO_DEMO,
    ownerEmail: values.ALBEDO_OWNER_EMAIL,
    ownerPassword: values.ALBEDO_OWNER_PASSWORD ?? null,
    staffDomains: values.ALBEDO_STAFF_DOMAINS,
    staffMfa: isRequired(values.ALBEDO_STAFF_MFA),
    workgroupMfa: isRequired(values.ALBEDO_WORKGROUP_MFA),
    mfaOfAll: values.ALBEDO_WORKGROUP_MFA === 'always',
    knownBrowserS: values.ALBEDO_KNOWN_BROWSER,
    addonManagers: values.ALBEDO_ADDON_MANAGERS,
    roles: values.ALBEDO_ROLES,
    mqttPort: values.ALBEDO_MQTT_PORT,
    mqttPublicHost: values.ALBEDO_MQTT_PUBLIC_HOST ?? hostOf(values.ALBEDO_PUBLIC_URL),
    metricsToken: values.ALBEDO_METRICS_TOKEN ?? null,
    databaseUrl: withAuthority(
      values.DATABASE_URL,
      values.ALBEDO_CA_FILE ?? null,
      values.ALBEDO_CERT_FILE ?? null,
    ),
    clickhouseUrl: values.CLICKHOUSE_URL ?? null,
    mqttUrl: values.MQTT_URL ?? null,
    redisUrl: values.REDIS_URL ?? null,
    clamd: values.ALBEDO_CLAMD ?? null,
    smtpUrl: values.SMTP_URL ?? null,
    smtpNeedsTls: demandsMailTls(values.SMTP_URL, values.ALBEDO_PLAIN_CONNECTIONS),
    mailFrom: values.ALBEDO_MAIL_FROM ?? null,
    supportEmail: values.ALBEDO_SUPPORT_EMAIL ?? null,
    s3Url: values.S3_URL ?? null,
    key: values.ALBEDO_KEY ?? null,
    keyFile: values.ALBEDO_KEY_FILE ?? null,
    keyCommand: values.ALBEDO_KEY_COMMAND ?? null,
    quotas: values.ALBEDO_QUOTAS,
    region: values.ALBEDO_REGION ?? null,
    plans: values.ALBEDO_PLANS,
    backupTo: values.ALBEDO_BACKUP_TO ?? null,
    backupRecipients: values.ALBEDO_BACKUP_RECIPIENTS,
    logLevel: values.LOG_LEVEL,
  };
}

const SHARED = ['DATABASE_URL', 'CLICKHOUSE_URL', 'REDIS_URL'] as const;

/** A process that does not do everything works with others, and what is embedded cannot be shared. */
function faultsOfRoles(given: Readonly<Record<string, unknown>>): string[] {
  const { ALBEDO_ROLES: roles } = given;
  if (typeof roles !== 'string') return [];
  const isPart = ROLES.some((role) => !roles.split(',').some((one) => one.trim() === role));
  return isPart
    ? SHARED.filter((name) => given[name] === undefined).map((name) => `${name} is needed with ALBEDO_ROLES`)
    : [];
}

const KEYS = ['ALBEDO_KEY', 'ALBEDO_KEY_FILE', 'ALBEDO_KEY_COMMAND'] as const;

const faultsOfKeys = (given: Readonly<Record<string, unknown>>): string[] =>
  KEYS.filter((name) => given[name] !== undefined).length > 1
    ? [`only one of ${KEYS.join(', ')} may be given`]
    : [];

/** A page on the app's own host name, or above it, could set its cookies. */
function faultsOfRemoteWeb(given: Readonly<Record<string, unknown>>): string[] {
  const { ALBEDO_REMOTE_WEB_HOST: web, ALBEDO_PUBLIC_URL: own } = given;
  if (typeof web !== 'string' || typeof own !== 'string' || !URL.canParse(own)) return [];
  const host = new URL(own).hostname;
  return host !== 'localhost' && (host === web || host.endsWith(`.${web}`))
    ? ['ALBEDO_REMOTE_WEB_HOST must not be the host of ALBEDO_PUBLIC_URL or one above it']
    : [];
}

const hostOf = (publicUrl: string | undefined): string =>
  publicUrl === undefined ? 'localhost' : new URL(publicUrl).hostname;

/** True for a name or address by which a machine calls itself. */
const isOwn = (host: string): boolean =>
  /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);

function areNetworks(texts: string[]): boolean {
  try {
    proxyAddress.compile(texts);
    return true;
  } catch {
    return false;
  }
}
