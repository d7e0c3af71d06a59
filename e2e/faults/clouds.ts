import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../harness/processes.ts';
import { arrives, damaged, flipBits, stateOf, waiting } from './disks.ts';
import type { Claim, Edge, Plant } from './plant.ts';

/** By then the one of two copies that was sent away has come back, ms. */
const TURN_MS = 15_000;

/** What goes wrong elsewhere while the cloud goes back. */
interface Companion {
  /** After the backup of the cloud was made. */
  meanwhile(): Promise<void>;
  /** The cloud is down, and an older one is put in its place. */
  whileDown(): Promise<void>;
  /** It is up again. */
  after(): Promise<void>;
  claim(): Claim;
}

/**
 * The cloud goes back to an older backup. What it had acknowledged in between and agents no longer hold is missing, and has to
 * be told as such; what they hold arrives.
 */
export async function restoredCloud(
  plant: Plant,
  name: string,
  random: () => number,
  companions: readonly Companion[] = [],
): Promise<Claim[]> {
  const edge = await plant.edge(name, ['back']);
  // Its outbox is damaged at the same time.
  const other = await waiting(plant, `${name}-other`, 'both');
  edge.write('back', 0, 50);
  edge.start();
  await edge.stored('back', 50);
  await plant.cloud.program.end('SIGTERM');
  const backup = join(plant.folder, 'older');
  cpSync(plant.data, backup, { recursive: true });
  await plant.start();
  edge.write('back', 50, 90);
  await edge.stored('back', 90);
  for (const one of companions) await one.meanwhile();
  // Its status says that nothing waits; so the cloud that comes back knows what to ask for.
  await plant.cloud.program.end('SIGKILL');
  edge.write('back', 90, 120);
  rmSync(plant.data, { recursive: true });
  cpSync(backup, plant.data, { recursive: true });
  rmSync(backup, { recursive: true });
  flipBits(other, 3, random);
  for (const one of companions) await one.whileDown();
  await plant.start();
  await edge.stored('back', 80);
  await arrives(plant, other, 'both');
  for (const one of companions) await one.after();
  return [
    ...companions.map((one) => one.claim()),
    { ...damaged(other, 'both'), causes: [...(damaged(other, 'both').causes ?? []), 'cloud_restored'] },
    {
      device: edge.agent.device.id,
      table: 'back',
      written: edge.written('back'),
      causes: ['cloud_restored'],
      isTold: true,
    },
  ];
}

/** As `restoredCloud`, while two clones of one disk live, one of them damaged, and the disk of an agent goes back to the same night. */
export async function restoredTogether(plant: Plant, name: string, random: () => number): Promise<Claim[]> {
  const twins = await twinsOf(plant, `${name}-pair`, random);
  return restoredCloud(plant, name, random, [twins, await sameNight(plant, `${name}-same`)]);
}

async function twinsOf(plant: Plant, name: string, random: () => number): Promise<Companion> {
  const one = await plant.edge(name, ['pair']);
  one.write('pair', 0, 30);
  one.start();
  await one.stored('pair', 30);
  await one.kill();
  const root = `${one.agent.root}-copy`;
  cpSync(one.agent.root, root, { recursive: true });
  const twin = plant.twin(one, root);
  const write = (from: number) => {
    for (const [edge, first] of [
      [one, 1000],
      [twin, 2000],
    ] as const)
      edge.write('pair', first + from, first + from + 20);
  };
  const claim = (): Claim => {
    const ofOne = damaged(one, 'pair');
    const written = [one, twin].flatMap((edge: Edge) => edge.written('pair'));
    return { ...ofOne, written, causes: [...(ofOne.causes ?? []), 'cloud_restored'] };
  };
  return {
    meanwhile: async () => {
      one.start();
      twin.start();
      write(100);
      await one.stored('pair', 70);
    },
    whileDown: async () => {
      await twin.kill();
      flipBits(twin, 2, random);
      write(200);
      twin.start();
    },
    after: () => allOrTold(plant, claim()),
    claim,
  };
}

/** What two copies of a disk have written is stored, or some of it is told as lost and nothing has come for a while: they speak in turns. */
async function allOrTold(plant: Plant, { device, table, written, causes = [] }: Claim): Promise<void> {
  let before = -1;
  await until(
    `${table}: all is stored, or some is told as lost`,
    300,
    async () => {
      const { streams, gaps } = await plant.ledger(device);
      const stored = streams.find((one) => one.table === table)?.stored ?? 0;
      const isQuiet = stored === before;
      before = stored;
      return stored >= written.length || (isQuiet && gaps.some(({ cause }) => causes.includes(cause)));
    },
    () => plant.cloud.program.output,
    TURN_MS,
  );
}

async function sameNight(plant: Plant, name: string): Promise<Companion> {
  const edge = await plant.edge(name, ['night']);
  const copy = join(edge.agent.root, 'copy');
  edge.write('night', 0, 50);
  edge.start();
  await edge.stored('night', 50);
  await edge.kill();
  cpSync(stateOf(edge), copy, { recursive: true });
  return {
    meanwhile: async () => {
      edge.start();
      edge.write('night', 50, 90);
      await edge.stored('night', 90);
      await edge.kill();
    },
    whileDown: async () => {
      edge.write('night', 90, 120);
      rmSync(stateOf(edge), { recursive: true });
      cpSync(copy, stateOf(edge), { recursive: true });
    },
    after: async () => {
      edge.start();
      await edge.stored('night', 120);
    },
    claim: () => ({
      device: edge.agent.device.id,
      table: 'night',
      written: edge.written('night'),
      causes: ['cloud_restored', 'outbox_restored'],
      // The file has all of it.
      isWhole: true,
      mayRepeat: true,
    }),
  };
}
