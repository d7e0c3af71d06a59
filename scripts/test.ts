/**
 * The one test command: format, lint, types, import directions, unused code, unit and integration tests on the real
 * engines, and browser journeys. `--static` stops after the checks that run nothing, `--since <commit>` leaves out the
 * tests that the work since then cannot touch, `--shard 1/3` is what the first of three machines does, and `--long` runs what
 * takes minutes to prove, which else has a short form. It ends with where the time went, and its last line counts everything.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BUILD, type Check, runChecks, STATIC_CHECKS } from './testing/checks.ts';
import { providePrograms } from './testing/debian.ts';
import { type ServedEngine, startPostgres, startRedis } from './testing/engines.ts';
import { type Outcome, tool } from './testing/run.ts';
import { ALL, type Selection, testsSince, testsWithLongForm } from './testing/selection.ts';
import { ofShard, readShard } from './testing/shard.ts';
import { type Report, readPlaywright, Tally, VitestRun } from './testing/tally.ts';

const HOUSE = resolve(import.meta.dirname, '..');
/** Several clouds at once, each with its records and its telemetry. */
const MEMORY_FOR_TESTS = 6 * 1024 ** 3;
/** With more failed files than this, something is broken and not unsteady. */
const MOST_TRIED_AGAIN = 5;

const { values } = parseArgs({
  options: {
    ...{ static: { type: 'boolean' }, long: { type: 'boolean' } },
    ...{ since: { type: 'string' }, shard: { type: 'string' } },
  },
});
const shard = values.shard === undefined ? null : readShard(values.shard);
const tally = new Tally();
const began = performance.now();

const say = (text: string) => void process.stdout.write(`${text}\n`);

/** A check counts as one; what it printed is shown when it fails. */
function told({ name }: Check, { code, output }: Outcome, tookMs: number): void {
  if (code !== 0) say(output);
  say(tally.add(name, code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }, tookMs));
}

/** A place for the report of a test runner while `work` goes on. */
async function withReport<T>(work: (file: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'albedo-report-'));
  try {
    return await work(join(folder, 'report.json'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Counts what a test runner reports; one that dies without a report, or in another way than a test can, is one failure. */
async function counted(
  name: string,
  work: () => Promise<{ isFine: boolean; report: Report | null }>,
): Promise<void> {
  const startedAt = performance.now();
  const { isFine, report: told } = await work();
  if (!told) say(`${name} wrote no report.`);
  const report = told ?? { passed: 0, failed: 0, files: [], unsteady: [] };
  const isBroken = report.failed === 0 && (!isFine || report.passed === 0);
  const count = isBroken ? { ...report, failed: 1 } : report;
  say(tally.add(name, count, performance.now() - startedAt, report));
}

/** What `read` finds; null where the runner wrote nothing that can be read. */
function readOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/**
 * Folder for what the tests keep, in memory where there is room: every commit of every cloud is synced, and a disk
 * makes that the longest wait of all.
 */
function makeRoom(): string {
  const memory = '/dev/shm';
  const isRoomy = existsSync(memory) && freeBytes(memory) > MEMORY_FOR_TESTS;
  return mkdtempSync(join(isRoomy ? memory : tmpdir(), 'albedo-'));
}

/**
 * Where tests write, and a home of their own: terminals read what the home has to say, and nothing of a test belongs into
 * the home of whoever runs it.
 */
function placesIn(room: string): Record<string, string> {
  const home = join(room, 'home');
  mkdirSync(home);
  return { TMPDIR: room, HOME: home };
}

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return Math.min(bavail * bsize, freemem());
}

async function runTests({ units, journeys }: Selection): Promise<void> {
  const { found, notes } = await providePrograms();
  for (const note of notes) say(`note: ${note}`);
  const engines: ServedEngine[] = [];
  const room = makeRoom();
  // The journeys' data may be larger than the memory, and nothing of it stays.
  const disk = mkdtempSync(join(tmpdir(), 'albedo-journeys-'));
  const env: Record<string, string> = values.long ? { ALBEDO_TEST_LONG: '1' } : {};
  try {
    if (found.postgres) {
      const postgres = await startPostgres(found.postgres);
      engines.push(postgres);
      env.ALBEDO_TEST_DATABASE_URL = postgres.url;
    }
    if (found.redis) {
      const redis = await startRedis(found.redis);
      engines.push(redis);
      env.ALBEDO_TEST_REDIS_URL = redis.url;
    }
    if (units?.length !== 0) await runUnits(units, { ...env, ...placesIn(room) });
    if (journeys?.length === 0) return;
    if (found.chromium)
      await runJourneys(journeys, { ...env, CHROMIUM_PATH: found.chromium, ...placesIn(disk) });
    else {
      say('The browser journeys need Chromium and count as failed without it.');
      say(tally.add('browser journeys', { passed: 0, failed: 1 }, 0));
    }
  } finally {
    for (const engine of engines) await engine.stop();
    for (const folder of [room, disk]) rmSync(folder, { recursive: true, force: true });
  }
}

/** All of them for null. With `CI` set, the few files that fail are tried again by themselves: decision 36. */
function runUnits(files: string[] | null, env: Record<string, string>): Promise<void> {
  return counted('unit and integration tests', async () => {
    const first = await vitest([...(files ?? []), ...shardOf(files)], env);
    const failed = first?.failedFiles ?? [];
    if (!first || !process.env.CI || failed.length === 0 || failed.length > MOST_TRIED_AGAIN)
      return { isFine: first?.isFine ?? false, report: first?.report(null) ?? null };
    say(`Tried again, one after the other: ${failed.join(', ')}`);
    const again = await vitest([...failed, '--maxWorkers=1'], env);
    return { isFine: again?.isFine ?? false, report: first.report(again) };
  });
}

function vitest(args: string[], env: Record<string, string>): Promise<VitestRun | null> {
  return withReport(async (file) => {
    const times = `${file}.times`;
    const own = `--reporter=${join(HOUSE, 'scripts/testing/file-times.ts')}`;
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`, own];
    await tool('vitest', ['run', ...reporters, ...args], { env: { ...env, ALBEDO_FILE_TIMES: times } });
    return readOrNull(() => VitestRun.read(file, times, HOUSE));
  });
}

/** For a runner that is to run all: it divides them itself. */
const shardOf = (wanted: string[] | null): string[] =>
  shard && wanted === null ? [`--shard=${shard.number}/${shard.of}`] : [];

/** All of them for null. */
function runJourneys(names: string[] | null, env: Record<string, string>): Promise<void> {
  const wanted = [...(names ?? []).map((name) => `/${name}\\.spec\\.ts$`), ...shardOf(names)];
  const args = ['test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json', ...wanted];
  return counted('browser journeys', () =>
    withReport(async (file) => {
      const { code } = await tool('playwright', args, { env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: file } });
      return { isFine: code === 0, report: readOrNull(() => readPlaywright(file, 'e2e')) };
    }),
  );
}

function listed({ units, journeys }: Selection): string {
  const of = (names: string[] | null) => (names ? `${names.length}` : 'all');
  return `Tests that can be touched: ${of(units)} files, ${of(journeys)} journeys.`;
}

async function selected(): Promise<Selection> {
  const all = values.long ? testsWithLongForm() : values.since ? await testsSince(values.since) : ALL;
  if (values.since) say(listed(all));
  return shard ? ofShard(all, shard) : all;
}

if (values.static) {
  await runChecks(STATIC_CHECKS, told);
} else {
  const selection = await selected();
  // What runs nothing is done by one of several machines.
  const isChecked = !values.long && (shard?.number ?? 1) === 1;
  await runChecks(isChecked ? [BUILD, ...STATIC_CHECKS] : [BUILD], told);
  await runTests(selection);
}
say(tally.table());
say(`\nTook ${Math.round((performance.now() - began) / 1000)} s.`);
const { passed, failed } = tally.total;
say(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
