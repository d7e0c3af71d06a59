/** Photos on their way from a real agent to the cloud: cut off, killed and told twice, each is there once, with its event. */
import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Photo } from '@albedo/contract/photos/photos.schema';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { greyPicture } from '../apps/cloud/src/testing/grey-picture.ts';
import { startTestCloud, type TestCloud } from '../apps/cloud/src/testing/test-cloud.ts';
import { type RealAgent, startRealAgent } from './harness/real-agent.ts';

let cloud: TestCloud;
let agent: RealAgent;
let token = '';
beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
  agent = await startRealAgent(
    cloud,
    'Camera',
    `machine: false
photos: {limit_mb: 20}
watch: [{table: photos, source: roof, file: /srv/camera/*.png, send_file: true}]
`,
  );
  mkdirSync(join(agent.root, 'srv/camera'), { recursive: true });
});
afterAll(async () => {
  await agent.stop();
  await cloud.stop();
});

let taken = 0;

/** As cameras do: under another name first, then renamed. Large enough that a kill meets it on its way. */
function shoot(): void {
  const folder = join(agent.root, 'srv/camera');
  const bytes = Buffer.concat([greyPicture(8, 6, taken), Buffer.alloc(40_000, taken)]);
  writeFileSync(join(folder, '.new'), bytes);
  renameSync(join(folder, '.new'), join(folder, `${String(taken++).padStart(4, '0')}.png`));
}

const stored = async (): Promise<Photo[]> =>
  (await cloud.call('GET', `devices/main/${agent.device.id}/uploads?limit=200`, { token })).body.photos;
const waiting = () =>
  readdirSync(join(agent.root, 'var/lib/albedo/photos')).filter((name) => name !== 'dropped');

async function events(): Promise<string[]> {
  const { body } = await cloud.call('GET', 'tables/main/photos/search?rows=1000', { token });
  return body.records?.map(({ photo }: { photo: string }) => photo) ?? [];
}

test('photos of an agent that is killed again and again all arrive, each once, and their events name them', async () => {
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 8; n++) {
      shoot();
      await new Promise((done) => setTimeout(done, 60));
    }
    await new Promise((done) => setTimeout(done, 100 + Math.random() * 900));
    await agent.program.end('SIGKILL');
    shoot();
    agent.program.start();
    await agent.online();
  }
  await vi.waitFor(async () => expect(await stored()).toHaveLength(taken), {
    timeout: 60_000,
    interval: 500,
  });
  await vi.waitFor(() => expect(waiting()).toEqual([]), { timeout: 20_000, interval: 200 });
  const photos = await stored();
  expect(new Set(photos.map(({ file }) => file)).size).toBe(taken);
  await vi.waitFor(async () => expect((await events()).length).toBe(taken), {
    timeout: 20_000,
    interval: 500,
  });
  expect((await events()).sort()).toEqual(photos.map(({ id }) => id).sort());
}, 180_000);
