import { type DeviceMeta, deviceMeta } from '@albedo/contract/devices/meta.schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { DevicesStore } from './devices.store.ts';
import { MetaWriter, type SaidMeta } from './meta-writer.ts';

let cloud: TestCloud;
let store: DevicesStore;
let writer: MetaWriter;
const statements: number[] = [];

beforeAll(async () => {
  cloud = await startTestCloud();
  store = new DevicesStore(cloud.cloud.features.postgres);
  const setMetas = (all: readonly SaidMeta[]) => {
    statements.push(all.length);
    return store.setMetas(all);
  };
  writer = new MetaWriter({ setMetas });
});
afterAll(() => cloud.stop());

const metaOf = (source: string): DeviceMeta => deviceMeta.parse({ run: [{ table: 'solar', source }] });
const kept = async (id: string) => (await store.get('main', id))?.meta.run.map(({ source }) => source);
async function newDevices(...names: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names)
    ids.push(
      (await cloud.cloud.features.devices.create('main', { name, arch: 'amd64', ced: false }, null)).id,
    );
  return ids;
}
const say = (id: string | undefined, source: string, workgroup = 'main') =>
  writer.keep({ workgroup, id: id ?? '', meta: metaOf(source) });

test('devices that say it in the same moment are written together, each with its own', async () => {
  const ids = await newDevices('A', 'B', 'C');
  statements.length = 0;
  expect(await Promise.all(ids.map((id, at) => say(id, `inv-${at}`)))).toEqual([true, true, true]);
  expect(statements).toEqual([3]);
  expect(await Promise.all(ids.map(kept))).toEqual([['inv-0'], ['inv-1'], ['inv-2']]);
  // Only what is another than before counts as a change.
  expect(await Promise.all([say(ids[0], 'inv-0'), say(ids[1], 'inv-9')])).toEqual([false, true]);
});

test('of a device that says it twice the newest stays', async () => {
  const [id = ''] = await newDevices('Twice');
  await Promise.all([say(id, 'old'), say(id, 'new')]);
  expect(await kept(id)).toEqual(['new']);
});

test('what no database takes is left out of it, and nothing of another workgroup is reached', async () => {
  const [odd = '', good = '', foreign = ''] = await newDevices('Odd', 'Good', 'Foreign');
  const all = [say(odd, 'a\u0000b'), say(good, 'fine'), say(foreign, 'x', 'other')];
  expect(await Promise.all(all)).toEqual([true, true, false]);
  expect([await kept(odd), await kept(good), await kept(foreign)]).toEqual([['ab'], ['fine'], []]);
});

test('one that cannot be kept fails alone', async () => {
  const setMetas = async (all: readonly SaidMeta[]) => {
    if (all.some(({ id }) => id === 'bad')) throw new Error('It is refused.');
    return all.map(({ id }) => id);
  };
  const refusing = new MetaWriter({ setMetas });
  const keep = (id: string) => refusing.keep({ workgroup: 'main', id, meta: metaOf('x') });
  expect(await Promise.allSettled([keep('bad'), keep('good')])).toMatchObject([
    { status: 'rejected' },
    { status: 'fulfilled', value: true },
  ]);
});
