import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Authority, openAuthority } from '@albedo/pki/authority';
import { lockDataFolder } from '@albedo/postgres/lock';
import type { Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import type { RedisClientType } from 'redis';
import type { Bus } from '../bus/bus.ts';
import { authorityOf, type OwnCertificate, ownCertificate } from '../config/authority-file.ts';
import type { Config } from '../config/config.ts';
import { openDatabase } from '../database/database.ts';
import type { FileStore } from '../files/files.store.ts';
import type { Shutdown } from '../house/shutdown.ts';
import { Jobs } from '../jobs/jobs.service.ts';
import type { Check } from '../metrics/check.ts';
import type { KeyRing } from '../secrets/key-ring.ts';
import { openKeyRing } from '../secrets/key-source.ts';
import { keepSecret } from '../secrets/secrets.ts';
import { makeForgeryKey, makeSigningKey } from '../secrets/signing-keys.ts';
import { openTelemetryEngine, type TelemetryEngine } from '../telemetry/telemetry.engine.ts';
import { demandRoom } from './disk-room.ts';
import { openFiles } from './open-files.ts';
import { preparedCluster } from './prepared-records.ts';

/** Everything the features stand on, embedded or served. */
export interface Engines {
  dataDir: string;
  postgres: Postgres;
  jobs: Jobs;
  telemetryEngine: TelemetryEngine;
  files: FileStore;
  /** Null when this is the only process. */
  redis: RedisClientType | null;
  authority: Authority;
  /** What seals the secrets of this installation. */
  keys: KeyRing;
  signingKey: string;
  csrfSecret: Buffer;
}

/** Opens the engines side by side; what was opened is stopped by `shutdown`, also when another one fails. */
export async function openEngines(
  config: Config,
  bus: Bus,
  log: Logger,
  shutdown: Shutdown,
): Promise<Engines> {
  const dataDir = resolve(config.dataDir);
  const lock = lockDataFolder(dataDir);
  shutdown.add('data folder', () => lock.release());

  // The telemetry first: it is a process of its own, and the records keep this one busy.
  const ca = authorityOf(config);
  const own = ownCertificate(config);
  const opening = [
    openTelemetryEngine({ url: config.clickhouseUrl, ca, own, dataDir, log, shutdown }),
    openRecords(config, dataDir, bus, log, shutdown),
    openRedis(config, { ca, own }, log, shutdown),
    openFiles({ s3Url: config.s3Url, ca, dataDir, shutdown }),
  ] as const;
  // All of them have ended before a failure of one is reported, so that nothing is left behind.
  await Promise.allSettled(opening);
  const [telemetryEngine, records, redis, files] = await Promise.all(opening);
  return { dataDir, telemetryEngine, redis, files, ...records };
}

/** Each engine, asked whether it answers. */
export const engineChecks = ({
  dataDir,
  postgres,
  telemetryEngine,
  redis,
}: Engines): Record<string, Check> => ({
  disk: () => demandRoom(dataDir),
  records: () => postgres.query('select 1'),
  telemetry: () => telemetryEngine.ping(),
  ...(redis ? { redis: () => redis.ping() } : {}),
});

async function openRecords(config: Config, dataDir: string, bus: Bus, log: Logger, shutdown: Shutdown) {
  const postgres = await openDatabase({
    ...(config.databaseUrl ? { url: config.databaseUrl } : {}),
    dataDir: join(dataDir, 'postgres'),
    prepared: preparedCluster,
    log,
  });
  shutdown.add('records', () => postgres.close());

  const caFolder = join(dataDir, 'ca');
  const keys = await openKeyRing(config);
  if (keys.isEmpty)
    log.warn(
      'the secrets of this installation are not sealed: ALBEDO_KEY_FILE names a file with a key for it',
    );
  const home = { dataDir, postgres, keys };
  await keepSecret(home, 'ca/ca.pem', async () => {
    await openAuthority(caFolder, { sealing: keys });
    return keys.open(await readFile(join(caFolder, 'ca.pem'), 'utf8'), 'ca/ca.pem');
  });
  const jobs = new Jobs({ postgres, bus, log, works: config.roles.has('jobs') });
  // Again for a start that fails before jobs have their place among what is stopped.
  shutdown.add('job queues', () => jobs.stop());
  const [authority, signingKey, csrfSecret] = await Promise.all([
    openAuthority(caFolder, { sealing: keys }),
    keepSecret(home, 'secrets/session.pem', makeSigningKey),
    keepSecret(home, 'secrets/csrf', makeForgeryKey),
    jobs.open(),
  ]);
  return { postgres, jobs, authority, keys, signingKey, csrfSecret: Buffer.from(csrfSecret) };
}

async function openRedis(
  config: Config,
  { ca, own }: { ca: string | null; own: OwnCertificate | null },
  log: Logger,
  shutdown: Shutdown,
): Promise<RedisClientType | null> {
  if (!config.redisUrl) return null;
  // Several hundred files, which a server without Redis need not read.
  const { createClient } = await import('redis');
  const redis: RedisClientType = createClient({
    url: config.redisUrl,
    ...(config.redisUrl.startsWith('rediss:')
      ? { socket: { tls: true, ...(ca ? { ca } : {}), ...own } }
      : {}),
  });
  let isOpen = false;
  redis.on('error', (err: Error) => {
    if (isOpen) log.error({ err }, 'Redis has a fault');
  });
  const failed = new Promise<never>((_resolve, reject) => redis.once('error', reject));
  try {
    await Promise.race([redis.connect(), failed]);
  } catch (error) {
    redis.destroy();
    throw new Error(`Redis at REDIS_URL cannot be reached: ${(error as Error).message}`, { cause: error });
  }
  isOpen = true;
  shutdown.add('Redis', () => redis.close());
  return redis;
}
