import type { Postgres } from '@albedo/postgres/postgres';
import { type Db, PgBoss, type Queue } from 'pg-boss';
import type { Job } from './job.ts';

/** Tables of pg-boss are in a schema of their own, out of sight of our migrations. */
export const JOBS_SCHEMA = 'pgboss';
/** Queue of the jobs whose last attempt failed. */
export const DEAD = 'dead';

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;
/** Life of what waits, and of a dead letter. */
const WAITING_LIFE_S = 90 * DAY_S;
/** What is done is of no use to anybody. */
const DONE_LIFE_S = HOUR_S;
/** pg-boss ends what our own limit did not. */
const LIMIT_MARGIN_S = 60;
/** A process that has not been heard of for this long has lost its jobs to the others. */
const HEARTBEAT_S = 30;
const ATTEND_S = { alone: 60, shared: 15 };

/**
 * pg-boss on our records, whichever engine they are. It asks in two ways: one statement with values, or a text of
 * several without.
 */
export function bossOn(postgres: Postgres, { works }: { works: boolean }): PgBoss {
  const db: Db = {
    executeSql: async (text, values) => ({
      rows: values?.length ? await postgres.query(text, values) : await postgres.script(text),
    }),
  };
  const attendS = isAlone(postgres) ? ATTEND_S.alone : ATTEND_S.shared;
  return new PgBoss({
    db,
    schema: JOBS_SCHEMA,
    ...(isAlone(postgres) ? { backend: 'pglite' as const } : {}),
    supervise: works,
    schedule: works,
    superviseIntervalSeconds: attendS,
    monitorIntervalSeconds: attendS,
    maintenanceIntervalSeconds: HOUR_S,
    // Jobs are few here: these look after tables of millions.
    monitorVacuum: false,
    reindex: false,
  });
}

/** Embedded records belong to one process. */
export const isAlone = (postgres: Postgres): boolean => postgres.engine === 'pglite';

/** What pg-boss knows of a job's queue. */
export function queueOf(job: Job<never>, postgres: Postgres): Omit<Queue, 'name'> & { policy: string } {
  const { limitS, retry, oneAtATime } = job;
  const policies = { all: 'singleton', one: 'stately' } as const;
  return {
    policy: oneAtATime ? policies[oneAtATime.waiting] : 'standard',
    deadLetter: DEAD,
    expireInSeconds: limitS + LIMIT_MARGIN_S,
    retryLimit: retry.times,
    retryDelay: retry.afterS,
    retryBackoff: retry.afterS > 0,
    ...(retry.afterS > 0 ? { retryDelayMax: retry.atMostS } : {}),
    retentionSeconds: WAITING_LIFE_S,
    deleteAfterSeconds: DONE_LIFE_S,
    // Alone, whatever ran at the start has lost its process: nobody needs a pulse.
    ...(isAlone(postgres) ? {} : { heartbeatSeconds: HEARTBEAT_S }),
  };
}

/** Dead letters wait for the staff. */
export const DEAD_QUEUE: Omit<Queue, 'name'> & { policy: string } = {
  policy: 'standard',
  retentionSeconds: WAITING_LIFE_S,
};

/** Makes the tables where they are missing, without any work on them. */
export async function installJobs(postgres: Postgres): Promise<void> {
  const boss = bossOn(postgres, { works: false });
  await boss.start();
  await boss.stop();
}
