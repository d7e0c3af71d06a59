/**
 * The past of a plant is brought in while the cloud is killed again and again: each row is stored once, the ledger tells the
 * import as such, and taking it back leaves nothing, also when that is killed. `ALBEDO_IMPORT_ROWS` sets how many rows.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { devicesApi } from '@albedo/contract/devices/devices.api';
import { historyImportsApi } from '@albedo/contract/history-imports/history-imports.api';
import {
  HISTORY_PART_BYTES,
  type HistoryImport,
  type HistoryState,
} from '@albedo/contract/history-imports/history-imports.schema';
import { longActionsApi } from '@albedo/contract/long-actions/long-actions.api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../scripts/testing/engines.ts';
import { until } from './harness/processes.ts';
import { Cloud } from './harness/product.ts';
import { storedKey, storedRows } from './harness/stored-rows.ts';
import { OWNER } from './owner.ts';

const ROWS = Number(process.env.ALBEDO_IMPORT_ROWS ?? 50_000);
const FIRST = Date.UTC(2020, 0, 1);
const WAIT_S = 120 + ROWS / 2000;

const folder = mkdtempSync(join(tmpdir(), 'albedo-import-'));
const data = join(folder, 'data');
let cloud: Cloud;
let wg = '';
let device = '';
beforeAll(async () => {
  cloud = new Cloud({ data, httpPort: await freePort(), mqttPort: await freePort() });
  await cloud.start();
  wg = await cloud.signIn();
  device = (await cloud.api.call(devicesApi.create, { params: { wg }, body: { name: 'old' } })).id;
}, 120_000);
afterAll(async () => {
  await cloud.program.end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const csv = (): Buffer => {
  const lines = ['time,n'];
  for (let n = 0; n < ROWS; n++) lines.push(`${FIRST + n * 1000},${n}`);
  return Buffer.from(lines.join('\n'));
};
const planFor = (table: string) => ({
  device,
  mapping: {
    table,
    source: 's',
    timeColumn: 'time',
    timeFormat: 'epoch_ms' as const,
    fields: [{ column: 'n', name: 'n', type: 'integer' as const }],
  },
});

async function upload(name: string): Promise<string> {
  const bytes = csv();
  const made = await cloud.api.call(historyImportsApi.create, {
    params: { wg },
    body: { name, format: 'csv', bytes: bytes.length },
  });
  for (let from = 0; from < bytes.length; from += HISTORY_PART_BYTES) {
    const part = new File([new Uint8Array(bytes.subarray(from, from + HISTORY_PART_BYTES))], 'part');
    const input = { params: { wg, historyImport: made._id }, body: { from } };
    await cloud.api.request(historyImportsApi.sendPart, input, part);
  }
  return made._id;
}

async function importOf(id: string): Promise<HistoryImport> {
  const all = await cloud.api.call(historyImportsApi.list, { params: { wg } });
  const found = all.find(({ _id }) => _id === id);
  if (!found) throw new Error(`The import ${id} is gone.`);
  return found;
}

const reaches = (id: string, state: HistoryState): Promise<HistoryImport> =>
  until(
    `the import is ${state}`,
    WAIT_S,
    async () => {
      const one = await importOf(id);
      return one.state === state && one;
    },
    () => cloud.program.output,
  );

async function killAndStart(): Promise<void> {
  await cloud.program.end('SIGKILL');
  await cloud.start();
  await cloud.api.signIn(OWNER.email, OWNER.password);
}

/** Rows that are in the engine, and the values that are there more than once; the cloud has been stopped for it. */
async function inStore(table: string): Promise<{ values: number; twice: number }> {
  await cloud.program.end('SIGTERM');
  const found = (await storedRows(data)).get(storedKey(device, table)) ?? new Map<number, number>();
  await cloud.start();
  await cloud.api.signIn(OWNER.email, OWNER.password);
  return { values: found.size, twice: [...found.values()].filter((count) => count > 1).length };
}

const imported = async (table: string) =>
  (await cloud.completeness(wg, device)).imported.filter((one) => one.table === table);

test('an import that is killed twice stores each row once, and its undoing leaves nothing', {
  timeout: 20 * 60_000,
}, async () => {
  const id = await upload('past.csv');
  await cloud.api.call(historyImportsApi.start, {
    params: { wg, historyImport: id },
    body: { plan: planFor('past') },
  });
  for (const part of [0.1, 0.5]) {
    await until(
      `${part} of the file is read`,
      WAIT_S,
      async () => {
        const [action] = await cloud.api.call(longActionsApi.list, { params: { wg } });
        return action?.state === 'done' || (action?.progress ?? 0) >= part;
      },
      () => cloud.program.output,
      20,
    );
    await killAndStart();
  }
  const { counts } = await reaches(id, 'done');
  expect(counts).toMatchObject({ records: ROWS, events: ROWS, stored: ROWS, repeated: 0, faulty: 0 });
  expect(await imported('past')).toMatchObject([{ importId: id, events: ROWS }]);
  expect(await inStore('past')).toEqual({ values: ROWS, twice: 0 });

  await cloud.api.call(historyImportsApi.undo, { params: { wg, historyImport: id }, body: {} });
  await sleep(300);
  await killAndStart();
  await reaches(id, 'undone');
  expect(await imported('past')).toEqual([]);
  expect(await inStore('past')).toEqual({ values: 0, twice: 0 });
});

test('an import that is cancelled half-way tells what it stored, and is undone whole', {
  timeout: 10 * 60_000,
}, async () => {
  const id = await upload('half.csv');
  const action = await cloud.api.call(historyImportsApi.start, {
    params: { wg, historyImport: id },
    body: { plan: planFor('half') },
  });
  const on = { params: { wg, action: action.id } };
  await until(
    'it has begun',
    WAIT_S,
    async () => ((await cloud.api.call(longActionsApi.get, on)).progress ?? 0) > 0,
    undefined,
    20,
  );
  await cloud.api.call(longActionsApi.cancel, on);
  const { counts } = await reaches(id, 'cancelled');
  const events = (await imported('half')).reduce((sum, one) => sum + one.events, 0);
  expect(events).toBe(counts.stored);
  expect(await inStore('half')).toEqual({ values: counts.stored, twice: 0 });
  await cloud.api.call(historyImportsApi.undo, { params: { wg, historyImport: id }, body: {} });
  await reaches(id, 'ready');
  expect(await imported('half')).toEqual([]);
  expect(await inStore('half')).toEqual({ values: 0, twice: 0 });
});
