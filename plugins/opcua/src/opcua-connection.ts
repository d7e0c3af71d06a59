import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '@albedo/plugin-kit/command-line/input-error';
import { messageOf } from '@albedo/plugin-kit/command-line/log';
import { OPCUACertificateManager } from 'node-opcua-certificate-manager';
import {
  type ClientSession,
  MessageSecurityMode,
  OPCUAClient,
  setDebugLogger,
  setErrorLogger,
  setWarningLogger,
  type UserIdentityInfo,
  UserTokenType,
} from 'node-opcua-client';
import type { OpcuaTarget } from './opcua-target.ts';

/** A server may not send more than this in one answer. */
const TRANSPORT = { maxMessageSize: 16 * 1024 * 1024, maxChunkCount: 256, receiveBufferSize: 64 * 1024 };
const APPLICATION = 'Albedo';
const SESSION_TIMEOUT_MS = 60_000;

// The library says to stdout what it thinks, which belongs to the values there.
for (const set of [setDebugLogger, setErrorLogger, setWarningLogger]) set(() => {});

/** A session and whether it still holds. */
export interface OpcuaConnection {
  session: ClientSession;
  isBroken(): boolean;
  close(): Promise<void>;
}

/**
 * Signs in. The server's certificate is kept at the first contact, and a server that shows another one later is refused
 * before it gets a password. Rejects with a message that names the server, or with `InputError` for an unusable folder.
 */
export async function connect(target: OpcuaTarget): Promise<OpcuaConnection> {
  const manager = await certificates(target.pkiFolder);
  const client = OPCUAClient.create({
    applicationName: APPLICATION,
    clientCertificateManager: manager,
    securityMode: target.securityMode,
    securityPolicy: target.securityPolicy,
    // Servers behind a router announce addresses that only they can reach.
    endpointMustExist: false,
    connectionStrategy: { maxRetry: 0, initialDelay: 100, maxDelay: 200 },
    transportTimeout: target.timeoutMs,
    defaultTransactionTimeout: target.timeoutMs,
    requestedSessionTimeout: SESSION_TIMEOUT_MS,
    keepSessionAlive: true,
    transportSettings: TRANSPORT,
  });
  let isBroken = false;
  const broken = () => {
    isBroken = true;
  };
  client.on('connection_lost', broken).on('abort', broken).on('close', broken);
  try {
    await within(client.connect(target.endpoint), target.timeoutMs);
    if (target.securityMode !== MessageSecurityMode.None) checkServer(client, target);
    const session = await within(client.createSession(identity(target)), target.timeoutMs);
    session.on('session_closed', broken);
    return { session, isBroken: () => isBroken, close: () => end(client, target.timeoutMs) };
  } catch (error) {
    await end(client, target.timeoutMs);
    throw new Error(`${target.endpoint}: ${messageOf(error).split('\n')[0]?.slice(0, 300)}`);
  }
}

const identity = ({ user, password }: OpcuaTarget): UserIdentityInfo =>
  user === ''
    ? { type: UserTokenType.Anonymous }
    : { type: UserTokenType.UserName, userName: user, password };

/** Whom a server's certificate belongs to is asked once; machines in plants have no authority that vouches for them. */
async function certificates(folder: string): Promise<OPCUACertificateManager> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o770 });
    const manager = new OPCUACertificateManager({
      rootFolder: join(folder, 'pki'),
      automaticallyAcceptUnknownCertificate: true,
    });
    await manager.initialize();
    return manager;
  } catch (error) {
    throw new InputError(`pki_folder: ${messageOf(error)}`);
  }
}

function checkServer(client: OPCUAClient, { host, port, pkiFolder }: OpcuaTarget): void {
  const [certificate] = [client.serverCertificate ?? []].flat();
  if (!certificate) throw new Error('the server showed no certificate');
  const shown = certificate.toString('base64');
  const folder = join(pkiFolder, 'servers');
  const path = join(folder, `${host.replace(/[^\w.-]/g, '_')}-${port}`);
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(path, shown, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (readFileSync(path, 'utf8') !== shown) {
      throw new Error(
        `the server shows another certificate than before; if it was replaced on purpose, delete ${path}`,
      );
    }
  }
}

async function end(client: OPCUAClient, limitMs: number): Promise<void> {
  // A server that does not say goodbye is left without.
  await within(client.disconnect(), limitMs).catch(() => {});
}

/** Ends at the limit, whatever the library still waits for. */
export async function within<T>(work: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  work.catch(() => {});
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${limitMs / 1000} s`)), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
