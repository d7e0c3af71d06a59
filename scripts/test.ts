/**
 * The one test command: format, lint, types, import directions, unused code, unit and integration tests on the real
 * engines, and browser journeys. `--static` stops after the checks that run nothing. The last line counts everything.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { providePrograms } from './testing/debian.ts';
import { type ServedEngine, startPostgres, startRedis } from './testing/engines.ts';
import { type Outcome, run, tool } from './testing/run.ts';

interface Count {
  passed: number;
  failed: number;
}

/** Several clouds at once, each with its records and its telemetry. */
const MEMORY_FOR_TESTS = 6 * 1024 ** 3;

const total: Count = { passed: 0, failed: 0 };
const began = Date.now();

function add(name: string, count: Count, startedAt: number): void {
  total.passed += count.passed;
  total.failed += count.failed;
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(
    `${count.failed === 0 ? 'ok  ' : 'FAIL'} ${name}: ${count.passed} passed, ${count.failed} failed (${seconds} s)\n`,
  );
}

/** A check that passes or fails as a whole; what it printed is shown when it fails. */
async function check(name: string, work: () => Promise<Outcome>): Promise<void> {
  const startedAt = Date.now();
  const { code, output } = await work();
  if (code !== 0) process.stdout.write(`${output}\n`);
  add(name, code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }, startedAt);
}

/** A cruise of nothing would pass, so the number of modules is part of the check. */
async function cruise(): Promise<Outcome> {
  const outcome = await tool(
    'depcruise',
    ['--config', '.dependency-cruiser.mjs', 'packages', 'apps', 'plugins', 'demo'],
    { quiet: true },
  );
  const modules = Number(/(\d+) modules/.exec(outcome.output)?.[1] ?? 0);
  if (modules >= 50) return outcome;
  return {
    code: 1,
    output: `${outcome.output}\nOnly ${modules} modules were read: the check itself is broken.`,
  };
}

async function runStatic(): Promise<void> {
  await check('format and lint', () => tool('biome', ['ci', '--error-on-warnings', '.'], { quiet: true }));
  await check('types of server, agent and tools', () =>
    tool('tsc', ['-p', 'tsconfig.json'], { quiet: true }),
  );
  await check('types of the web app', () => tool('tsc', ['-p', 'apps/web/tsconfig.json'], { quiet: true }));
  await check('types of the browser journeys', () =>
    tool('tsc', ['-p', 'e2e/tsconfig.json'], { quiet: true }),
  );
  await check('import directions and cycles', cruise);
  await check('unused code and dependencies', () => tool('knip', [], { quiet: true }));
}

/** Runs a test runner that writes a JSON report, and counts it; a runner that dies without one is one failure. */
async function counted(
  name: string,
  work: (report: string) => Promise<Outcome>,
  read: (report: unknown) => Count,
): Promise<void> {
  const startedAt = Date.now();
  const folder = mkdtempSync(join(tmpdir(), 'albedo-report-'));
  const report = join(folder, 'report.json');
  const { code } = await work(report);
  let count: Count = { passed: 0, failed: 0 };
  try {
    count = read(JSON.parse(readFileSync(report, 'utf8')));
  } catch {
    process.stdout.write(`${name} wrote no report.\n`);
  }
  if (code !== 0 && count.failed === 0) count.failed = 1;
  if (count.passed === 0 && count.failed === 0) count.failed = 1;
  rmSync(folder, { recursive: true, force: true });
  add(name, count, startedAt);
}

const vitestCount = (report: unknown): Count => {
  const { numPassedTests, numFailedTests } = report as { numPassedTests: number; numFailedTests: number };
  return { passed: numPassedTests, failed: numFailedTests };
};

const playwrightCount = (report: unknown): Count => {
  const { stats } = report as { stats: { expected: number; unexpected: number; flaky: number } };
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky };
};

/**
 * Folder for what the tests keep, in memory where there is room: every commit of every cloud is synced, and a disk
 * makes that the longest wait of all.
 */
function makeRoom(): string {
  const memory = '/dev/shm';
  const isRoomy = existsSync(memory) && freeBytes(memory) > MEMORY_FOR_TESTS;
  return mkdtempSync(join(isRoomy ? memory : tmpdir(), 'albedo-'));
}

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return Math.min(bavail * bsize, freemem());
}

async function runTests(): Promise<void> {
  const { found, notes } = await providePrograms();
  for (const note of notes) process.stdout.write(`note: ${note}\n`);
  const engines: ServedEngine[] = [];
  const room = makeRoom();
  // The journeys' data may be larger than the memory, and nothing of it stays.
  const journeys = mkdtempSync(join(tmpdir(), 'albedo-journeys-'));
  const env: Record<string, string> = {};
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
    await check('build', () => run(process.execPath, ['scripts/build.ts'], { quiet: true }));
    await counted(
      'unit and integration tests',
      (report) =>
        tool('vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`], {
          env: { ...env, TMPDIR: room },
        }),
      vitestCount,
    );
    if (found.chromium) {
      const browser = { ...env, CHROMIUM_PATH: found.chromium, TMPDIR: journeys };
      await counted(
        'browser journeys',
        (report) =>
          tool('playwright', ['test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json'], {
            env: { ...browser, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
          }),
        playwrightCount,
      );
    } else {
      process.stdout.write('The browser journeys need Chromium and count as failed without it.\n');
      total.failed++;
    }
  } finally {
    for (const engine of engines) await engine.stop();
    for (const folder of [room, journeys]) rmSync(folder, { recursive: true, force: true });
  }
}

await runStatic();
if (!process.argv.includes('--static')) await runTests();
process.stdout.write(`Took ${Math.round((Date.now() - began) / 1000)} s.\n`);
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed === 0 ? 0 : 1;
