import { seriesQuery } from '@albedo/contract/telemetry/telemetry.schema';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ALL_DEVICES } from '../access/device-scope.ts';
import type { TelemetryBlock } from './telemetry.blocks.ts';
import { RefusedBlocks } from './telemetry.catalog.ts';
import { TELEMETRY_TABLES, TelemetryStore } from './telemetry.store.ts';
import { block, DEVICE, log, OTHER_DEVICE, openTestStore, query } from './telemetry.test-store.ts';

let engine: Awaited<ReturnType<typeof openTestStore>>;
let store: TelemetryStore;
beforeAll(async () => {
  engine = await openTestStore();
  store = engine.store;
});
afterAll(() => engine?.stop());

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const AT = Date.UTC(2026, 5, 1, 12);
const all = (table: string, workgroup = 'hill') =>
  store.search(workgroup, ALL_DEVICES, table, query({ sort: 'msg_id', rows: 10_000 }));

test('a row that came when it was too far ahead is known when it comes at its own time, with the same values only', async () => {
  const own = AT + 30 * 3_600_000;
  const fields = { power: 'decimal', text: 'keyword' } as const;
  const arrived = block('ahead', { ...fields, device_time: 'date' }, [[1, AT, 5, 'x', own]]);
  const plain = block('ahead', fields, [[2, AT, 6, 'y']]);
  await store.insert([arrived, plain], 'ahead');
  const again: TelemetryBlock['rows'] = [
    [1, own, 5, 'x'],
    [1, own, 7, 'x'],
    [1, own + 1, 5, 'x'],
    [2, AT, 6, 'y'],
  ];
  const held = await store.held(block('ahead', fields, again));
  expect([...held].toSorted((a, b) => a[0] - b[0])).toEqual([again[0], again[3]]);
});

test('values of every type come back as they were sent, gaps as null', async () => {
  const fields = { power: 'decimal', count: 'integer', on: 'bool', at: 'date', text: 'keyword' } as const;
  await store.insert(
    [
      block('types', fields, [
        [1, AT, 1.25, 9007199254740991, 1, AT - 5, 'it\'s "quoted" \\ ü 🌞 \ud800'],
        [2, AT + 1, null, null, null, null, null],
        [3, AT + 2, -0.1, -7, 0, 0, ''],
      ]),
    ],
    'types',
  );
  const { records } = await all('types');
  const keys = { device: DEVICE, source: 'inv-01' };
  expect(records).toMatchObject([
    {
      ...keys,
      msg_id: 1,
      event_time: '2026-06-01T12:00:00.000Z',
      power: 1.25,
      count: 9007199254740991,
      on: 1,
      at: AT - 5,
      text: 'it\'s "quoted" \\ ü 🌞 \ufffd',
    },
    {
      ...keys,
      msg_id: 2,
      event_time: '2026-06-01T12:00:00.001Z',
      power: null,
      count: null,
      on: null,
      at: null,
      text: null,
    },
    { ...keys, msg_id: 3, power: -0.1, count: -7, on: 0, at: 0, text: '' },
  ]);
});

test('the same token is stored once, and so is the same event in another batch', async () => {
  const events = block('repeats', { v: 'decimal' }, [
    [10, AT, 1],
    [11, AT + 1, 2],
  ]);
  await store.insert([events], 'repeat-1');
  await store.insert([events], 'repeat-1');
  await store.insert([events, block('repeats', { v: 'decimal' }, [[12, AT + 2, 3]])], 'repeat-2');
  const { records, totalRecords } = await all('repeats');
  expect(records.map(({ msg_id }) => msg_id)).toEqual([10, 11, 12]);
  expect(totalRecords).toBe(3);
});

test('hostile names of tables, sources and fields are data', async () => {
  const evil = `x'; DROP TABLE telemetry.events; -- " \` {p0:String} \\`;
  await store.insert(
    [block(evil, { [evil]: 'decimal', 'AC Power': 'decimal' }, [[20, AT, 5, 6]], { source: evil })],
    'evil',
  );
  expect(await store.tables('hill', ALL_DEVICES)).toContain(evil);
  const result = await store.search(
    'hill',
    ALL_DEVICES,
    evil,
    query({
      filters: [
        { field: evil, operator: '=', value: 5 },
        { field: 'source', operator: 'IN', value: [evil] },
      ],
      sort: `-${evil}`,
      fields: [evil, 'AC Power', 'source'],
    }),
  );
  expect(result.records).toEqual([{ [evil]: 5, 'AC Power': 6, source: evil }]);
  const [points] = await store.series('hill', ALL_DEVICES, {
    from: AT - 1000,
    to: AT + 1000,
    maxPoints: 100,
    series: [{ device: DEVICE, table: evil, source: evil, field: evil }],
  });
  expect(points?.avg).toEqual([5]);
});

test('a field that was sent as number and as text keeps both', async () => {
  await store.insert([block('conflict', { state: 'integer' }, [[30, AT, 4]])], 'conflict-1');
  await store.insert([block('conflict', { state: 'keyword' }, [[31, AT + 1, 'four']])], 'conflict-2');
  expect((await all('conflict')).records.map(({ state }) => state)).toEqual([4, 'four']);
  const found = await store.search(
    'hill',
    ALL_DEVICES,
    'conflict',
    query({ filters: [{ field: 'state', operator: '=', value: 'four' }] }),
  );
  expect(found.totalRecords).toBe(1);
});

test('fields past the numbered columns are stored, searched and charted all the same', async () => {
  const names = Array.from({ length: 100 }, (_, i) => `field ${i}`);
  const wide = block(
    'wide',
    Object.fromEntries([
      ...names.map((name) => [name, 'decimal']),
      ...names.map((name) => [`text ${name}`, 'keyword']),
    ]),
    [[40, AT, ...names.map((_, i) => i), ...names.map((name) => name)]],
  );
  await store.insert([wide], 'wide');
  const { records } = await store.search(
    'hill',
    ALL_DEVICES,
    'wide',
    query({
      filters: [
        { field: 'field 99', operator: '>', value: 98 },
        { field: 'text field 99', operator: 'LIKE', value: 'FIELD*9' },
      ],
    }),
  );
  expect(records[0]).toMatchObject({
    'field 0': 0,
    'field 63': 63,
    'field 64': 64,
    'field 99': 99,
    'text field 99': 'field 99',
  });
  const [points] = await store.series(
    'hill',
    ALL_DEVICES,
    seriesQuery.parse({
      from: AT - 1000,
      to: AT + 1000,
      maxPoints: 100,
      series: [{ device: DEVICE, table: 'wide', source: 'inv-01', field: 'field 99' }],
    }),
  );
  expect(points?.avg).toEqual([99]);
});

test('equal tables of two workgroups share their columns and not their events', async () => {
  await store.insert([block('shared', { a: 'decimal', b: 'decimal' }, [[50, AT, 1, 2]])], 'shared-1');
  await store.insert(
    [block('shared', { b: 'decimal', a: 'decimal' }, [[51, AT, 20, 10]], { workgroup: 'valley' })],
    'shared-2',
  );
  const slots = await engine.clickhouse.queryRows<[string, number]>(
    "SELECT field, uniqExact(slot) FROM telemetry.fields FINAL WHERE tbl = 'shared' GROUP BY field ORDER BY field",
  );
  expect(slots.map(([field, n]) => [field, Number(n)])).toEqual([
    ['a', 1],
    ['b', 1],
  ]);
  expect((await all('shared')).records).toMatchObject([{ msg_id: 50, a: 1, b: 2 }]);
  expect((await all('shared', 'valley')).records).toMatchObject([{ msg_id: 51, a: 10, b: 20 }]);
  await expect(all('types', 'valley')).rejects.toMatchObject({ error: 'table.not_found' });
});

test('a table tells its fields with types and units; the key columns come first', async () => {
  await store.insert(
    [block('units', { power: ['decimal', 'W'], energy: ['integer', 'Wh'] }, [[60, AT, 1, 2]])],
    'units-1',
  );
  await store.insert(
    [block('units', { power: 'decimal', energy: 'decimal' }, [[61, AT + 1, 1, 2.5]])],
    'units-2',
  );
  await store.insert(
    [block('units', { power: 'decimal' }, [[62, AT - 1, 9]], { source: 'inv-02' })],
    'units-3',
  );
  const { fields } = await store.table('hill', ALL_DEVICES, 'units');
  const all = { firstAt: AT - 1, lastAt: AT + 1, sources: ['inv-01', 'inv-02'] };
  expect(fields).toEqual([
    { name: 'device', type: 'keyword', units: null, ...all },
    { name: 'event_time', type: 'date', units: null, ...all },
    { name: 'source', type: 'keyword', units: null, ...all },
    { name: 'energy', type: 'decimal', units: 'Wh', firstAt: AT, lastAt: AT + 1, sources: ['inv-01'] },
    { name: 'power', type: 'decimal', units: 'W', ...all },
    { name: 'msg_id', type: 'integer', units: null, ...all },
    { name: 'store_time', type: 'date', units: null, ...all },
  ]);

  const asked = vi.spyOn(engine.clickhouse, 'queryRows');
  const types = await store.table('hill', ALL_DEVICES, 'units', { typesOnly: true });
  expect(types.fields).toEqual(fields.map(({ name, type, units }) => ({ name, type, units })));
  expect(asked.mock.calls.filter(([sql]) => sql.includes('telemetry.events'))).toEqual([]);
  asked.mockRestore();
});

test('another process, and this one after a restart, reads the same fields', async () => {
  await store.insert([block('restart', { a: 'decimal', b: 'keyword' }, [[70, AT, 1, 'x']])], 'restart-1');
  const other = new TelemetryStore({ clickhouse: engine.clickhouse, log });
  await other.start();
  await store.insert([block('restart', { c: 'decimal' }, [[71, AT + 1, 3]])], 'restart-2');
  await other.insert([block('restart', { a: 'decimal', b: 'keyword' }, [[72, AT + 2, 2, 'y']])], 'restart-3');
  expect((await all('restart')).records).toMatchObject([
    { a: 1, b: 'x', c: null },
    { c: 3 },
    { a: 2, b: 'y' },
  ]);
});

test('two processes that meet a new table at once agree about its columns', async () => {
  let turn: Promise<unknown> = Promise.resolve();
  const exclusively = <T>(task: () => Promise<T>): Promise<T> => {
    const next = turn.then(task);
    turn = next.catch(() => {});
    return next;
  };
  const stores = [1, 2].map(() => new TelemetryStore({ clickhouse: engine.clickhouse, log, exclusively }));
  for (const one of stores) await one.start();
  await Promise.all(
    stores.map((one, i) =>
      one.insert(
        [
          block('race', i === 0 ? { x: 'decimal', y: 'decimal' } : { y: 'decimal', x: 'decimal' }, [
            [80 + i, AT + i, i, 1 - i],
          ]),
        ],
        `race-${i}`,
      ),
    ),
  );
  const fresh = new TelemetryStore({ clickhouse: engine.clickhouse, log });
  await fresh.start();
  const { records } = await fresh.search('hill', ALL_DEVICES, 'race', query({ sort: 'msg_id' }));
  expect(records).toMatchObject([
    { x: 0, y: 1 },
    { x: 0, y: 1 },
  ]);
});

test('a stream that invents too many fields is refused, and the rest of its table stays', async () => {
  const fields = (from: number) =>
    Object.fromEntries(Array.from({ length: 4000 }, (_, i) => [`f${from + i}`, 'decimal' as const]));
  const row = (id: number): [number, number, ...number[]] => [
    id,
    AT,
    ...Array.from({ length: 4000 }, () => 1),
  ];
  await store.insert([block('million', fields(0), [row(90)])], 'million-0');
  await store.insert([block('million', fields(4000), [row(91)])], 'million-1');
  const bad: TelemetryBlock = block('million', fields(8000), [row(92)]);
  await expect(store.insert([bad], 'million-2')).rejects.toBeInstanceOf(RefusedBlocks);
  expect((await store.search('hill', ALL_DEVICES, 'million', query({ rows: 0 }))).totalRecords).toBe(2);
});

test('clocks that are wrong by decades and many months in one block are taken', async () => {
  const rows = Array.from({ length: 150 }, (_, i): [number, number, number] => [
    200 + i,
    Date.UTC(2010, i, 3),
    i,
  ]);
  await store.insert(
    [block('clocks', { v: 'integer' }, [[198, 0, 1], [199, Date.UTC(2090, 0, 1), 1], ...rows])],
    'clocks',
  );
  const { totalRecords, records } = await all('clocks');
  expect(totalRecords).toBe(152);
  expect(records[0]?.event_time).toBe('1970-01-01T00:00:00.000Z');
});

test('an event without fields counts, and its table is known', async () => {
  await store.insert([block('bare', {}, [[300, AT]])], 'bare');
  expect((await all('bare')).records).toMatchObject([{ msg_id: 300 }]);
  expect((await store.table('hill', ALL_DEVICES, 'bare')).fields.map(({ name }) => name)).not.toContain('');
});

test('the newest values of every source of a device', async () => {
  const at = { workgroup: 'latest' };
  await store.insert(
    [
      block(
        'solar',
        { power: 'decimal', note: 'keyword' },
        [
          [400, AT, 1, 'a'],
          [402, AT + 2000, 3, null],
        ],
        at,
      ),
      block('solar', { power: 'decimal' }, [[403, AT, 9]], { ...at, source: 'inv-02' }),
      block('meter', { energy: 'decimal' }, [[404, AT, 7]], { ...at, source: 'grid' }),
      block('meter', { energy: 'decimal' }, [[1, AT, 8]], { ...at, device: OTHER_DEVICE, source: 'grid' }),
    ],
    'latest-1',
  );
  await store.insert([block('solar', { power: 'decimal' }, [[401, AT + 1000, 2]], at)], 'late');
  expect(await store.latest('latest', ALL_DEVICES, DEVICE)).toEqual([
    { table: 'meter', source: 'grid', eventAt: AT, values: { energy: 7 } },
    { table: 'solar', source: 'inv-01', eventAt: AT + 2000, values: { power: 3 } },
    { table: 'solar', source: 'inv-02', eventAt: AT, values: { power: 9 } },
  ]);
  expect(await store.latest('latest', ALL_DEVICES, '11111111-9dc0-41d1-b245-5ffdce74fad2')).toEqual([]);
});

test('facts at the start: newest event, black box and the mean of the processor', async () => {
  const device = '5d444840-9dc0-41d1-b245-5ffdce74fad2';
  const now = AT;
  await store.insert(
    [
      block(
        'data',
        { cpu_usage: 'decimal' },
        [
          [1, now - 3_600_000, 99],
          [2, now - 60_000, 10],
          [3, now - 30_000, 20],
        ],
        { device, source: 'CPU' },
      ),
      block(
        'black_box',
        { cpu_temp: 'decimal', os: 'keyword' },
        [
          [4, now - 300_000, 51.5, 'Debian 12'],
          [5, now - 600_000, 40, 'Debian 11'],
        ],
        { device, source: 'Black box' },
      ),
      // What the cloud notes about a device is no news from it.
      block('audit_logs', { action: 'keyword' }, [[6, now, 'create']], { device, source: 'cloud' }),
    ],
    'facts',
  );
  expect((await store.facts(now)).get(device)).toEqual({
    lastEventAt: now - 30_000,
    blackBox: { eventAt: now - 300_000, values: { cpu_temp: 51.5, os: 'Debian 12' } },
    cpuUsage: 15,
  });
});

test('what was stored since an instant, stream by stream, each event once', async () => {
  const device = '6d444840-9dc0-41d1-b245-5ffdce74fad2';
  const before = Date.now();
  const rows = (from: number, to: number): [number, number, number][] =>
    Array.from({ length: to - from + 1 }, (_, i) => [from + i, AT + i, i]);
  await store.insert(
    [
      block('ledger', { v: 'integer' }, rows(1, 5), { device }),
      block('ledger', { v: 'integer' }, rows(6, 7), { device, source: 'b' }),
    ],
    'ledger-1',
  );
  await store.insert(
    [
      block('ledger', { v: 'integer' }, rows(4, 5), { device }),
      block('ledger', { v: 'integer' }, rows(9, 9), { device }),
    ],
    'ledger-2',
  );
  const runs = (await collect(store.storedSince(before))).filter((run) => run.device === device);
  expect(runs).toMatchObject([
    { workgroup: 'hill', table: 'ledger', source: 'b', msgIds: [6, 7] },
    { workgroup: 'hill', table: 'ledger', source: 'inv-01', msgIds: [1, 2, 3, 4, 5, 9], firstEventAt: AT },
  ]);
  expect(await collect(store.storedSince(Date.now() + 60_000))).toEqual([]);
});

test('every table of the engine that names a workgroup is announced as a part of workgroups', async () => {
  const naming = await engine.clickhouse.queryRows<[string]>(
    `SELECT name FROM system.tables WHERE database = 'telemetry' AND engine NOT LIKE '%View' AND name IN
      (SELECT table FROM system.columns WHERE database = 'telemetry' AND name = 'workgroup') ORDER BY name`,
  );
  expect(naming.flat()).toEqual([...TELEMETRY_TABLES].toSorted());
});
