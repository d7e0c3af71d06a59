import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { arrives, damaged, flipBits, waiting } from './disks.ts';
import type { Claim, Plant } from './plant.ts';

/**
 * The cloud goes back to an older backup. What it had acknowledged in between and agents no longer hold is missing, and has to
 * be told as such; what they hold arrives.
 */
export async function restoredCloud(plant: Plant, name: string, random: () => number): Promise<Claim[]> {
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
  // Its status says that nothing waits; so the cloud that comes back knows what to ask for.
  await plant.cloud.program.end('SIGKILL');
  edge.write('back', 90, 120);
  rmSync(plant.data, { recursive: true });
  cpSync(backup, plant.data, { recursive: true });
  rmSync(backup, { recursive: true });
  flipBits(other, 3, random);
  await plant.start();
  await edge.stored('back', 80);
  await arrives(plant, other, 'both');
  return [
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
