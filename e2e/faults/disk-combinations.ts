import {
  appendFileSync,
  copyFileSync,
  cpSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { SmallDisk } from '../harness/small-disk.ts';
import { stateOf } from './disks.ts';
import { type Claim, lineOf, type Plant, range } from './plant.ts';
import { HOUR, wrongClock } from './roads.ts';

const lines = (table: string, from: number, to: number): string =>
  range(from, to)
    .map((n) => `${lineOf(table, n)}\n`)
    .join('');

/** The state folder goes back to what it was, and in the same night the files were rotated. */
export async function restoredAndRotated(plant: Plant, name: string): Promise<Claim[]> {
  const edge = await plant.edge(name, ['turned']);
  const file = edge.file('turned');
  edge.write('turned', 0, 50);
  edge.start();
  await edge.stored('turned', 50);
  await edge.kill();
  const copy = join(edge.agent.root, 'copy');
  cpSync(stateOf(edge), copy, { recursive: true });
  edge.start();
  edge.write('turned', 50, 100);
  await edge.stored('turned', 100);
  renameSync(file, `${file}.1`);
  edge.write('turned', 100, 150);
  await edge.stored('turned', 150);
  await edge.kill();
  renameSync(`${file}.1`, `${file}.2`);
  renameSync(file, `${file}.1`);
  edge.write('turned', 150, 200);
  rmSync(stateOf(edge), { recursive: true });
  cpSync(copy, stateOf(edge), { recursive: true });
  edge.start();
  // What came after the copy is read again.
  await edge.stored('turned', 300);
  return [{ device: edge.agent.device.id, table: 'turned', written: range(0, 200), mayRepeat: true }];
}

/** Two machines with one identity, of which one has a clock that is days behind, and jumps. */
export async function clonesAndClocks(plant: Plant, name: string): Promise<Claim[]> {
  const { env, set } = wrongClock(plant, name);
  const one = await plant.edge(name, ['twins']);
  one.write('twins', 0, 30);
  one.start();
  await one.stored('twins', 30);
  await one.kill();
  const root = `${one.agent.root}-copy`;
  cpSync(one.agent.root, root, { recursive: true });
  const other = plant.twin(one, root, env);
  set(-72 * HOUR);
  one.start();
  other.start();
  for (const [round, offset] of [-72 * HOUR, 26 * HOUR, 0, -400 * 24 * HOUR].entries()) {
    set(offset);
    one.write('twins', 1000 + round * 20, 1020 + round * 20);
    other.write('twins', 2000 + round * 20, 2020 + round * 20);
    await sleep(400);
  }
  await one.stored('twins', 190);
  await Promise.all([one.kill(), other.kill()]);
  return [
    {
      device: one.agent.device.id,
      table: 'twins',
      written: [...one.written('twins'), ...other.written('twins')],
    },
  ];
}

/** The disk of the agent is full while its files are rotated, and it is killed on it. */
export const fullAndRotated = (plant: Plant, name: string): Promise<Claim[]> =>
  fullAndTurned(plant, name, (file) => renameSync(`${file}.1`, `${file}.2`));

/** As `fullAndRotated`, and the file that was left unread is packed before the agent comes back. */
export const fullAndPacked = (plant: Plant, name: string): Promise<Claim[]> =>
  fullAndTurned(plant, name, (file) => {
    writeFileSync(`${file}.2.gz`, gzipSync(readFileSync(`${file}.1`)));
    rmSync(`${file}.1`);
  });

async function fullAndTurned(plant: Plant, name: string, turn: (file: string) => void): Promise<Claim[]> {
  const disk = new SmallDisk(join(plant.folder, name), 24);
  try {
    const edge = await plant.edge(name, ['crowded']);
    const file = edge.file('crowded');
    edge.write('crowded', 0, 100);
    edge.start();
    await edge.stored('crowded', 100);
    // Room for the files, none for the outbox.
    writeFileSync(`${file}.new`, lines('crowded', 300, 400));
    appendFileSync(file, lines('crowded', 100, 300));
    disk.fill();
    await sleep(700);
    renameSync(file, `${file}.1`);
    renameSync(`${file}.new`, file);
    await sleep(700);
    await edge.kill();
    disk.free();
    turn(file);
    renameSync(file, `${file}.1`);
    writeFileSync(file, lines('crowded', 400, 500));
    edge.start();
    await edge.stored('crowded', 500);
    await edge.kill();
    return [{ device: edge.agent.device.id, table: 'crowded', written: range(0, 500) }];
  } finally {
    disk.unmount();
  }
}

/** Files are copied and cut (`copytruncate`) while the agent is killed, starts, and its clock jumps. */
export async function cutAndKilled(plant: Plant, name: string, random: () => number): Promise<Claim[]> {
  const { env, set } = wrongClock(plant, name);
  const edge = await plant.edge(name, ['copied'], env);
  const file = edge.file('copied');
  edge.write('copied', 0, 40);
  edge.start();
  await edge.stored('copied', 40);
  let n = 40;
  for (const [round, offset] of [26 * HOUR, -2 * HOUR, -400 * 24 * HOUR, HOUR, 0].entries()) {
    const isKilled = random() < 0.6;
    if (isKilled) await edge.kill();
    set(offset);
    // More than before, so that the new lines reach beyond the place where the old ones ended.
    const count = 40 + round * 30;
    edge.write('copied', n, n + count);
    n += count;
    await sleep(random() * 500);
    for (let old = round; old > 0; old--) renameSync(`${file}.${old}`, `${file}.${old + 1}`);
    copyFileSync(file, `${file}.1`);
    truncateSync(file);
    if (random() < 0.5) await sleep(random() * 300);
    edge.write('copied', n, n + count);
    n += count;
    if (isKilled) edge.start();
    else if (random() < 0.5) {
      await edge.kill();
      edge.start();
    }
    // What lies in a copy is found there; two cuts between two looks are another fault.
    await edge.stored('copied', n);
  }
  return [{ device: edge.agent.device.id, table: 'copied', written: edge.written('copied') }];
}
