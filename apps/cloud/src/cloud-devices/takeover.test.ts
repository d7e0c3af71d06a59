import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { CloudDevicesStore } from './cloud-devices.store.ts';

let cloud: TestCloud;
let store: CloudDevicesStore;
let device = '';

beforeAll(async () => {
  cloud = await startTestCloud();
  const { devices, postgres } = cloud.cloud.features;
  device = (await devices.create('main', { name: 'In the cloud', arch: 'amd64', ced: false }, null)).id;
  store = new CloudDevicesStore(postgres);
  // The process of the test itself wants none.
  await cloud.cloud.features.cloudDevices.stop();
  await store.add({ deviceId: device, cloud: 'server', isWanted: true });
});
afterAll(() => cloud.stop());

const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
const kept = async (keeper: string, ttlMs: number) =>
  (await store.keep(keeper, ttlMs)).map(({ deviceId }) => deviceId);

test('a device has one keeper; when that dies another one takes it, and it does not get it back', async () => {
  expect(await kept(first, 60_000)).toEqual([device]);
  expect(await kept(second, 60_000)).toEqual([]);
  // From now on the first one says nothing more.
  expect(await kept(first, 1)).toEqual([device]);
  await expect.poll(() => kept(second, 60_000), { timeout: 5000 }).toEqual([device]);
  expect(await kept(first, 60_000)).toEqual([]);
});

test('one that stops lets go at once, and of two at the same instant one gets it', async () => {
  await store.release(second);
  const both = await Promise.all([kept(first, 60_000), kept(second, 60_000)]);
  expect(both.flat()).toEqual([device]);
});
