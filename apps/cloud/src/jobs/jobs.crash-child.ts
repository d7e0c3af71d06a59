/**
 * Sends a job, runs it, and kills itself with SIGKILL before the n-th statement from the sending on; the test starts it.
 * What an earlier child left behind is finished first. Arguments: folder of the records or address of a server, folder
 * of the files, number of the statement or 0.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPostgres } from '@albedo/postgres/postgres';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { pino } from 'pino';
import { z } from 'zod';
import { Bus } from '../bus/bus.ts';
import { defineJob } from './job.ts';
import { bossOn } from './jobs.queue.ts';
import { Jobs } from './jobs.service.ts';
import { jobRan } from './jobs.topics.ts';

const [place = '', files = '', dieAt = '0'] = process.argv.slice(2);
let statements = Number.NaN;

function count(): void {
  statements++;
  if (statements === Number(dieAt)) process.kill(process.pid, 'SIGKILL');
}

const EXECUTE = 'E'.charCodeAt(0);
const SIMPLE = 'Q'.charCodeAt(0);
const exec = PGlite.prototype.execProtocolRaw;
PGlite.prototype.execProtocolRaw = function (message, options) {
  if (message[0] === EXECUTE || message[0] === SIMPLE) count();
  return exec.call(this, message, options);
};
const query = pg.Client.prototype.query as (...values: unknown[]) => unknown;
pg.Client.prototype.query = function (this: unknown, ...values: unknown[]) {
  count();
  return query.apply(this, values);
} as never;

const log = pino({ level: 'silent' });
const isServer = place.startsWith('postgres');
const postgres = await openPostgres({ ...(isServer ? { url: place } : {}), dataDir: place, log });
const ATTEMPTS = { times: 100, afterS: 0, atMostS: 0 };
const double = defineJob({
  name: 'kill-me',
  payload: z.object({ number: z.int() }),
  limitS: 60,
  retry: ATTEMPTS,
  run: async ({ id, payload, finish }) => {
    // Outside of the database the id is what makes a second attempt the same as the first.
    writeFileSync(join(files, id), String(payload.number));
    await finish(async (transaction) => {
      await transaction.execute(`insert into effects (number) values (${payload.number})`);
    });
  },
});
const bus = new Bus({ log });
const jobs = new Jobs({ postgres, bus, log, works: true });
jobs.add(double);
await postgres.exec('create table if not exists effects (number int)');
await jobs.open();
await jobs.work();
if (isServer) {
  // On a server other processes take a job over when its heart has stopped; nobody here waits so long.
  await postgres.exec(
    `update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active';
     update pgboss.queue set monitor_on = null, monitor_claim_on = null`,
  );
  const doctor = bossOn(postgres, { works: false });
  await doctor.start();
  await doctor.supervise();
  await doctor.stop();
}
while ((await unfinished()) > 0) {
  jobs.look(double.name);
  await new Promise((resolve) => setTimeout(resolve, 20));
}
const ran = new Promise<void>((resolve) => bus.subscribe(jobRan, () => resolve()));
statements = 0;
const number = Number(dieAt);
await jobs.send(double, { number });
process.stdout.write(`sent ${number}\n`);
await ran;
// The library marks the job as done once more.
await new Promise((resolve) => setTimeout(resolve, 100));
const seen = statements;
const rows = await postgres.query<{ number: number }>('select number from effects order by number');
process.stdout.write(`done ${seen} ${JSON.stringify(rows.map((row) => row.number))}\n`);
await jobs.stop();
await postgres.close();
process.exit(0);

async function unfinished(): Promise<number> {
  const counts = await jobs.counts();
  const waits = counts.filter(({ name, state }) => name === double.name && state !== 'completed');
  return waits.reduce((sum, one) => sum + one.jobs, 0);
}
