import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { supervise } from './supervise.ts';

const folder = mkdtempSync(join(tmpdir(), 'albedo-supervise-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program that ends one time after the other as these lines say. */
function programOf(...ends: string[]): { path: string; starts: () => number } {
  const [path, count] = [join(folder, 'program.mjs'), join(folder, 'count')];
  writeFileSync(count, '');
  writeFileSync(
    path,
    `import { appendFileSync, readFileSync } from 'node:fs';
     const run = readFileSync(${JSON.stringify(count)}, 'utf8').length;
     appendFileSync(${JSON.stringify(count)}, 'x');
     eval(${JSON.stringify(ends)}[run]);`,
  );
  return { path, starts: () => readFileSync(count, 'utf8').length };
}

test('a server that breaks, or is killed, starts again within three seconds; one that stops does not', async () => {
  const said: string[] = [];
  const { path, starts } = programOf(
    'process.exit(70)',
    "process.kill(process.pid, 'SIGKILL')",
    'process.exit(0)',
  );
  const began = performance.now();
  expect(await supervise(path, (text) => said.push(text))).toBe(0);
  expect(starts()).toBe(3);
  expect(said).toEqual([expect.stringContaining('code 70'), expect.stringContaining('SIGKILL')]);
  expect(performance.now() - began).toBeLessThan(10_000);
  const wrong = programOf('process.exit(1)');
  expect(await supervise(wrong.path, () => {})).toBe(1);
  expect(wrong.starts()).toBe(1);
});
