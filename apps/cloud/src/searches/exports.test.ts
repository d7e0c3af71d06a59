import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectAgent } from '../testing/fake-agent.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

const AT = Date.UTC(2026, 5, 1);
let cloud: TestCloud;
let owner = '';
let roof = '';
let hill = '';
beforeAll(async () => {
  cloud = await startTestCloud();
  owner = await cloud.owner();
  const fields = [
    { name: 'power', type: 'decimal' as const },
    { name: 'on', type: 'bool' as const },
    { name: 'Read at', type: 'date' as const },
    // Named like a column of the store: conditions must go on meaning that column.
    { name: 'workgroup', type: 'keyword' as const },
  ];
  const add = async (name: string, rows: [number, number, ...(number | string | null)[]][]) => {
    const { id } = (await cloud.call('POST', 'devices/main', { token: owner, body: { name } })).body;
    const block = {
      workgroup: 'main',
      device: id,
      stream: { table: 'inverter', source: 'one', fields },
      rows,
    };
    await cloud.cloud.features.telemetry.asSystem('ingest').insert([block], randomUUID());
    return id;
  };
  roof = await add('Roof', [
    [1, AT, 10.5, 1, AT - 1000, 'other "quoted", `odd`'],
    [2, AT + 1000, null, 0, null, null],
  ]);
  hill = await add('Hill', [[1, AT + 2000, 30, 1, AT, 'other']]);
});
afterAll(() => cloud.stop());

interface Done {
  state: string;
  error: string | null;
  result: { records: number; total: number };
  file: { name: string; size: number } | null;
  id: string;
}

/** Begins an export, waits for its end, and keeps its file where DuckDB can read it. */
async function exported(
  body: object,
  token = owner,
  table = 'inverter',
): Promise<{ done: Done; path: string }> {
  const begun = await cloud.call('POST', `tables/main/${table}/export`, { token, body });
  expect(begun.status).toBe(200);
  const { longActions, jobs } = cloud.cloud.features;
  await jobs.idle(longActions.job);
  const done = (await cloud.call('GET', `long-actions/main/${begun.body.id}`, { token })).body as Done;
  expect(done).toMatchObject({ state: 'done', error: null });
  const offer = await cloud.call('POST', `long-actions/main/${done.id}/file`, { token });
  const { bytes } = await cloud.call('GET', offer.body.path);
  const path = join(cloud.dataDir, done.file?.name ?? 'none');
  writeFileSync(path, bytes);
  // The link is good once.
  expect((await cloud.call('GET', offer.body.path)).status).toBe(404);
  return { done, path };
}

async function duck(sql: string): Promise<unknown[][]> {
  const connection = await (await DuckDBInstance.create()).connect();
  return (await connection.runAndReadAll(sql)).getRowsJson();
}

const ROWS = () => [
  [roof, 10.5, true, 'other "quoted", `odd`'],
  [roof, null, false, null],
  [hill, 30, true, 'other'],
];

test('a file of CSV is written as somebody wants it: their signs, the zone of each site, units and names', async () => {
  await cloud.cloud.features.telemetry.asSystem('ingest').insert(
    [
      {
        workgroup: 'main',
        device: roof,
        stream: {
          table: 'meters',
          source: 'm',
          fields: [
            { name: 'energy', type: 'decimal', units: 'Wh' },
            { name: 'since', type: 'date' },
          ],
        },
        rows: [[3, AT, 1234.5678901, AT]],
      },
    ],
    randomUUID(),
  );
  const csv = { delimiter: ';', decimal: ',', bom: true, times: 'clock', timezone: 'Europe/Berlin' };
  const fields = ['event_time', 'device', 'energy', 'since'];
  const { path } = await exported({ format: 'csv', fields, csv }, owner, 'meters');
  const text = readFileSync(path, 'utf8');
  expect(text).toBe(
    `\uFEFFevent_time;event_time offset;device;device name;energy [Wh];since;since offset\r\n${[
      '2026-06-01 02:00:00',
      'UTC+02:00',
      roof,
      'Roof',
      '1234,5678901',
      '2026-06-01 02:00:00',
      'UTC+02:00',
    ].join(';')}\r\n`,
  );
  const asked = new URLSearchParams({
    csvScroll: 'true',
    csvStyle: JSON.stringify({ timezone: 'Asia/Tokyo' }),
  });
  for (const field of ['event_time', 'energy']) asked.append('fields', field);
  const answer = await cloud.call('GET', `tables/main/meters/search?${asked}`, { token: owner });
  expect(answer.bytes.toString()).toBe(
    'event_time,energy [Wh]\r\n2026-06-01T09:00:00+09:00,1234.5678901\r\n',
  );
});

test('Parquet has the types of the fields, as DuckDB reads it', async () => {
  const { done, path } = await exported({ format: 'parquet', timeframe: 'all-time' });
  expect(done.result).toMatchObject({ records: 3, total: 3 });
  const types = await duck(`select column_name, column_type from (describe select * from '${path}')`);
  expect(Object.fromEntries(types as [string, string][])).toMatchObject({
    device: 'VARCHAR',
    event_time: expect.stringContaining('TIMESTAMP'),
    power: 'DOUBLE',
    on: 'BOOLEAN',
    'Read at': expect.stringContaining('TIMESTAMP'),
    workgroup: 'VARCHAR',
    msg_id: 'UBIGINT',
  });
  expect(await duck(`select device, power, "on", workgroup from '${path}' order by event_time`)).toEqual(
    ROWS(),
  );
  const [[read, at]] = (await duck(
    `select epoch_ms("Read at"), epoch_ms(event_time) from '${path}' order by event_time limit 1`,
  )) as [[unknown, unknown]];
  expect([Number(read), Number(at)]).toEqual([AT - 1000, AT]);
});

test('whole numbers of 64 bits, gaps and names and texts of any letters come out of every format as they went in', async () => {
  const agent = await connectAgent(cloud);
  const fields = [
    { name: 'Zähler', type: 'integer' as const, units: 'Wh' },
    { name: '__proto__', type: 'decimal' as const },
    { name: '状態', type: 'keyword' as const },
  ];
  const rows = [
    [AT, '18446744073709551615', 1.5, 'läuft, „gut“\n🌞'],
    [AT + 1000, '-9007199254740993', null, ''],
    [AT + 2000, null, -0.25, null],
    [AT + 3000, 7, 0, 'null'],
  ];
  await agent.send([{ table: 'meter', source: 'Zähler 1', fields, rows }]);
  await agent.acknowledged();
  await agent.leave();
  const wanted = [
    ['Zähler 1', '18446744073709551615', 1.5, 'läuft, „gut“\n🌞'],
    ['Zähler 1', '-9007199254740993', null, ''],
    ['Zähler 1', null, -0.25, null],
    ['Zähler 1', '7', 0, 'null'],
  ];
  const read = (from: string) =>
    duck(`select source, "Zähler"::varchar, "__proto__", "状態" from ${from} order by event_time`);
  const { path: parquet } = await exported({ format: 'parquet', timeframe: 'all-time' }, owner, 'meter');
  expect(await read(`'${parquet}'`)).toEqual(wanted);
  const { path: jsonl } = await exported({ format: 'jsonl', timeframe: 'all-time' }, owner, 'meter');
  expect(await read(`read_json('${jsonl}', format = 'newline_delimited')`)).toEqual(wanted);
  const { path: csv } = await exported({ format: 'csv', timeframe: 'all-time' }, owner, 'meter');
  const types = `types = {'Zähler': 'VARCHAR', '状態': 'VARCHAR'}`;
  // CSV does not tell an empty text from none.
  const bare = (row: unknown[]) => row.map((value) => (value === '' ? null : value));
  const cells = await read(`read_csv('${csv}', header = true, allow_quoted_nulls = false, ${types})`);
  expect(cells.map(bare)).toEqual(wanted.map(bare));
});

test('JSON lines and CSV have the same records', async () => {
  const jsonl = await exported({ format: 'jsonl', timeframe: 'all-time' });
  const read = `read_json('${jsonl.path}', format = 'newline_delimited')`;
  expect(await duck(`select device, power, "on", workgroup from ${read} order by event_time`)).toEqual(
    ROWS(),
  );
  expect(await duck(`select min(event_time)::timestamp::varchar from ${read}`)).toEqual([
    ['2026-06-01 00:00:00'],
  ]);
  const csv = await exported({ format: 'csv', timeframe: 'all-time', fields: ['device', 'power'] });
  const lines = `read_csv('${csv.path}', header = true)`;
  expect(await duck(`select device, power from ${lines}`)).toEqual(
    ROWS().map(([device, power]) => [device, power]),
  );
});

test('filters, columns and order are those of the search', async () => {
  const filters = [{ field: 'power', operator: '>', value: 5 }];
  const asked = { format: 'parquet', filters, fields: ['power'], sort: '-power', timeframe: 'all-time' };
  const { path } = await exported(asked);
  expect(await duck(`select * from '${path}'`)).toEqual([[30], [10.5]]);
});

test('a member of a device group exports what they see, and nobody else fetches the file', async () => {
  const body = { name: 'Hills', composition: { type: 'IN', devices: [hill] } };
  const { _id: devGroup } = (await cloud.call('POST', 'orgs/main/device-groups', { token: owner, body }))
    .body;
  const bound = await cloud.newUser({ main: { role: 'readonly', permissions: ['read'], devGroup } });
  const { done, path } = await exported({ format: 'parquet', timeframe: 'all-time' }, bound);
  expect(await duck(`select distinct device from '${path}'`)).toEqual([[hill]]);
  const others = await cloud.call('POST', `long-actions/main/${done.id}/file`, { token: owner });
  expect(others.status).toBe(404);
});

test('what cannot be searched is refused at once, with the faulty part', async () => {
  const ask = (body: object) => cloud.call('POST', 'tables/main/inverter/export', { token: owner, body });
  expect((await ask({ format: 'xlsx' })).body.issues[0].path).toBe('format');
  expect((await ask({ format: 'csv', fields: ['nothing'] })).body.error).toBe('table.field_unknown');
  const filters = [{ field: 'power', operator: '=', value: 'many' }];
  expect((await ask({ format: 'csv', filters })).body.issues[0].path).toBe('filters.0.value');
  const missing = await cloud.call('POST', 'tables/main/none/export', {
    token: owner,
    body: { format: 'csv' },
  });
  expect(missing.body.error).toBe('table.not_found');
});

test('a typo in what is exported is refused and named, and exports nothing', async () => {
  for (const [body, path] of [
    [{ format: 'csv', timefram: 'today' }, 'timefram'],
    [{ format: 'csv', timeframe: { from: null, to: null } }, 'timeframe'],
    [{ format: 'csv', timeframe: { fom: AT, to: AT + 1 } }, 'timeframe.fom'],
  ] as const) {
    const reply = await cloud.call('POST', 'tables/main/inverter/export', { token: owner, body });
    expect(reply).toMatchObject({ status: 400, body: { error: 'request.invalid', issues: [{ path }] } });
  }
});
