import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';
import { inspect } from 'node:util';
import { openAuthority } from '@albedo/pki/authority';
import { pairText } from '@albedo/pki/key-files';
import { openPostgres } from '@albedo/postgres/postgres';
import { createTransport } from 'nodemailer';
import { pino } from 'pino';
import { createClient } from 'redis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withAuthority } from '../config/connections.ts';
import { S3Files } from '../files/files.s3.ts';
import { Shutdown } from '../house/shutdown.ts';
import { openTelemetryEngine } from '../telemetry/telemetry.engine.ts';

/** A server of the operator: it shakes hands with whoever trusts the authority of the house, and says no more. */
let server: Server;
let port = 0;
let folder = '';
let ca = '';
let caFile = '';
/** What we show to servers that ask who comes, and whom the server saw last. */
let own = { cert: '', key: '' };
let certFile = '';
let seen: string | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-trust-'));
  const authority = await openAuthority(join(folder, 'house'));
  const { certPem, keyPem } = await authority.serverCertificate(['localhost', '127.0.0.1']);
  ca = authority.caPem;
  caFile = join(folder, 'house.pem');
  writeFileSync(caFile, ca);
  const client = await authority.issueDevice('our server', 'albedo');
  const pem = pairText(client);
  own = { cert: pem, key: pem };
  certFile = join(folder, 'own.pem');
  writeFileSync(certFile, own.cert);
  const secureContext = createSecureContext({ cert: certPem, key: keyPem, ca });
  const shake = (socket: Socket) => {
    const secure = new TLSSocket(socket, {
      isServer: true,
      secureContext,
      requestCert: true,
      rejectUnauthorized: false,
    });
    secure.on('error', () => {});
    secure.once('secure', () => {
      const { subject } = secure.getPeerCertificate();
      seen = subject?.CN as string | undefined;
      secure.destroy();
    });
  };
  server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('readable', () => {
      const first = socket.read() as Buffer | null;
      if (!first) return;
      // PostgreSQL asks for TLS before it begins (SSLRequest, 8 bytes).
      const isAsked = first.length === 8 && first.readInt32BE(4) === 80_877_103;
      if (isAsked) socket.write('S');
      else socket.unshift(first);
      shake(socket);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const log = pino({ level: 'silent' });

/** Each tries to connect, with the authority of the house (PEM) or with those of the system, and fails in both cases. */
const CLIENTS: Record<string, (authority: string | null) => Promise<unknown>> = {
  PostgreSQL: (authority) => {
    const url = `postgres://a:b@localhost:${port}/c?sslmode=verify-full`;
    return openPostgres({
      url: withAuthority(url, authority && caFile, authority && certFile) ?? '',
      dataDir: '',
      log,
    });
  },
  ClickHouse: (authority) =>
    openTelemetryEngine({
      url: `https://a:b@localhost:${port}`,
      ca: authority,
      own: authority ? own : null,
      dataDir: '',
      log,
      shutdown: new Shutdown(log),
    }),
  Redis: async (authority) => {
    const socket = {
      tls: true,
      reconnectStrategy: false,
      ...(authority ? { ca: authority, ...own } : {}),
    } as const;
    const redis = createClient({ url: `rediss://localhost:${port}`, socket });
    redis.on('error', () => {});
    await redis.connect();
  },
  'a mail server': (authority) =>
    createTransport({
      url: `smtps://localhost:${port}`,
      ...(authority ? { tls: { ca: authority, ...own } } : {}),
    } as never).verify(),
  S3: async (authority) => {
    const files = new S3Files(`https://key:secret@localhost:${port}/bucket`, authority);
    await files.get('a/b').finally(() => files.stop());
  },
};

/** Everything that a failure says, with its causes. */
const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error) => inspect(error, { depth: 5 }),
  );
const OF_CERTIFICATE = /unable to (verify|get local issuer)|self-signed certificate/;

test.each(Object.entries(CLIENTS))(
  '%s is not spoken to without a certificate of a known authority, and the operator names which count',
  async (name, connect) => {
    seen = undefined;
    expect(await failureOf(connect(null))).toMatch(OF_CERTIFICATE);
    const known = await failureOf(connect(ca));
    expect(known).not.toBe('none');
    expect(known).not.toMatch(OF_CERTIFICATE);
    // S3 has short-lived keys instead.
    if (name !== 'S3') expect(seen).toBe('our server');
  },
  20_000,
);
