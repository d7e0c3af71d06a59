import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { AppError } from '../errors/app-error.ts';
import { FolderFiles } from '../files/files.store.ts';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { Trial } from './history-trial.ts';

let cloud: TestCloud;
let token = '';
let roof = '';
beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
  roof = (await ask('POST', 'devices/main', { name: 'Roof' })).body.id;
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => cloud.stop());

const ROOM = 'historyImports/main';
const DAY = Date.UTC(2024, 5, 1);
const ask = (method: string, path: string, body?: unknown) => cloud.call(method, path, { token, body });

async function upload(name: string, lines: readonly string[]): Promise<string> {
  const bytes = Buffer.from(['time,p', ...lines].join('\n'));
  const made = await ask('POST', ROOM, { name, format: 'csv', bytes: bytes.length });
  const form = new FormData();
  form.append('from', '0');
  form.append('files', new File([new Uint8Array(bytes)], 'part'));
  await ask('PUT', `${ROOM}/${made.body._id}/parts`, form);
  return made.body._id;
}

const planOf = (table: string, existing: string) => ({
  device: roof,
  existing,
  mapping: {
    table,
    source: 's',
    timeColumn: 'time',
    timeFormat: 'epoch_ms',
    fields: [{ column: 'p', name: 'p', decimal: '.' }],
  },
  layout: { delimiter: ',', headers: [1], units: null, firstRecord: 2 },
});

const begin = (id: string, what: 'start' | 'undo', body: object = {}) =>
  ask('POST', `${ROOM}/${id}/${what}`, body);
const settled = () => cloud.cloud.features.jobs.idle(cloud.cloud.features.longActions.job);
async function undo(id: string) {
  const begun = await begin(id, 'undo');
  await settled();
  return begun;
}

/** An import of these minutes with one value. */
async function imported(table: string, value: number, minutes: readonly number[], existing = 'replace') {
  const lines = minutes.map((minute) => `${DAY + minute * 60_000},${value}`);
  const id = await upload(`${table}-${value}.csv`, lines);
  expect((await begin(id, 'start', { plan: planOf(table, existing) })).status).toBe(200);
  await settled();
  return id;
}

const one = async (id: string) =>
  (await ask('GET', ROOM)).body.find(({ _id }: { _id: string }) => _id === id);
const stored = async (table: string): Promise<string[]> => {
  const { body } = await ask('GET', `tables/main/${table}/search?sort=event_time&rows=100`);
  return (body.records ?? []).map(
    (row: Record<string, unknown>) => `${(Date.parse(String(row.event_time)) - DAY) / 60_000}=${row.p}`,
  );
};

/** What runs without a caller has the store itself. */
const telemetry = () => cloud.cloud.features.telemetry.asSystem('history import');
const refused = () => new AppError('history_import.busy');

/** An import that replaces, of which nothing can be stored. */
async function failing(table: string, value: number) {
  const store = telemetry();
  const stored = store.insert.bind(store);
  const insert = vi.spyOn(store, 'insert');
  insert.mockImplementation(async (blocks, token) => {
    if (blocks.some(({ stream }) => stream.table === table)) throw refused();
    return stored(blocks, token);
  });
  const id = await imported(table, value, [0, 2]);
  insert.mockRestore();
  return id;
}

test('an import that replaces and fails gives back what it took out, and tells of the days', async () => {
  await imported('failing', 1, [0, 1, 2, 3], 'add');
  const late = vi.spyOn(cloud.cloud.features.plants, 'late');
  const id = await failing('failing', 2);
  expect(await one(id)).toMatchObject({ state: 'failed', counts: { stored: 0, replaced: 0 } });
  expect(await stored('failing')).toEqual(['0=1', '1=1', '2=1', '3=1']);
  expect(late.mock.calls).toEqual([[roof, DAY]]);
});

test('what could not be given back survives the tidying, and an undo brings it back', async () => {
  const first = await imported('kept', 1, [0, 1, 2], 'add');
  const putBack = vi.spyOn(telemetry(), 'putBack').mockRejectedValue(refused());
  const id = await failing('kept', 2);
  expect(await one(id)).toMatchObject({ state: 'failed', error: expect.stringContaining('put back') });
  expect(await stored('kept')).toEqual([]);
  await cloud.cloud.features.historyImports.tidy(Date.now() + 30 * 86_400_000);
  // An undo that fails can be repeated.
  await undo(id);
  expect((await one(id)).state).toBe('failed');
  putBack.mockRestore();
  await undo(id);
  expect((await one(id)).state).toBe('undone');
  expect(await stored('kept')).toEqual(['0=1', '1=1', '2=1']);
  expect((await one(first)).counts.stored).toBe(3);
});

test('nothing is deleted where what was replaced is gone', async () => {
  await imported('gone', 1, [0, 1], 'add');
  const id = await imported('gone', 2, [0, 1]);
  const get = vi.spyOn(FolderFiles.prototype, 'get').mockResolvedValue(null);
  expect((await undo(id)).body.error).toBe('history_import.lost');
  get.mockRestore();
  expect(await one(id)).toMatchObject({ state: 'done' });
  expect(await stored('gone')).toEqual(['0=2', '1=2']);
});

test('an import in a chain is undone from its end', async () => {
  await imported('chain', 1, [0, 1], 'add');
  const middle = await imported('chain', 2, [0, 1]);
  const last = await imported('chain', 3, [0, 1]);
  expect((await undo(middle)).body).toMatchObject({
    error: 'history_import.replaced',
    message: expect.stringContaining('chain-3.csv'),
  });
  expect(await stored('chain')).toEqual(['0=3', '1=3']);
  await undo(last);
  expect((await undo(middle)).status).toBe(200);
  expect(await stored('chain')).toEqual(['0=1', '1=1']);
});

test('what belonged to an import that is undone and deleted does not come back', async () => {
  const first = await imported('orphans', 1, [0, 1, 2], 'add');
  const second = await imported('orphans', 2, [0, 1]);
  await undo(first);
  expect((await ask('DELETE', `${ROOM}/${first}`)).status).toBe(200);
  await undo(second);
  expect(await stored('orphans')).toEqual([]);
});

test('the log says what is done with events that are there, and how many were replaced', async () => {
  await imported('log', 1, [0, 1], 'add');
  const id = await imported('log', 2, [0, 1]);
  const log = (await auditOf(cloud, 'main')).filter(({ entity }) => String(entity).includes(id));
  expect(log.map(({ action }) => action)).toEqual(['create', 'start', 'replace']);
  expect(log[1]).toMatchObject({ new_value: expect.stringContaining('"existing":"replace"') });
  expect(log[2]).toMatchObject({ old_value: '2 events' });
});

test('a workgroup that goes takes along what its imports replaced', async () => {
  await imported('closing', 1, [0, 1], 'add');
  await imported('closing', 2, [0, 1]);
  const remove = vi.spyOn(FolderFiles.prototype, 'remove').mockResolvedValue();
  await cloud.cloud.features.historyImports.forgetWorkgroup('main');
  expect(remove.mock.calls.flat()).toContainEqual(expect.stringMatching(/replaced-1$/));
});

test('files are looked at one after the other in a workgroup', async () => {
  const lines = Array.from({ length: 50 }, (_, i) => `${DAY + i},1`);
  const ids = await Promise.all(['a.csv', 'b.csv', 'c.csv'].map((name) => upload(name, lines)));
  let looking = 0;
  let most = 0;
  const spy = vi.spyOn(Trial.prototype, 'add').mockImplementation(async () => {
    most = Math.max(most, ++looking);
    await new Promise(setImmediate);
    looking -= 1;
  });
  const body = { plan: planOf('looks', 'add') };
  const answers = await Promise.all(ids.map((id) => ask('POST', `${ROOM}/${id}/preview`, body)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(spy).toHaveBeenCalled();
  expect(most).toBe(1);
});
