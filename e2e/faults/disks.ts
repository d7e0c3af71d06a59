import {
  closeSync,
  cpSync,
  existsSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../harness/processes.ts';
import { SmallDisk } from '../harness/small-disk.ts';
import type { Claim, Edge, Plant } from './plant.ts';

export const stateOf = ({ agent }: Edge): string => join(agent.root, 'var/lib/albedo');

/** Everything that is read has been kept: the files of the outbox have stopped growing. */
async function settled(edge: Edge, bytes: number): Promise<void> {
  const size = () =>
    outboxFiles(edge).reduce((sum, file) => sum + (existsSync(file) ? statSync(file).size : 0), 0);
  let before = -1;
  await until(
    'the outbox has settled',
    60,
    async () => {
      const now = size();
      const isSettled = now === before && now > bytes;
      before = now;
      return isSettled;
    },
    () => edge.agent.program.output,
    700,
  );
}

const outboxFiles = (edge: Edge): string[] =>
  readdirSync(stateOf(edge))
    .filter((name) => /^outbox\.db(-wal)?$/.test(name))
    .map((name) => join(stateOf(edge), name));

/** The state folder is put back to what it was before. */
export async function restoredState(plant: Plant, name: string): Promise<Claim[]> {
  const edge = await plant.edge(name, ['restored']);
  edge.write('restored', 0, 50);
  edge.start();
  await edge.stored('restored', 50);
  await edge.kill();
  const copy = join(edge.agent.root, 'copy');
  cpSync(stateOf(edge), copy, { recursive: true });
  edge.start();
  edge.write('restored', 50, 120);
  await edge.stored('restored', 120);
  await edge.kill();
  rmSync(stateOf(edge), { recursive: true });
  cpSync(copy, stateOf(edge), { recursive: true });
  edge.write('restored', 120, 200);
  edge.start();
  // What came after the copy is read again.
  await edge.stored('restored', 270);
  return [
    { device: edge.agent.device.id, table: 'restored', written: edge.written('restored'), mayRepeat: true },
  ];
}

/** Two machines with copies of one disk, both alive. */
export async function clones(plant: Plant, name: string): Promise<Claim[]> {
  const one = await plant.edge(name, ['cloned']);
  one.write('cloned', 0, 30);
  one.start();
  await one.stored('cloned', 30);
  await one.kill();
  const root = `${one.agent.root}-copy`;
  cpSync(one.agent.root, root, { recursive: true });
  const other = plant.twin(one, root);
  one.start();
  other.start();
  for (let round = 0; round < 5; round++) {
    one.write('cloned', 1000 + round * 20, 1020 + round * 20);
    other.write('cloned', 2000 + round * 20, 2020 + round * 20);
    await sleep(400);
  }
  await one.stored('cloned', 230);
  await Promise.all([one.kill(), other.kill()]);
  const written = [...one.written('cloned'), ...other.written('cloned')];
  return [{ device: one.agent.device.id, table: 'cloned', written }];
}

export async function waiting(plant: Plant, name: string, table: string): Promise<Edge> {
  const edge = await plant.edge(name, [table]);
  edge.write(table, 0, 20);
  edge.start();
  await edge.stored(table, 20);
  edge.wire.cut();
  const before = outboxFiles(edge).reduce((sum, file) => sum + statSync(file).size, 0);
  edge.write(table, 20, 1520);
  await settled(edge, before);
  await edge.kill();
  return edge;
}

export const arrives = async (plant: Plant, edge: Edge, table: string): Promise<void> => {
  edge.start();
  edge.wire.mend();
  edge.write(table, 1520, 1600);
  const { id } = edge.agent.device;
  await until(
    `${table}: everything is stored or told`,
    90,
    async () => {
      const { streams, pending } = await plant.ledger(id);
      const stream = streams.find((one) => one.table === table);
      if (!stream || pending > 0) return false;
      const { stored, dropped, setAside, captured } = stream;
      return captured >= 1600 - 20 && stored + dropped + setAside >= captured && stored > 60;
    },
    () => edge.agent.program.output,
  );
};

/** Flips so many bits, each somewhere in the files of an outbox. */
export function flipBits(edge: Edge, bits: number, random: () => number): void {
  for (let n = 0; n < bits; n++) {
    const files = outboxFiles(edge).filter((file) => statSync(file).size > 100);
    const file = files[Math.floor(random() * files.length)] ?? '';
    const at = 100 + Math.floor(random() * (statSync(file).size - 100));
    const fd = openSync(file, 'r+');
    const byte = Buffer.alloc(1);
    readSync(fd, byte, 0, 1, at);
    byte[0] = (byte[0] ?? 0) ^ (1 << Math.floor(random() * 8));
    writeSync(fd, byte, 0, 1, at);
    closeSync(fd);
  }
}

/** Bits flip in the outbox while events wait in it. */
export async function flippedBits(plant: Plant, name: string, random: () => number): Promise<Claim[]> {
  const edge = await waiting(plant, name, 'flipped');
  flipBits(edge, 4, random);
  await arrives(plant, edge, 'flipped');
  return [damaged(edge, 'flipped')];
}

/** The outbox is cut short while events wait in it. */
export async function truncated(plant: Plant, name: string, random: () => number): Promise<Claim[]> {
  const edge = await waiting(plant, name, 'cut');
  for (const file of outboxFiles(edge))
    truncateSync(file, Math.floor(statSync(file).size * (0.3 + random() * 0.6)));
  await arrives(plant, edge, 'cut');
  return [damaged(edge, 'cut')];
}

export const damaged = (edge: Edge, table: string): Claim => ({
  device: edge.agent.device.id,
  table,
  written: edge.written(table),
  causes: ['outbox_damaged', 'outbox_lost', 'outbox_restored'],
  mayRepeat: true,
});

/** The disk of the agent is full for a while. */
export async function fullDisk(plant: Plant, name: string): Promise<Claim[]> {
  const disk = new SmallDisk(join(plant.folder, name), 24);
  try {
    const edge = await plant.edge(name, ['full']);
    edge.write('full', 0, 100);
    edge.start();
    await edge.stored('full', 100);
    edge.write('full', 100, 900);
    disk.fill();
    await sleep(2000);
    disk.free();
    edge.write('full', 900, 1000);
    await edge.stored('full', 1000);
    await edge.kill();
    return [{ device: edge.agent.device.id, table: 'full', written: edge.written('full') }];
  } finally {
    disk.unmount();
  }
}
