import { latestSource } from '@albedo/contract/devices/devices.schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { block } from './telemetry.test-store.ts';

let cloud: TestCloud;
let device: string;
let token: string;
const AT = Date.UTC(2026, 4, 1, 12);

beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
  const { body } = await cloud.call('POST', 'devices/main', { token, body: { name: 'Searched' } });
  device = body.id;
});
afterAll(() => cloud.stop());

const insert = (...blocks: ReturnType<typeof block>[]) =>
  cloud.cloud.features.telemetry.asSystem('ingest').insert(
    blocks.map((one) => ({ ...one, workgroup: 'main', device })),
    crypto.randomUUID(),
  );

/** Lists repeat the parameter, objects travel as JSON. */
function get(path: string, query: Record<string, unknown> = {}) {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value])
      params.append(name, typeof one === 'object' ? JSON.stringify(one) : String(one));
  }
  return cloud.call('GET', `${path}?${params}`, { token });
}

test('a field may be called like something that every object has', async () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
  const filler = Array.from({ length: 64 }, (_, i) => `f${i}`);
  const types = (all: string[]) => Object.fromEntries(all.map((name) => [name, 'decimal' as const]));
  const values = names.map((_, i) => i);
  // Once in columns of their own, and once where fields are kept that found none.
  await insert(block('odd', types(names), [[1, AT, ...values]]));
  await insert(block('wide', types(filler), [[2, AT, ...filler.map(() => 7)]]));
  await insert(block('wide', types(names), [[3, AT + 1, ...values]]));
  for (const table of ['odd', 'wide']) {
    const { body } = await get(`tables/main/${table}/search`, { sort: '-event_time', rows: 2 });
    const [record, older] = body.records;
    expect(names.map((name) => Object.hasOwn(record, name) && record[name])).toEqual(values);
    if (older) expect(names.map((name) => older[name])).toEqual([null, null, null, null]);
    const some = await get(`tables/main/${table}/search`, {
      fields: ['__proto__', 'device'],
      sort: '-msg_id',
    });
    expect(Object.entries(some.body.records[0])).toEqual([
      ['__proto__', 0],
      ['device', device],
    ]);
    const aggs = { name: '__proto__', type: 'max', fields: names, groupBy: ['__proto__'] };
    const { body: found } = await get(`tables/main/${table}/search`, { rows: 0, aggs });
    const bucket = Object.entries(found.aggregations)[0] as [string, { buckets: { values: object }[] }];
    expect(bucket[0]).toBe('__proto__');
    expect(Object.entries(bucket[1].buckets[0]?.values ?? {})).toEqual(names.map((name, i) => [name, i]));
  }
  const { body: sources } = await cloud.call('GET', `devices/main/${device}/sources`, { token });
  expect(z.array(latestSource).safeParse(sources).error).toBeUndefined();
  const odd = sources.find(({ table }: { table: string }) => table === 'odd');
  expect(new Map(Object.entries(odd.values))).toEqual(new Map(names.map((name, i) => [name, i])));
});
