import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** Takes 60 MB in small blocks, frees all but a few of them, and tells what the process holds before and after. */
const PROGRAM = `
  import { setTimeout } from 'node:timers/promises';
  import { giveBackFreed } from ${JSON.stringify(new URL('./memory.ts', import.meta.url).href)};
  giveBackFreed();
  let blocks = Array.from({ length: 2000 }, () => Buffer.allocUnsafeSlow(30_000).fill(1));
  const kept = blocks.filter((_, at) => at % 50 === 49);
  blocks = null;
  gc();
  await setTimeout(100);
  gc();
  const before = process.memoryUsage().rss;
  giveBackFreed();
  console.log(JSON.stringify([before, process.memoryUsage().rss, kept.every((block) => block[29_999] === 1)]));
`;

const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };

test.runIf(header.glibcVersionRuntime)(
  'what was freed between blocks that last goes back to the machine',
  () => {
    const program = ['--expose-gc', '--input-type=module', '-e', PROGRAM];
    const { stdout } = spawnSync(process.execPath, program, { encoding: 'utf8', timeout: 50_000 });
    const [before, after, isWhole] = JSON.parse(stdout) as [number, number, boolean];
    expect(before - after).toBeGreaterThan(25e6);
    expect(isWhole).toBe(true);
  },
);
