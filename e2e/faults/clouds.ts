import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { arrives, damaged, flipBits, stateOf, waiting } from './disks.ts';
import type { Claim, Edge, Plant } from './plant.ts';

/**
 * The cloud goes back to an older backup. What it had acknowledged in between and agents no longer hold is missing, and has to
 * be told as such; what they hold arrives. Two clones of one disk, a damaged outbox, and an agent whose own disk goes back to the
 * same night live through it.
 */
export async function restoredCloud(plant: Plant, name: string, random: () => number): Promise<Claim[]> {
  const edge = await plant.edge(name, ['back']);
  // Its outbox is damaged at the same time.
  const other = await waiting(plant, `${name}-other`, 'both');
  const twins = await pairOf(plant, `${name}-pair`);
  // Its machine is restored from a backup of the same night.
  const same = await plant.edge(`${name}-same`, ['night']);
  const state = join(same.agent.root, 'copy');
  same.write('night', 0, 50);
  same.start();
  await same.stored('night', 50);
  await same.kill();
  cpSync(stateOf(same), state, { recursive: true });
  edge.write('back', 0, 50);
  edge.start();
  await edge.stored('back', 50);
  await plant.cloud.program.end('SIGTERM');
  const backup = join(plant.folder, 'older');
  cpSync(plant.data, backup, { recursive: true });
  await plant.start();
  edge.write('back', 50, 90);
  same.start();
  same.write('night', 50, 90);
  await edge.stored('back', 90);
  await same.stored('night', 90);
  await same.kill();
  for (const twin of twins) twin.start();
  write(twins, 100);
  await twins[0].stored('pair', 70);
  // Its status says that nothing waits; so the cloud that comes back knows what to ask for.
  await plant.cloud.program.end('SIGKILL');
  edge.write('back', 90, 120);
  same.write('night', 90, 120);
  rmSync(stateOf(same), { recursive: true });
  cpSync(state, stateOf(same), { recursive: true });
  rmSync(plant.data, { recursive: true });
  cpSync(backup, plant.data, { recursive: true });
  rmSync(backup, { recursive: true });
  flipBits(other, 3, random);
  await twins[1].kill();
  flipBits(twins[1], 2, random);
  write(twins, 200);
  twins[1].start();
  await plant.start();
  same.start();
  await same.stored('night', 120);
  await edge.stored('back', 80);
  await arrives(plant, other, 'both');
  await twins[0].stored('pair', 70);
  return [
    {
      ...damaged(twins[0], 'pair'),
      written: twins.flatMap((twin) => twin.written('pair')),
      causes: [...(damaged(twins[0], 'pair').causes ?? []), 'cloud_restored'],
    },
    { ...damaged(other, 'both'), causes: [...(damaged(other, 'both').causes ?? []), 'cloud_restored'] },
    {
      device: same.agent.device.id,
      table: 'night',
      written: same.written('night'),
      causes: ['cloud_restored', 'outbox_restored'],
      // The file has all of it.
      isWhole: true,
      mayRepeat: true,
    },
    {
      device: edge.agent.device.id,
      table: 'back',
      written: edge.written('back'),
      causes: ['cloud_restored'],
      isTold: true,
    },
  ];
}

/** Two machines with copies of one disk, neither running; 30 rows of it are stored. */
async function pairOf(plant: Plant, name: string): Promise<[Edge, Edge]> {
  const one = await plant.edge(name, ['pair']);
  one.write('pair', 0, 30);
  one.start();
  await one.stored('pair', 30);
  await one.kill();
  const root = `${one.agent.root}-copy`;
  cpSync(one.agent.root, root, { recursive: true });
  return [one, plant.twin(one, root)];
}

/** Twenty rows of each. */
function write(twins: readonly [Edge, Edge], from: number): void {
  for (const [n, twin] of twins.entries())
    twin.write('pair', (n + 1) * 1000 + from, (n + 1) * 1000 + from + 20);
}
