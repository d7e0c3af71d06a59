import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Claim, Plant } from './plant.ts';

const WRONG_CLOCK = pathToFileURL(join(import.meta.dirname, '../harness/wrong-clock.mjs')).href;
export const HOUR = 3_600_000;

/** A clock for one agent that is wrong by what it is set to, ms. */
export function wrongClock(
  plant: Plant,
  name: string,
): { env: Record<string, string>; set(ms: number): void } {
  const file = join(plant.folder, `${name}-clock`);
  writeFileSync(file, '0');
  const env = { NODE_OPTIONS: `--import ${WRONG_CLOCK}`, FAULT_CLOCK: file };
  return { env, set: (ms) => writeFileSync(file, String(ms)) };
}

/** The clock of the machine jumps forth and back while lines without a time of their own come in. */
export async function clockJumps(plant: Plant, name: string): Promise<Claim[]> {
  const { env, set } = wrongClock(plant, name);
  const edge = await plant.edge(name, ['clock'], env);
  edge.write('clock', 0, 20);
  edge.start();
  await edge.stored('clock', 20);
  let n = 20;
  for (const offset of [2 * HOUR, -26 * HOUR, -365 * 24 * HOUR, 10 * HOUR, 0]) {
    set(offset);
    await sleep(450);
    edge.write('clock', n, n + 20);
    n += 20;
    await sleep(450);
  }
  // A start with a clock that stands before everything it has numbered.
  await edge.kill();
  set(-48 * HOUR);
  edge.start();
  edge.write('clock', n, n + 20);
  await edge.stored('clock', n + 20);
  return [{ device: edge.agent.device.id, table: 'clock', written: edge.written('clock') }];
}

/** The wire is cut, goes silent, and flips bits while lines come in. */
export async function brokenWire(plant: Plant, name: string): Promise<Claim[]> {
  const edge = await plant.edge(name, ['wire']);
  mkdirSync(dirname(edge.file('wire')), { recursive: true });
  edge.start();
  let n = 0;
  const some = async (ms: number) => {
    for (const end = Date.now() + ms; Date.now() < end; await sleep(50)) {
      edge.write('wire', n, n + 5);
      n += 5;
    }
  };
  await some(500);
  await edge.stored('wire', 5);
  for (const fault of ['cut', 'flip', 'stall', 'flip', 'cut'] as const) {
    edge.wire[fault]();
    await some(900);
    edge.wire.mend();
    await some(900);
  }
  await edge.stored('wire', n);
  return [{ device: edge.agent.device.id, table: 'wire', written: edge.written('wire') }];
}
