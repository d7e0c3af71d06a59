import type { Arguments, Option } from '@albedo/plugin-kit/command-line/arguments';
import { InputError } from '@albedo/plugin-kit/command-line/input-error';
import { MessageSecurityMode, SecurityPolicy } from 'node-opcua-client';

const MODES = ['none', 'sign', 'sign_and_encrypt'] as const;
const POLICIES = ['Basic256Sha256', 'Aes128_Sha256_RsaOaep', 'Aes256_Sha256_RsaPss'] as const;
const UNCERTAIN = ['leave_out', 'keep'] as const;
/** Where certificates lie on a device; the package declares it. */
export const PKI_FOLDER = '/opt/albedo/plugins-config/opcua';

export const OPCUA_OPTIONS = {
  security: { kind: 'choice', options: MODES, default: 'none', help: 'what is signed and encrypted' },
  policy: { kind: 'choice', options: POLICIES, default: 'Basic256Sha256', help: 'how it is encrypted' },
  user: { kind: 'text', default: '', help: 'name to sign in with; without it the plugin is anonymous' },
  password: { kind: 'secret', default: '', help: 'password of that user' },
  pki_folder: {
    kind: 'text',
    default: PKI_FOLDER,
    help: "folder of the plugin's own certificate and of those of servers",
  },
  timeout: { kind: 'decimal', default: 5, min: 0.1, max: 300, help: 'longest wait for an answer, seconds' },
  sampling: {
    kind: 'decimal',
    default: 0,
    min: 0,
    max: 86_400,
    help: 'the server tells each change, sampled at this interval, seconds; 0 reads once at each interval',
  },
  uncertain: {
    kind: 'choice',
    options: UNCERTAIN,
    default: 'leave_out',
    help: 'values that the server calls uncertain; kept, each value has its quality in a column beside it',
  },
} as const satisfies Record<string, Option>;

export interface OpcuaTarget {
  endpoint: string;
  /** Host and port, for names. */
  host: string;
  port: string;
  securityMode: MessageSecurityMode;
  securityPolicy: SecurityPolicy;
  user: string;
  password: string;
  pkiFolder: string;
  timeoutMs: number;
  samplingMs: number;
  /** Uncertain values count, and the quality of each value is written as well. */
  keepsUncertain: boolean;
}

/** Throws `InputError`. */
export function opcuaTarget(args: Arguments): OpcuaTarget {
  const endpoint = args.text('endpoint');
  const url = URL.parse(endpoint.replace(/^opc\.tcp:/i, 'http:'));
  if (!/^opc\.tcp:\/\//i.test(endpoint) || !url?.hostname || url.username !== '') {
    throw new InputError(`endpoint: "${endpoint.slice(0, 200)}" is not of the form opc.tcp://10.0.0.5:4840`);
  }
  const [user, password] = [args.text('user'), args.text('password')];
  if (password !== '' && user === '') throw new InputError('user: a password needs one');
  const mode = args.text('security');
  return {
    endpoint,
    host: url.hostname,
    port: url.port || '4840',
    securityMode:
      mode === 'none'
        ? MessageSecurityMode.None
        : mode === 'sign'
          ? MessageSecurityMode.Sign
          : MessageSecurityMode.SignAndEncrypt,
    securityPolicy:
      mode === 'none'
        ? SecurityPolicy.None
        : SecurityPolicy[args.text('policy') as (typeof POLICIES)[number]],
    user,
    password,
    pkiFolder: args.text('pki_folder'),
    timeoutMs: args.number('timeout') * 1000,
    samplingMs: args.number('sampling') * 1000,
    keepsUncertain: args.text('uncertain') === 'keep',
  };
}
