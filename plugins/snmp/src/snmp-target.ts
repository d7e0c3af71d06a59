import type { Arguments, Option } from '@albedo/plugin-kit/command-line/arguments';
import { InputError } from '@albedo/plugin-kit/command-line/input-error';
import snmp from 'net-snmp';

const VERSIONS = ['1', '2c', '3'] as const;
const AUTH = ['md5', 'sha', 'sha224', 'sha256', 'sha384', 'sha512'] as const;
const PRIVACY = ['des', 'aes', 'aes256b', 'aes256r'] as const;
/** Source: RFC 3414, section 11.2. */
const SHORTEST_PASSWORD = 8;

export const SNMP_OPTIONS = {
  port: { kind: 'integer', default: 161, min: 1, max: 65_535, help: 'UDP port' },
  version: { kind: 'choice', options: VERSIONS, default: '2c', help: 'version of the protocol' },
  community: { kind: 'secret', default: 'public', help: 'versions 1 and 2c: the community' },
  user: { kind: 'text', default: '', help: 'version 3: the user' },
  auth_protocol: { kind: 'choice', options: AUTH, default: 'sha', help: 'version 3: how the user is proven' },
  auth_password: {
    kind: 'secret',
    default: '',
    help: 'version 3: password of the user; without it nothing is proven',
  },
  priv_protocol: {
    kind: 'choice',
    options: PRIVACY,
    default: 'aes',
    help: 'version 3: how data are encrypted',
  },
  priv_password: {
    kind: 'secret',
    default: '',
    help: 'version 3: password for the encryption; without it nothing is encrypted',
  },
  context: { kind: 'text', default: '', help: 'version 3: name of the context' },
  attempts: { kind: 'integer', default: 2, min: 1, max: 20, help: 'tries for each request' },
  timeout: { kind: 'decimal', default: 2, min: 0.05, max: 300, help: 'longest wait for an answer, seconds' },
} as const satisfies Record<string, Option>;

/** What a session is opened with. */
export interface SnmpTarget {
  endpoint: string;
  port: number;
  version: (typeof VERSIONS)[number];
  open(): snmp.Session;
}

/** Throws `InputError` for a user without a name and for a password that the protocol does not allow. */
export function snmpTarget(args: Arguments): SnmpTarget {
  const endpoint = args.text('endpoint');
  if (!/^[A-Za-z0-9][\w.:-]*$/.test(endpoint)) {
    throw new InputError(`endpoint: "${endpoint}" is no address or name`);
  }
  const version = VERSIONS.find((one) => one === args.text('version')) ?? '2c';
  const common = {
    port: args.number('port'),
    retries: args.number('attempts') - 1,
    timeout: args.number('timeout') * 1000,
    transport: endpoint.includes(':') ? ('udp6' as const) : ('udp4' as const),
    reportOidMismatchErrors: true,
  };
  const { port } = common;
  if (version !== '3') {
    const options = { ...common, version: version === '1' ? snmp.Version1 : snmp.Version2c };
    return {
      endpoint,
      port,
      version,
      open: () => snmp.createSession(endpoint, args.text('community'), options),
    };
  }
  const user = userOf(args);
  const options = { ...common, version: snmp.Version3, context: args.text('context') };
  return { endpoint, port, version, open: () => snmp.createV3Session(endpoint, user, options) };
}

function userOf(args: Arguments): snmp.User {
  const [name, authKey, privKey] = [
    args.text('user'),
    args.text('auth_password'),
    args.text('priv_password'),
  ];
  if (name === '') throw new InputError('user: version 3 needs one');
  if (privKey !== '' && authKey === '') throw new InputError('auth_password: encryption needs a proven user');
  for (const [option, key] of Object.entries({ auth_password: authKey, priv_password: privKey })) {
    if (key !== '' && key.length < SHORTEST_PASSWORD)
      throw new InputError(`${option}: SNMP takes no password of less than ${SHORTEST_PASSWORD} characters`);
  }
  if (authKey === '') return { name, level: snmp.SecurityLevel.noAuthNoPriv };
  const authProtocol = snmp.AuthProtocols[args.text('auth_protocol') as (typeof AUTH)[number]];
  const proven = { name, level: snmp.SecurityLevel.authNoPriv, authProtocol, authKey };
  if (privKey === '') return proven;
  const privProtocol = snmp.PrivProtocols[args.text('priv_protocol') as (typeof PRIVACY)[number]];
  return { ...proven, level: snmp.SecurityLevel.authPriv, privProtocol, privKey };
}
