import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, expect, test } from 'vitest';
import { openEmbedded } from './embedded.ts';

const log = { info: () => {}, error: () => {} };
/** One database for all tests: making one takes seconds. */
const folder = mkdtempSync(join(tmpdir(), 'albedo-durable-'));
const children = new Set<ChildProcess>();
afterEach(async () => {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  children.clear();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A process that inserts numbers one by one and prints each when its commit has resolved. */
const writer = (inserts: number) => `
  import { openPostgres } from ${JSON.stringify(join(import.meta.dirname, 'postgres.ts'))};
  const log = { info() {}, error() {} };
  const postgres = await openPostgres({ dataDir: ${JSON.stringify(folder)}, log });
  await postgres.exec('CREATE TABLE IF NOT EXISTS numbers (n int PRIMARY KEY)');
  const [last] = await postgres.query('SELECT coalesce(max(n), 0) AS n FROM numbers');
  console.log('ready');
  for (let n = last.n + 1; n <= last.n + ${inserts}; n++) {
    await postgres.query('INSERT INTO numbers VALUES ($1)', [n]);
    console.log(n);
  }
  await postgres.close();`;

function run(inserts: number, ...before: string[]): ChildProcess {
  const [command, ...rest] = [...before, process.execPath, '--input-type=module', '-e', writer(inserts)];
  const child = spawn(command as string, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.add(child);
  return child;
}

async function linesOf(child: ChildProcess, onLine: (line: string) => void): Promise<void> {
  if (!child.stdout) return;
  for await (const line of createInterface({ input: child.stdout })) onLine(line);
}

test('every commit is synced to the disk before it resolves', async () => {
  const postgres = await openEmbedded({ dataDir: folder, log });
  await postgres.exec('CREATE TABLE synced (n int)');
  for (let n = 0; n < 20; n++) {
    const before = postgres.syncs();
    await postgres.query('INSERT INTO synced VALUES ($1)', [n]);
    expect(postgres.syncs()).toBeGreaterThan(before);
  }
  await postgres.close();
});

if (spawnSync('strace', ['-V']).status === 0) {
  test('the operating system sees those syncs', async () => {
    const trace = join(folder, 'trace');
    const child = run(50, 'strace', '-f', '-e', 'trace=fsync,fdatasync', '-o', trace);
    let ready = 0;
    await linesOf(child, (line) => {
      if (line === 'ready') ready = readFileSync(trace, 'utf8').split('sync(').length;
    });
    expect(readFileSync(trace, 'utf8').split('sync(').length - ready).toBeGreaterThanOrEqual(50);
  });
}

test('kill -9 loses nothing that was acknowledged', async () => {
  let acknowledged = 0;
  for (const inserts of [60, 140]) {
    const child = run(1_000_000);
    let seen = 0;
    await linesOf(child, (line) => {
      if (line === 'ready') return;
      acknowledged = Number(line);
      if (++seen === inserts) child.kill('SIGKILL');
    });
  }
  const postgres = await openEmbedded({ dataDir: folder, log });
  const [row] = await postgres.query<{ n: number; last: number }>(
    'SELECT count(*) AS n, max(n) AS last FROM numbers',
  );
  expect(row?.n).toBe(row?.last);
  expect(row?.last).toBeGreaterThanOrEqual(acknowledged);
  expect(acknowledged).toBeGreaterThanOrEqual(200);
  await postgres.close();
}, 90_000);
