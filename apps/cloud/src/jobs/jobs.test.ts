import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgres, type Postgres } from '@albedo/postgres/postgres';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Bus } from '../bus/bus.ts';
import { prepareRecords } from '../testing/prepare-records.ts';
import { newDatabase, until } from '../testing/two-clouds.ts';
import { defineJob, Hopeless, type Job, type Run } from './job.ts';
import { Jobs } from './jobs.service.ts';
import { deadJobsChanged } from './jobs.topics.ts';

const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
const folder = mkdtempSync(join(tmpdir(), 'albedo-jobs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const payload = z.object({ key: z.string().default(''), number: z.int().default(0) });
type Payload = z.output<typeof payload>;

let names = 0;
/** A job with a queue of its own that never waits between attempts. */
function job(run: Job<Payload>['run'], rest: Partial<Job<Payload>> = {}): Job<Payload> {
  const retry = { times: 2, afterS: 0, atMostS: 0 };
  return defineJob({ name: `test-${names++}`, payload, limitS: 30, retry, run, ...rest });
}

/** A promise and what settles it. */
const gate = () => Promise.withResolvers<void>();

function suite(engine: string, open: () => Promise<Postgres>) {
  describe(engine, () => {
    let postgres: Postgres;
    const bus = new Bus({ log });
    const running: Jobs[] = [];
    beforeAll(async () => {
      postgres = await open();
      await postgres.exec('create table effects (job text, number int)');
    }, 60_000);
    afterEach(async () => {
      for (const jobs of running.splice(0)) await jobs.stop();
    });
    afterAll(() => postgres?.close());

    async function start(...all: Job<Payload>[]): Promise<Jobs> {
      const jobs = new Jobs({ postgres, bus, log, works: true });
      running.push(jobs);
      await jobs.open();
      for (const one of all) jobs.add(one);
      await jobs.work();
      return jobs;
    }
    const effects = async ({ name }: Job<Payload>) =>
      (
        await postgres.query<{ number: number }>(
          'select number from effects where job = $1 order by number',
          [name],
        )
      ).map(({ number }) => number);
    /** Looks until it is so, without waiting for the next poll. */
    const eventually = (jobs: Jobs, { name }: Job<Payload>, isSo: () => boolean | Promise<boolean>) =>
      until(async () => {
        jobs.look(name);
        await new Promise((resolve) => setTimeout(resolve, 10));
        return isSo();
      });

    test('a failed run is tried again with the same id, and its effect is there once', async () => {
      const ids: string[] = [];
      const one: Job<Payload> = job(async ({ id, attempt, payload: { number }, finish }) => {
        ids.push(`${id} ${attempt}`);
        await finish(async (transaction) => {
          await transaction.execute(`insert into effects values ('${one.name}', ${number})`);
          if (attempt < 3) throw new Error('not yet');
        });
      });
      const jobs = await start(one);
      const id = await jobs.send(one, { key: '', number: 7 });
      await eventually(jobs, one, () => ids.length === 3);
      await jobs.idle(one);
      expect(ids).toEqual([1, 2, 3].map((attempt) => `${id} ${attempt}`));
      expect(await effects(one)).toEqual([7]);
      expect((await jobs.dead()).filter((letter) => letter.job === one.name)).toEqual([]);
    });

    test('waits grow from one attempt to the next', async () => {
      const at: number[] = [];
      const retry = { times: 2, afterS: 1, atMostS: 2 };
      const one = job(
        async () => {
          at.push(performance.now());
          throw new Error('always');
        },
        { retry },
      );
      const jobs = await start(one);
      await jobs.send(one, { key: '', number: 0 });
      await eventually(jobs, one, () => at.length === 3);
      const [first = 0, second = 0, third = 0] = at;
      expect(second - first).toBeGreaterThan(450);
      expect(third - second).toBeGreaterThan(950);
    });

    test('a dead job is listed, mourned once, tried again under its id, or deleted', async () => {
      const seen: string[] = [];
      let isWell = false;
      const one: Job<Payload> = job(
        async ({ id }) => {
          seen.push(id);
          if (!isWell) throw new Error('sick');
        },
        {
          retry: { times: 0, afterS: 0, atMostS: 0 },
          about: ({ number }) => `number ${number}`,
          onDead: async ({ payload: { number } }, error, transaction) => {
            const text = `insert into effects values ('${one.name}', ${number})`;
            if (error.message === 'sick') await transaction.execute(text);
          },
        },
      );
      const jobs = await start(one);
      let told = 0;
      const end = bus.subscribe(deadJobsChanged, () => told++);
      const id = await jobs.send(one, { key: '', number: 1 });
      const letters = async () => (await jobs.dead()).filter((letter) => letter.job === one.name);
      await eventually(jobs, one, async () => (await letters()).length === 1);
      const [letter] = await letters();
      expect(letter).toMatchObject({ about: 'number 1', attempts: 1, error: 'sick' });
      expect(await effects(one)).toEqual([1]);
      expect(told).toBe(1);
      end();

      isWell = true;
      await jobs.tryAgain(letter?.id ?? '');
      await eventually(jobs, one, () => seen.length === 2);
      expect(seen).toEqual([id, id]);
      expect(await letters()).toEqual([]);

      isWell = false;
      await jobs.send(one, { key: '', number: 2 });
      await eventually(jobs, one, async () => (await letters()).length === 1);
      await jobs.forget((await letters())[0]?.id ?? '');
      expect(await letters()).toEqual([]);
      await expect(jobs.forget(crypto.randomUUID())).rejects.toThrow('not in the list');
      await expect(jobs.tryAgain(crypto.randomUUID())).rejects.toThrow('not in the list');
    });

    test('what is hopeless is not tried again, and neither is what cannot be read', async () => {
      let runs = 0;
      const one = job(async () => {
        runs++;
        throw new Hopeless('never');
      });
      const jobs = await start(one);
      await jobs.send(one, { key: '', number: 0 });
      await expect(jobs.send(one, { number: 'x' } as never)).rejects.toThrow();
      await eventually(jobs, one, async () => (await jobs.dead()).some((letter) => letter.job === one.name));
      expect(runs).toBe(1);
    });

    test('runs of one key follow each other, and other keys pass them', async () => {
      const gates = { a: gate(), b: gate() };
      const order: string[] = [];
      const one = job(
        async ({ payload: { key, number } }) => {
          order.push(`${key}${number} begins`);
          if (number === 1) await gates[key as 'a' | 'b'].promise;
          order.push(`${key}${number} ends`);
        },
        { oneAtATime: { key: ({ key }) => key, waiting: 'all' }, sideBySide: 3 },
      );
      const jobs = await start(one);
      for (const [key, number] of [
        ['a', 1],
        ['a', 2],
        ['b', 1],
      ] as const) {
        await jobs.send(one, { key, number });
      }
      await eventually(jobs, one, () => order.length === 2);
      expect(order.toSorted()).toEqual(['a1 begins', 'b1 begins']);
      gates.b.resolve();
      gates.a.resolve();
      await eventually(jobs, one, () => order.length === 6);
      expect(order.filter((line) => line.startsWith('a'))).toEqual([
        'a1 begins',
        'a1 ends',
        'a2 begins',
        'a2 ends',
      ]);
    });

    test('of several that wait with one key only one runs, where that is enough', async () => {
      const first = gate();
      let runs = 0;
      const one = job(
        async () => {
          if (++runs === 1) await first.promise;
        },
        { oneAtATime: { key: () => 'all', waiting: 'one' } },
      );
      const jobs = await start(one);
      await jobs.send(one, { key: '', number: 1 });
      await eventually(jobs, one, () => runs === 1);
      const sent = [];
      for (const number of [2, 3, 4]) sent.push(await jobs.send(one, { key: '', number }));
      expect(sent.map((id) => id !== null)).toEqual([true, false, false]);
      first.resolve();
      await eventually(jobs, one, () => runs === 2);
      await jobs.idle(one);
      expect(runs).toBe(2);
    });

    test('who sends many waits behind themselves alone, and one look takes on until nothing is left', async () => {
      const begun = gate();
      const first = gate();
      const order: string[] = [];
      const one: Job<Payload> = job(
        async ({ payload: { key, number } }) => {
          order.push(`${key}${number}`);
          begun.resolve();
          if (order.length === 1) await first.promise;
        },
        { turns: { of: ({ key }) => key, atOnce: 1 } },
      );
      const jobs = await start(one);
      await jobs.send(one, { key: 'a', number: 0 });
      await begun.promise;
      for (let number = 1; number <= 30; number++) await jobs.send(one, { key: 'a', number });
      for (let number = 0; number < 3; number++) await jobs.send(one, { key: 'b', number });
      await jobs.send(one, { key: 'c', number: 0 });
      // Nobody looks from here on: the poll would take one every five seconds.
      first.resolve();
      await until(() => order.length === 35);
      expect(order.slice(0, 8)).toEqual(['a0', 'a1', 'b0', 'c0', 'a2', 'b1', 'a3', 'b2']);
      expect(order.filter((name) => name.startsWith('a'))).toEqual(
        Array.from({ length: 31 }, (_, number) => `a${number}`),
      );
    }, 20_000);

    test('sent inside a transaction it runs only when that commits, and an id is taken once', async () => {
      const seen: number[] = [];
      const one = job(async ({ payload: { number } }) => void seen.push(number));
      const jobs = await start(one);
      const undone = postgres.db.transaction(async (inside) => {
        await jobs.send(one, { key: '', number: 1 }, { inside });
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      const id = crypto.randomUUID();
      await postgres.db.transaction(async (inside) => {
        await jobs.send(one, { key: '', number: 2 }, { inside, id });
      });
      jobs.wake(one);
      expect(await jobs.send(one, { key: '', number: 3 }, { id })).toBeNull();
      await eventually(jobs, one, () => seen.length === 1);
      await jobs.idle(one);
      expect(seen).toEqual([2]);
    });

    test('a stop aborts what runs, and the next start runs it again as if it had not begun', async () => {
      const begun = gate();
      const attempts: string[] = [];
      const one = job(async ({ id, attempt, signal }: Run<Payload>) => {
        attempts.push(`${id} ${attempt}`);
        if (attempts.length > 1) return;
        begun.resolve();
        await new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        });
      });
      const jobs = await start(one);
      const id = await jobs.send(one, { key: '', number: 0 });
      await begun.promise;
      await jobs.stop();
      const next = await start(one);
      await eventually(next, one, () => attempts.length === 2);
      expect(attempts).toEqual([`${id} 1`, `${id} 1`]);
    });

    test('a run that takes longer than its limit has failed', async () => {
      const one = job(() => new Promise(() => {}), {
        limitS: 1,
        retry: { times: 0, afterS: 0, atMostS: 0 },
      });
      const jobs = await start(one);
      await jobs.send(one, { key: '', number: 0 });
      const letter = async () => (await jobs.dead()).find(({ job: name }) => name === one.name);
      await eventually(jobs, one, async () => (await letter()) !== undefined);
      expect((await letter())?.error).toBe('It took longer than 1 s.');
    });

    test('the clock of a schedule is that of its zone', async () => {
      const seen: string[] = [];
      // Five and a half hours from UTC, so the same hour and minute is another moment there.
      const zone = 'Asia/Kolkata';
      const parts = new Intl.DateTimeFormat('en-GB', {
        timeZone: zone,
        hour: 'numeric',
        minute: 'numeric',
        hourCycle: 'h23',
      }).formatToParts(new Date());
      const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
      const cron = `${part('minute')} ${part('hour')} * * *`;
      const schedule = (of: string) => ({ cron, zone: of, payload: { key: of, number: 0 } });
      const due = job(async ({ payload: { key } }) => void seen.push(key), { schedule: schedule(zone) });
      const later = job(async ({ payload: { key } }) => void seen.push(key), { schedule: schedule('UTC') });
      // The first start writes the schedules down; the second one looks at once whether one is due.
      await (await start(due, later)).stop();
      await postgres.exec('update pgboss.version set cron_on = null');
      const jobs = await start(due, later);
      await eventually(jobs, due, () => seen.length > 0);
      expect(seen).toEqual([zone]);
      // A job that lost its schedule keeps none.
      await jobs.stop();
      await start();
      const [row] = await postgres.query<{ left: number }>(
        'select count(*)::int as left from pgboss.schedule',
      );
      expect(row?.left).toBe(0);
    }, 40_000);
  });
}

suite('embedded records', async () => {
  const dataDir = join(folder, 'embedded');
  mkdirSync(dataDir, { recursive: true });
  await prepareRecords(dataDir);
  return openPostgres({ dataDir: join(dataDir, 'postgres'), log });
});
const { ALBEDO_TEST_DATABASE_URL: url } = process.env;
if (url)
  suite('a PostgreSQL server', async () => openPostgres({ url: await newDatabase(url), dataDir: '', log }));
else console.log('Skipped: jobs on a PostgreSQL server, because ALBEDO_TEST_DATABASE_URL names none.');

/** Kills a child before each of these statements, and a last one before none; answers what that one saw. */
function killAt(statements: number[], place: string, files: string) {
  const child = join(import.meta.dirname, 'jobs.crash-child.ts');
  const run = (dieAt: number) =>
    spawnSync(process.execPath, [child, place, files, String(dieAt)], { encoding: 'utf8' });
  const sent: number[] = [];
  for (const dieAt of statements) {
    const { signal, stdout, stderr } = run(dieAt);
    if (signal !== 'SIGKILL') throw new Error(`It was not killed: ${stdout}${stderr}`);
    if (stdout.includes('sent')) sent.push(dieAt);
  }
  const { stdout, stderr } = run(0);
  const [, count, numbers] = /done (\d+) (\S+)/.exec(stdout) ?? [];
  if (numbers === undefined) throw new Error(stderr);
  return {
    sent: [...sent, 0].toSorted(),
    statements: Number(count),
    effects: JSON.parse(numbers) as number[],
  };
}

const isLong = process.env.ALBEDO_TEST_LONG === '1';
/** Statements of a job: sent, taken, begin, effect, done, commit, done once more. */
const STATEMENTS = 7;

test('killed around its commit, a job has its effect once on embedded records', () => {
  const files = mkdtempSync(join(folder, 'files-'));
  const kills = isLong ? [4, 6, 7] : [6];
  const outcome = killAt(kills, join(folder, 'killed'), files);
  expect(outcome.effects).toEqual([0, ...kills]);
  expect(outcome.sent).toEqual([0, ...kills]);
  expect(outcome.statements).toBeGreaterThanOrEqual(STATEMENTS);
  expect(readdirSync(files)).toHaveLength(kills.length + 1);
}, 200_000);

if (url) {
  test('killed before any statement, a job has its effect once on a server', async () => {
    const files = mkdtempSync(join(folder, 'files-'));
    const kills = isLong ? [1, 2, 3, 4, 5, 6, 7] : [1, 4, 7];
    const outcome = killAt(kills, await newDatabase(url), files);
    // What was not taken over by the database was never sent.
    expect(outcome.effects).toEqual([0, ...kills.slice(1)]);
    expect(outcome.sent).toEqual(outcome.effects);
    expect(outcome.statements).toBeGreaterThanOrEqual(STATEMENTS);
    expect(readdirSync(files)).toHaveLength(kills.length);
  }, 200_000);
}
