import { type HistoryFormat, historyPreview } from '@albedo/contract/history-imports/history-imports.schema';
import { writeXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { VENDOR_FILES } from './vendor-files.test-kit.ts';

let cloud: TestCloud;
let token = '';
let roof = '';
beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
  roof = (await ask('POST', 'devices/main', { name: 'Roof' })).body.id;
});
afterAll(() => cloud.stop());

const ROOM = 'historyImports/main';
const ask = (method: string, path: string, body?: unknown) => cloud.call(method, path, { token, body });

async function upload(name: string, format: HistoryFormat, bytes: Buffer): Promise<string> {
  const made = await ask('POST', ROOM, { name, format, bytes: bytes.length });
  const form = new FormData();
  form.append('from', '0');
  form.append('files', new File([new Uint8Array(bytes)], 'part'));
  await ask('PUT', `${ROOM}/${made.body._id}/parts`, form);
  return made.body._id;
}

async function look(id: string, body: object = {}) {
  const answer = await ask('POST', `${ROOM}/${id}/preview`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return historyPreview.parse(answer.body);
}

async function run(id: string, plan: object) {
  const begun = await ask('POST', `${ROOM}/${id}/start`, { plan });
  expect(begun.status, JSON.stringify(begun.body)).toBe(200);
  const { longActions, jobs } = cloud.cloud.features;
  await jobs.idle(longActions.job);
  const { body } = await ask('GET', ROOM);
  return body.find(({ _id }: { _id: string }) => _id === id);
}

/** What is stored, as instants and values. */
async function stored(table: string, field = 'p'): Promise<{ at: number; value: unknown }[]> {
  const { body } = await ask('GET', `tables/main/${table}/search?sort=event_time&rows=10000`);
  return body.records.map((row: Record<string, unknown>) => ({
    at: Date.parse(String(row.event_time)),
    value: row[field],
  }));
}

let tables = 0;
/** A small CSV of one column, with a plan that leaves to the values what can be left to them. */
async function small(text: string | Buffer, change: object = {}, plan: object = {}) {
  const table = `small_${++tables}`;
  const id = await upload(`${table}.csv`, 'csv', Buffer.from(text));
  const seen = await look(id);
  const value = seen.profiles.find(({ name }) => name === 'P' || name === 'Leistung')?.name ?? 'P';
  const mapping = {
    table,
    source: 's',
    timeColumn: seen.timeColumn ?? 'T',
    timezone: 'Europe/Berlin',
    fields: [{ column: value, name: 'p' }],
    ...change,
  };
  const done = await run(id, { device: roof, mapping, ...plan });
  const events = await stored(table).catch(() => []);
  return { id, table, seen, done, events, instants: events.map(({ at }) => new Date(at).toISOString()) };
}

test.each(Object.entries(VENDOR_FILES))(
  'a file of %s comes in as it is, instant by instant, over both changes of the clocks',
  async (_vendor, make) => {
    const file = await make();
    const table = file.vendor.toLowerCase().replace(/\W/g, '_');
    const id = await upload(file.name, file.format, file.bytes);
    const seen = await look(id);
    expect({ vendor: file.vendor, column: seen.columns.find((one) => one.includes(file.column)) }).toEqual({
      vendor: file.vendor,
      column: expect.any(String),
    });
    const column = seen.columns.find((one) => one.includes(file.column)) as string;
    const profile = seen.profiles.find(({ name }) => name === column);
    expect({ vendor: file.vendor, kind: profile?.kind, units: profile?.units }).toEqual({
      vendor: file.vendor,
      kind: 'number',
      units: file.units,
    });
    const plan = {
      device: roof,
      mapping: {
        table,
        source: 'inv',
        timeColumn: seen.timeColumn,
        timezone: file.timezone,
        standardTime: file.standardTime ?? false,
        fields: [{ column, name: 'p' }],
      },
    };
    const tried = await look(id, { plan });
    expect({ ...tried, vendor: file.vendor }).toMatchObject({
      vendor: file.vendor,
      asks: [],
      events: file.events.length,
      faulty: file.faulty,
      values: 0,
      isWhole: true,
    });
    const done = await run(id, plan);
    expect({ vendor: file.vendor, ...done.counts }).toMatchObject({
      vendor: file.vendor,
      stored: file.events.length,
      faulty: file.faulty,
    });
    expect({ vendor: file.vendor, events: await stored(table) }).toEqual({
      vendor: file.vendor,
      events: file.events,
    });
  },
);

test.each([
  ['Date;Time;P\n01.06.2026;10:00;1\n01.06.2026;10:15;2', ['2026-06-01T08:00', '2026-06-01T08:15']],
  [
    'T,P\n06/01/2026 10:00 AM,1\n06/01/2026 01:05 PM,2\n06/01/2026 12:00:00 AM,3',
    ['2026-05-31T22:00', '2026-06-01T08:00', '2026-06-01T11:05'],
  ],
  ['T,P\n46174.4166667,1\n46174.4201389,2', ['2026-06-01T08:00', '2026-06-01T08:05']],
  [
    'T;P\n31.05.2026 23:45;1\n31.05.2026 24:00;2\n01.06.2026 00:15;3',
    ['2026-05-31T21:45', '2026-05-31T22:00', '2026-05-31T22:15'],
  ],
  ['sep=;\nPlant: Field;;\n\nT;P\n2026-06-01 10:00;1', ['2026-06-01T08:00']],
  ['T;P\n2025/06/01 10:00;1\n2025/6/2 9:05;2', ['2025-06-01T08:00', '2025-06-02T07:05']],
  ['T;P\n31.05.26 10:00;1', ['2026-05-31T08:00']],
  ['T;P\n2026-10-25 02:30:00 DST;1\n2026-10-25 02:30:00;2', ['2026-10-25T00:30', '2026-10-25T01:30']],
])('times as %j are instants', async (text, expected) => {
  const { instants } = await small(text);
  expect(instants.map((at) => at.slice(0, 16))).toEqual(expected);
});

test('a clock that knows no summer is read all year as it is', async () => {
  const text = 'T;P\n2026-01-10 12:00;1\n2026-03-29 02:30;2\n2026-07-10 12:00;3';
  const { instants } = await small(text, { standardTime: true });
  expect(instants.map((at) => at.slice(5, 16))).toEqual(['01-10T11:00', '03-29T01:30', '07-10T11:00']);
});

test.each([
  [
    'a column that shows its sign elsewhere',
    'T;P\n2026-06-01 10:00;1.508\n2026-06-01 10:05;1,5',
    [1508, 1.5],
  ],
  ['thousands and decimals', 'T;P\n2026-06-01 10:00;1.234.567\n2026-06-01 10:05;1.234,5', [1234567, 1234.5]],
  ['another column of the file', 'T;P;Q\n2026-06-01 10:00;1.508;0,5', [1508]],
  ['a comma between columns', 'T,P\n2026-06-01 10:00,1.508', [1.508]],
  ['a number below one', 'T;P\n2026-06-01 10:00;0,508\n2026-06-01 10:05;1,508', [0.508, 1.508]],
])('the decimal sign is found by %s', async (_why, text, expected) => {
  const { events } = await small(text);
  expect(events.map(({ value }) => value)).toEqual(expected);
});

test('what can be read in two ways is asked and stored by no guess', async () => {
  const numbers = await small('T;P\n2026-06-01 10:00;1.508\n2026-06-01 10:05;2.017');
  expect(numbers.done).toMatchObject({ state: 'failed', error: expect.stringContaining('1.508') });
  expect(numbers.events).toEqual([]);
  const mapping = { table: 'asked', source: 's', timeColumn: 'T', fields: [{ column: 'P', name: 'p' }] };
  const days = await upload('days.csv', 'csv', Buffer.from('T,P\n03/04/2026 10:00,1\n03/04/2026 10:05,2'));
  expect((await look(days, { plan: { device: roof, mapping } })).asks).toEqual([
    { what: 'timeFormat', column: 'T', example: '03/04/2026 10:00' },
  ]);
  const told = { ...mapping, timeFormat: 'mdy' };
  expect((await look(days, { plan: { device: roof, mapping: told } })).asks).toEqual([]);
});

test('UTF-16 and Windows-1252 are read as what they are, and shown', async () => {
  const text = 'Zeit;Leistung;Gerät\n2026-06-01 10:00;1,5;Süd';
  for (const [bytes, encoding] of [
    [Buffer.from(text), 'utf-8'],
    [Buffer.from(text, 'latin1'), 'windows-1252'],
    [Buffer.from(`\ufeff${text}`, 'utf16le'), 'utf-16le'],
    [Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), 'utf-16be'],
  ] as const) {
    const { seen, events } = await small(bytes);
    expect(seen).toMatchObject({ layout: { encoding }, columns: ['Zeit', 'Leistung', 'Gerät'] });
    expect(seen.records[0]?.Gerät).toBe('Süd');
    expect(events).toHaveLength(1);
  }
});

test('the whole file is judged, and what would be lost is said before', async () => {
  const rows = Array.from({ length: 3000 }, (_, i) => `${Date.UTC(2026, 0, 1) + i * 60_000},${i}`);
  const text = ['T,P', ...rows, `${Date.UTC(2026, 0, 1)},7`, 'never,1', `${Date.UTC(2026, 5, 1)},broken`];
  const first = await small(text.join('\n'));
  expect(first.done.counts).toMatchObject({ stored: 3000, repeated: 1, faulty: 2, values: 1 });
  const id = await upload('again.csv', 'csv', Buffer.from(text.join('\n')));
  const mapping = {
    table: first.table,
    source: 's',
    timeColumn: 'T',
    fields: [{ column: 'P', name: 'p' }],
  };
  expect(await look(id, { plan: { device: roof, mapping } })).toMatchObject({
    looked: 3003,
    isWhole: true,
    events: 3001,
    existing: 3001,
    repeated: 1,
    faulty: 2,
    values: 1,
    firstAt: Date.UTC(2026, 0, 1),
    faults: [{ reason: 'time' }, { reason: 'number' }, { reason: 'empty' }],
  });
});

test('a corrected file takes the place of what was imported, source by source, and its undo puts that back', async () => {
  const day = Date.UTC(2026, 1, 1);
  const lines = (values: [minute: number, source: string, value: number][]) =>
    ['T,s,P', ...values.map(([minute, source, value]) => `${day + minute * 60_000},${source},${value}`)].join(
      '\n',
    );
  const mapping = {
    table: 'corrected',
    sourceColumn: 's',
    timeColumn: 'T',
    fields: [{ column: 'P', name: 'p' }],
  };
  const rows = async () => {
    const { body } = await ask('GET', 'tables/main/corrected/search?sort=event_time&rows=100');
    return body.records
      .map(
        (row: Record<string, unknown>) =>
          `${row.source} ${(Date.parse(String(row.event_time)) - day) / 60_000} ${row.p}`,
      )
      .sort();
  };
  const wrong = await upload(
    'wrong.csv',
    'csv',
    Buffer.from(
      lines([
        [0, 'a', 1],
        [1, 'a', 1],
        [2, 'a', 1],
        [3, 'a', 1],
        [1, 'b', 1],
      ]),
    ),
  );
  await run(wrong, { device: roof, mapping });
  const { telemetry } = cloud.cloud.features;
  await telemetry.asSystem('ingest').insert(
    [
      {
        workgroup: 'main',
        device: roof,
        stream: { table: 'corrected', source: 'a', fields: [{ name: 'p', type: 'decimal' }] },
        rows: [[5, day + 150_000, 5]],
      },
    ],
    'sent by the device',
  );
  const before = await rows();
  const right = await upload(
    'right.csv',
    'csv',
    Buffer.from(
      lines([
        [1, 'a', 2],
        [2.5, 'a', 2],
        [3, 'a', 2],
      ]),
    ),
  );
  const plan = { device: roof, existing: 'replace', mapping };
  expect(await look(right, { plan })).toMatchObject({ events: 3, replaced: 3, existing: 1 });
  const done = await run(right, plan);
  expect(done.counts).toMatchObject({ stored: 2, replaced: 3, existing: 1 });
  expect(await rows()).toEqual(['a 0 1', 'a 1 2', 'a 2.5 5', 'a 3 2', 'b 1 1']);
  const other = async () =>
    (await ask('GET', ROOM)).body.find(({ _id }: { _id: string }) => _id === wrong).counts.stored;
  expect(await other()).toBe(2);
  await ask('POST', `${ROOM}/${right}/undo`, {});
  await cloud.cloud.features.jobs.idle(cloud.cloud.features.longActions.job);
  expect(await rows()).toEqual(before);
  expect(await other()).toBe(5);
});

test('a file without records says so, and can still be read in another way', async () => {
  const id = await upload('empty.csv', 'csv', Buffer.from('T;P\n'));
  expect(await look(id)).toMatchObject({
    looked: 0,
    records: [],
    profiles: [{ kind: 'empty' }, { kind: 'empty' }],
  });
  const titled = await upload('titled.csv', 'csv', Buffer.from('a;b\nc;d\n2026-06-01;1\n'));
  const layout = { delimiter: ';', headers: [1], units: null, firstRecord: 3 };
  expect(await look(titled, { layout })).toMatchObject({ columns: ['a', 'b'], looked: 1 });
});

test('a spreadsheet has dates of its own, apart from the time of day or with it, on the sheet that is chosen', async () => {
  const day = new Date('2026-06-01T00:00:00Z');
  const at = (clock: string) => new Date(`2026-06-01T${clock}Z`);
  const bytes = await writeXlsx({
    sheets: [
      { name: 'Notes', rows: [['Made for you']] },
      {
        name: 'Whole',
        rows: [
          ['When', 'P'],
          [at('10:00:00'), 1.5],
          [at('10:05:00'), 2],
        ],
      },
      {
        name: 'Apart',
        rows: [
          ['Date', 'Time', 'P'],
          [day, 0.5, 7],
        ],
      },
    ],
  });
  const id = await upload('own.xlsx', 'xlsx', Buffer.from(bytes));
  expect((await look(id)).sheets).toEqual(['Notes', 'Whole', 'Apart']);
  const layout = { headers: [1], units: null, firstRecord: 2 };
  const whole = await look(id, { layout: { ...layout, sheet: 'Whole' } });
  expect(whole).toMatchObject({ timeColumn: 'When', clockColumn: null });
  const apart = await look(id, { layout: { ...layout, sheet: 'Apart' } });
  expect(apart).toMatchObject({ timeColumn: 'Date', clockColumn: 'Time' });
  const mapping = { table: 'own', source: 's', timezone: 'UTC', fields: [{ column: 'P', name: 'p' }] };
  const plan = (change: object, sheet: string) => ({
    device: roof,
    mapping: { ...mapping, ...change },
    layout: { ...layout, sheet },
  });
  expect((await look(id, { plan: plan({ timeColumn: 'When' }, 'Whole') })).sample).toMatchObject([
    { at: at('10:00:00').getTime(), values: { p: 1.5 } },
    { at: at('10:05:00').getTime(), values: { p: 2 } },
  ]);
  expect((await look(id, { plan: plan({ timeColumn: 'Date' }, 'Apart') })).sample).toMatchObject([
    { at: at('12:00:00').getTime(), values: { p: 7 } },
  ]);
});

test('line protocol in seconds is read as seconds, and says so', async () => {
  const lines = ['inv,site=a P=1i 1780300800', 'inv,site=a P=2i 1780301100'].join('\n');
  const id = await upload('seconds.lp', 'lines', Buffer.from(lines));
  expect((await look(id)).profiles.find(({ name }) => name === 'time')?.timeFormat).toBe('epoch_s');
  const mapping = { table: 'unused', source: 's', timeColumn: 'time', fields: [{ column: 'P', name: 'p' }] };
  const plan = { device: roof, tableColumn: 'measurement', mapping };
  expect((await look(id, { plan })).sample[0]?.at).toBe(1_780_300_800_000);
  const told = { ...plan, mapping: { ...mapping, timeFormat: 'epoch_ns' } };
  expect(await look(id, { plan: told })).toMatchObject({ events: 0, faulty: 2 });
});

test('a bad line above the first good one is told, and is no line of names', async () => {
  const text = 'time;state;P\nno time;on;one\n2026-06-01 10:00;off;1';
  const { seen, done } = await small(text, { fields: [{ column: 'P', name: 'p' }] });
  expect(seen).toMatchObject({ columns: ['time', 'state', 'P'], looked: 2 });
  expect(done.counts).toMatchObject({ stored: 1, faulty: 1 });
});
