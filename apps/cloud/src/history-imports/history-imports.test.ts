import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type HistoryFormat,
  type HistoryImport,
  historyImport,
} from '@albedo/contract/history-imports/history-imports.schema';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let token = '';
let roof = '';
let hall = '';
beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
  [roof = '', hall = ''] = await Promise.all(
    ['Roof', 'Hall'].map(async (name) => (await ask('POST', 'devices/main', { name })).body.id),
  );
});
afterAll(() => cloud.stop());

const ask = (method: string, path: string, body?: unknown, by = token) =>
  cloud.call(method, path, { token: by, body });
const ROOM = 'historyImports/main';

/** Sends a file in parts of so many bytes; answers the id of the import. */
async function upload(name: string, format: HistoryFormat, text: string | Buffer, partBytes = 1_000_000) {
  const bytes = Buffer.from(text);
  const made = await ask('POST', ROOM, { name, format, bytes: bytes.length });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  for (let from = 0; from < bytes.length; from += partBytes)
    await sendPart(made.body._id, from, bytes.subarray(from, from + partBytes));
  return made.body._id as string;
}

function sendPart(id: string, from: number, bytes: Buffer) {
  const form = new FormData();
  form.append('from', String(from));
  form.append('files', new File([new Uint8Array(bytes)], 'part'));
  return ask('PUT', `${ROOM}/${id}/parts`, form);
}

/** Begins a long action of an import and waits for its end. */
async function act(id: string, what: 'start' | 'undo', body: object = {}) {
  const begun = await ask('POST', `${ROOM}/${id}/${what}`, body);
  expect(begun.status, JSON.stringify(begun.body)).toBe(200);
  const { longActions, jobs } = cloud.cloud.features;
  await jobs.idle(longActions.job);
  return (await ask('GET', `long-actions/main/${begun.body.id}`)).body;
}

const one = async (id: string): Promise<HistoryImport> =>
  historyImport.parse((await ask('GET', ROOM)).body.find(({ _id }: { _id: string }) => _id === id));

const searched = async (table: string) =>
  (await ask('GET', `tables/main/${table}/search?sort=event_time&rows=10000`)).body as {
    totalRecords: number;
    records: Record<string, unknown>[];
  };

const mapping = (table: string, change: object = {}) => ({
  table,
  source: 'inv_01',
  timeColumn: 'time',
  timezone: 'Europe/Berlin',
  fields: [{ column: 'P', name: 'ac_power', units: 'W', factor: 1000 }],
  ...change,
});

test('a CSV is looked at, stored with its own zone, told to plants and ledger, and undone whole', async () => {
  const late = vi.spyOn(cloud.cloud.features.plants, 'late');
  const csv = [
    'time;P;note',
    '2024-06-01 12:00;1,5;a',
    'yesterday;2;b',
    '2024-06-01 12:05;two;c',
    '2024-06-01 12:10;2,5;"d;\nd"',
    '2024-06-01 12:15;3',
    '2024-06-01 12:10;4,5;again',
    '2024-06-01 12:20;5;e',
  ].join('\n');
  const id = await upload('inverters.csv', 'csv', csv, 40);
  expect(await one(id)).toMatchObject({ state: 'ready', received: csv.length });
  const plan = { device: roof, mapping: mapping('inverter') };
  const seen = await ask('POST', `${ROOM}/${id}/preview`, { plan });
  expect(seen.body).toMatchObject({
    columns: ['time', 'P', 'note'],
    looked: 7,
    events: 4,
    faulty: 3,
    values: 1,
    sample: [{ device: roof, at: Date.UTC(2024, 5, 1, 10), values: { ac_power: 1500 } }, {}, {}, {}],
    faults: [
      { line: 3, reason: 'time', text: 'yesterday' },
      { line: 4, reason: 'number', text: 'P: two' },
      { line: 4, reason: 'empty' },
      { line: 7, reason: 'record' },
    ],
  });
  expect((await ask('GET', 'tables/main')).body).not.toContain('inverter');

  const done = await act(id, 'start', { plan });
  expect(done).toMatchObject({ state: 'done', file: { name: 'inverters.csv-faults.csv' } });
  const counts = { records: 7, events: 4, stored: 3, existing: 0, repeated: 1, faulty: 3, values: 1 };
  expect(await one(id)).toMatchObject({ state: 'done', counts, firstAt: Date.UTC(2024, 5, 1, 10) });
  expect((await searched('inverter')).records.map((row) => row.ac_power)).toEqual([1500, 4500, 5000]);
  expect(late.mock.calls).toEqual([[roof, Date.UTC(2024, 5, 1, 10)]]);
  const ledger = async () => (await ask('GET', `devices/main/${roof}/completeness`)).body;
  expect(await ledger()).toMatchObject({
    stored: 0,
    gaps: [],
    imported: [{ importId: id, name: 'inverters.csv', table: 'inverter', source: 'inv_01', events: 3 }],
  });
  const offer = await ask('POST', `long-actions/main/${done.id}/file`);
  expect((await cloud.call('GET', offer.body.path)).bytes.toString()).toContain('3,time,"yesterday"');
  expect((await ask('POST', `${ROOM}/${id}/start`, { plan })).body.error).toBe('history_import.busy');

  const held = await ask('POST', 'storage/main/holds', { table: 'inverter', month: null, reason: 'A claim' });
  expect((await ask('POST', `${ROOM}/${id}/undo`, {})).body.error).toBe('data_table.held');
  await ask('DELETE', `storage/main/holds/${held.body._id}`);
  expect(await act(id, 'undo')).toMatchObject({ state: 'done', result: { removed: 3 } });
  expect((await ask('GET', 'tables/main')).body).not.toContain('inverter');
  expect((await ledger()).imported).toEqual([]);
  expect((await one(id)).state).toBe('undone');
  expect(late).toHaveBeenCalledTimes(2);
  late.mockRestore();
  const log = (await auditOf(cloud, 'main')).filter((entry) => entry.controller === 'history-import');
  expect(log.map(({ action }) => action)).toEqual(['create', 'start', 'undo']);
});

test('read with another delimiter, the lines of a file are looked for again', async () => {
  const csv = 'Plant, Hill\n\ntime;P, AC;U\n;kW;V\n2024-06-01 12:00;1,5;230\n2024-06-01 12:05;2,5;231';
  const id = await upload('lines.csv', 'csv', csv);
  const own = { headers: [3], units: 4, firstRecord: 5 };
  const look = async (layout: object | null) =>
    (await ask('POST', `${ROOM}/${id}/preview`, { layout })).body as { layout: object; columns: string[] };
  expect((await look(null)).layout).toMatchObject({ delimiter: ';', ...own });
  const wrong = await look({ delimiter: '|' });
  expect(wrong.layout).not.toMatchObject(own);
  const again = await look({ delimiter: ';' });
  expect(again).toMatchObject({ layout: { delimiter: ';', ...own }, columns: ['time', 'P, AC', 'U'] });
  const said = { delimiter: ';', headers: [], units: null, firstRecord: 5 };
  expect((await look(said)).layout).toMatchObject(said);
});

test('a plan that names a column which the file has not is refused by its name, before anything is stored', async () => {
  const id = await upload('wrong.csv', 'csv', 'time,P,inv\n2024-01-01 00:00,1,a');
  const wrong = {
    deviceColumn: 'plant',
    mapping: mapping('wrong', { timeColumn: 'nope', fields: [{ column: 'Q', name: 'q' }] }),
  };
  for (const step of ['preview', 'start'])
    expect(await ask('POST', `${ROOM}/${id}/${step}`, { plan: wrong })).toMatchObject({
      status: 400,
      body: {
        error: 'request.invalid',
        message: expect.stringContaining('plan.mapping.timeColumn: The file has no column called nope.'),
        issues: [
          { path: 'plan.mapping.timeColumn', issue: 'issue.no_file_column', facts: { name: 'nope' } },
          { path: 'plan.deviceColumn' },
          { path: 'plan.mapping.fields.0.column' },
        ],
      },
    });
  expect((await one(id)).state).toBe('ready');
  const { source: _, ...sourceless } = mapping('wrong');
  const unnamed = await ask('POST', `${ROOM}/${id}/preview`, { plan: { device: roof, mapping: sourceless } });
  expect(unnamed.body).toMatchObject({ code: 400, issues: [{ path: 'plan.mapping.source' }] });
  const named = { device: roof, mapping: { ...sourceless, sourceColumn: 'inv' } };
  const seen = await ask('POST', `${ROOM}/${id}/preview`, { plan: named });
  expect(seen.body).toMatchObject({ events: 1, sample: [{ source: 'a' }] });
});

test('an undone import leaves what was there: other events, and the newest values', async () => {
  const { telemetry } = cloud.cloud.features;
  const fields = [{ name: 'ac_power', type: 'decimal' as const }];
  const at = Date.UTC(2024, 0, 1);
  const block = { workgroup: 'main', device: hall, stream: { table: 'meter', source: 'm', fields } };
  await telemetry.asSystem('ingest').insert([{ ...block, rows: [[1, at, 7]] }], randomUUID());
  const lines = ['time,P', `${at},1`, `${at + 1000},2`].join('\n');
  const id = await upload('meter.csv', 'csv', lines);
  const plan = {
    device: hall,
    mapping: mapping('meter', {
      source: 'm',
      timeFormat: 'epoch_ms',
      fields: [{ column: 'P', name: 'ac_power' }],
    }),
  };
  await act(id, 'start', { plan });
  expect((await one(id)).counts).toMatchObject({ events: 2, stored: 1, existing: 1 });
  const newest = async () =>
    (await ask('GET', `devices/main/${hall}/sources`)).body.find(
      ({ table }: { table: string }) => table === 'meter',
    );
  expect((await newest()).eventAt).toBe(at + 1000);
  await act(id, 'undo');
  expect((await searched('meter')).records.map((row) => row.ac_power)).toEqual([7]);
  expect((await newest()).eventAt).toBe(at);
});

test('an hour that comes twice goes on in the order of the file, and one that is skipped is named', async () => {
  const clock = ['02:30', '02:45', '02:00', '02:15', '03:00'].map((time) => `2024-10-27 ${time},1`);
  const csv = ['time,P', '2024-03-31 02:30,1', ...clock].join('\n');
  const id = await upload('clock.csv', 'csv', csv);
  await act(id, 'start', { plan: { device: roof, mapping: mapping('clock') } });
  expect((await searched('clock')).records.map((row) => row.event_time)).toEqual(
    ['00:30', '00:45', '01:00', '01:15', '02:00'].map((time) => `2024-10-27T${time}:00.000Z`),
  );
  expect((await one(id)).faults).toMatchObject([
    { line: 2, reason: 'skipped_time', text: '2024-03-31 02:30' },
  ]);
});

test('Parquet of another program keeps clocks and instants apart, and names its devices', async () => {
  const path = join(cloud.dataDir, 'plant.parquet');
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run(`copy (
    select timestamp '2024-07-01 00:00:00' + interval (i) minute as clock,
      (timestamp '2024-07-01 00:00:00' + interval (i) minute)::timestamptz as instant,
      case i % 3 when 0 then 'Roof' when 1 then 'plant b' else 'Nobody' end as device, i::bigint as n, i / 2 as power,
      'raw'::blob as raw
    from range(3000) t(i)) to '${path}' (format parquet, compression zstd, row_group_size 1000)`);
  const id = await upload('plant.parquet', 'parquet', readFileSync(path), 20_000);
  const fields = [
    { column: 'n', name: 'n', type: 'integer' },
    { column: 'power', name: 'power' },
  ];
  const plan = {
    deviceColumn: 'device',
    devices: { 'plant b': hall },
    mapping: mapping('plant', { timeColumn: 'clock', fields }),
  };
  const seen = await ask('POST', `${ROOM}/${id}/preview`, { plan });
  expect(seen.body).toMatchObject({
    columns: ['clock', 'instant', 'device', 'n', 'power', 'raw'],
    looked: 3000,
    devices: [
      { text: 'Roof', device: roof },
      { text: 'plant b', device: hall },
      { text: 'Nobody', device: null },
    ],
  });
  await act(id, 'start', { plan });
  expect((await one(id)).counts).toMatchObject({ records: 3000, stored: 2000, faulty: 1000 });
  const { records } = await searched('plant');
  expect(records[0]).toMatchObject({ device: roof, event_time: '2024-06-30T22:00:00.000Z', n: 0, power: 0 });
  expect(records[1]).toMatchObject({ device: hall, n: 1, power: 0.5 });
});

test('the preview of Parquet shows a column of instants with its times', async () => {
  const path = join(cloud.dataDir, 'instants.parquet');
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run(`copy (select timestamptz '2024-07-01 00:00:00+00' as time, 5 as power)
    to '${path}' (format parquet)`);
  const id = await upload('instants.parquet', 'parquet', readFileSync(path), 20_000);
  const { body } = await ask('POST', `${ROOM}/${id}/preview`, {});
  expect(body).toMatchObject({
    columns: ['time', 'power'],
    records: [{ time: '2024-07-01T00:00:00.000Z', power: '5' }],
  });
});

test('line protocol brings one field a line, of several measurements, and its repeats are known', async () => {
  const at = 1_704_067_200_123_456_789n;
  const lines = [
    '# DML',
    `inverter,site=Roof ac=1.5 ${at}`,
    `inverter,site=Roof ac=2.5 ${at}`,
    `inverter,site=Roof n=7i ${at}`,
    `weather\\ north,site=Roof text="it \\"rains\\", a=b" ${at}`,
    'inverter,site=Roof ac=1',
    'inverter,site=Roof ac= 1',
  ].join('\n');
  const id = await upload('export.lp', 'lines', lines);
  const fields = [
    { column: 'ac', name: 'ac' },
    { column: 'n', name: 'n', type: 'integer' },
    { column: 'text', name: 'text', type: 'keyword' },
  ];
  const plan = {
    deviceColumn: 'site',
    tableColumn: 'measurement',
    mapping: mapping('unused', { timeFormat: 'epoch_ns', fields }),
  };
  await act(id, 'start', { plan });
  const { counts, faults } = await one(id);
  expect({ counts, faults }).toMatchObject({
    counts: { records: 6, events: 4, stored: 3, repeated: 1, faulty: 2 },
    faults: [
      { line: 6, reason: 'time' },
      { line: 7, reason: 'record' },
    ],
  });
  const { records } = await searched('inverter');
  expect(records.map(({ ac, n, event_time }) => ({ ac, n, event_time }))).toEqual(
    expect.arrayContaining([
      { ac: 2.5, n: null, event_time: '2024-01-01T00:00:00.123Z' },
      { ac: null, n: 7, event_time: '2024-01-01T00:00:00.123Z' },
    ]),
  );
  expect((await searched('weather north')).records[0]?.text).toBe('it "rains", a=b');
});

test('a file that is cancelled, broken or not here is refused or kept, and says why', async () => {
  const id = await upload('broken.xlsx', 'xlsx', 'time,P,P\n1,2,3');
  const plan = { device: roof, mapping: mapping('broken') };
  expect((await ask('POST', `${ROOM}/${id}/preview`, {})).body).toMatchObject({
    error: 'history_import.unreadable',
    message: expect.stringContaining('This is no XLSX file'),
  });
  expect(await act(id, 'start', { plan })).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('This is no XLSX file'),
  });
  expect((await ask('DELETE', `${ROOM}/${id}`)).body.error).toBe('history_import.busy');
  await act(id, 'undo');
  expect((await one(id)).state).toBe('ready');
  expect((await ask('DELETE', `${ROOM}/${id}`)).status).toBe(200);

  const half = (await ask('POST', ROOM, { name: 'half.csv', format: 'csv', bytes: 10 })).body._id;
  expect((await sendPart(half, 5, Buffer.from('12345'))).body).toEqual({ received: 0 });
  expect((await sendPart(half, 0, Buffer.from('12345'))).body).toEqual({ received: 5 });
  expect((await sendPart(half, 0, Buffer.from('12345'))).body).toEqual({ received: 5 });
  expect((await sendPart(half, 5, Buffer.from('123456'))).body).toEqual({ received: 5 });
  expect((await ask('POST', `${ROOM}/${half}/start`, { plan })).body.error).toBe('history_import.incomplete');
  const stranger = { ...plan, device: randomUUID() };
  const ready = await upload('ready.csv', 'csv', 'time,P\n2024-01-01 00:00,1');
  expect((await ask('POST', `${ROOM}/${ready}/start`, { plan: stranger })).status).toBe(404);
  const system = { device: roof, mapping: mapping('audit_logs') };
  expect((await ask('POST', `${ROOM}/${ready}/start`, { plan: system })).status).toBe(409);
});

test('a file has values of the future only for a table of forecasts', async () => {
  const at = new Date(Date.now() + 3 * 86_400_000).toISOString();
  const lines = ['time,P', `${at},1`, '2024-01-01T00:00:00Z,2'].join('\n');
  const imported = async (table: string) => {
    const id = await upload(`${table}.csv`, 'csv', lines);
    const fields = [{ column: 'P', name: 'power' }];
    await act(id, 'start', { plan: { device: roof, mapping: { ...mapping(table, { fields }) } } });
    const { counts, faults } = await one(id);
    return { stored: counts.stored, faults: faults.map(({ line, reason }) => ({ line, reason })) };
  };
  expect(await imported('measured')).toEqual({ stored: 1, faults: [{ line: 2, reason: 'time' }] });
  const body = { holdsForecasts: true };
  expect((await cloud.call('PUT', 'dataTables/main/outlook/forecasts', { token, body })).status).toBe(200);
  expect(await imported('outlook')).toEqual({ stored: 2, faults: [] });
});
