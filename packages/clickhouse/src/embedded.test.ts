import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectClickHouse } from './client.ts';
import { startEmbeddedClickHouse } from './embedded.ts';

const log = { info: () => {}, warn: () => {} };
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-embedded-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test('a crash of the engine is a restart at the same address, and nothing inserted is lost', async () => {
  const embedded = await startEmbeddedClickHouse({ dataDir: folder, log });
  const clickhouse = connectClickHouse(embedded);
  await clickhouse.exec('CREATE TABLE t (k UInt32) ENGINE = MergeTree ORDER BY k');
  await clickhouse.insert('INSERT INTO t FORMAT JSONEachRow', Buffer.from('{"k":1}\n{"k":2}\n'));
  const crashed = embedded.pid;
  process.kill(crashed, 'SIGKILL');
  const count = () => clickhouse.queryRows('SELECT count() FROM t').catch(() => 'not yet');
  await expect.poll(count, { timeout: 20_000 }).toEqual([['2']]);
  expect(embedded.pid).not.toBe(crashed);
  await clickhouse.close();
  await embedded.stop();
  expect(isAlive(embedded.pid)).toBe(false);
});

test('the engine ends with a parent that was killed, and the next one opens the folder', async () => {
  const program = `
    import { startEmbeddedClickHouse } from ${JSON.stringify(join(import.meta.dirname, 'embedded.ts'))};
    const log = { info() {}, warn() {} };
    const embedded = await startEmbeddedClickHouse({ dataDir: ${JSON.stringify(folder)}, log });
    console.log(embedded.pid);
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: parent.stdout }), 'line');
  const engine = Number(line);
  expect(isAlive(engine)).toBe(true);
  parent.kill('SIGKILL');
  await expect.poll(() => isAlive(engine), { timeout: 10_000 }).toBe(false);
  const next = await startEmbeddedClickHouse({ dataDir: folder, log });
  await next.stop();
});

test('memory that a large statement took goes back to the machine when it is asked for', async () => {
  const embedded = await startEmbeddedClickHouse({ dataDir: folder, log });
  const clickhouse = connectClickHouse(embedded);
  const status = () => readFileSync(`/proc/${embedded.pid}/status`, 'utf8');
  const heldKb = () => Number(/^RssAnon:\s+(\d+)/m.exec(status())?.[1]);
  await clickhouse.queryRows('SELECT uniqExact(number) FROM numbers(5000000)');
  const before = heldKb();
  // What the engine tells itself once a minute.
  await clickhouse.exec('SYSTEM JEMALLOC PURGE');
  expect(heldKb()).toBeLessThan(before * 0.8);
  await clickhouse.close();
  await embedded.stop();
});
