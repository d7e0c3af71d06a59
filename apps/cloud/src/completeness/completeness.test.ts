import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Postgres } from '@albedo/postgres/postgres';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../database/database.ts';
import { declared } from '../testing/road.ts';
import { Ledger, type StoredRun } from './completeness.service.ts';

const log = pino({ level: 'silent' });
let folder = '';
let postgres: Postgres;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-ledger-'));
  postgres = await openDatabase({ dataDir: folder, log });
});
afterAll(async () => {
  await postgres.close();
  rmSync(folder, { recursive: true });
});

/** A ledger over what a telemetry store would say of the time after its last checkpoint. */
async function startLedger(runs: StoredRun[] = [], asked: number[] = []): Promise<Ledger> {
  const telemetry = {
    async *storedSince(since: number) {
      asked.push(since);
      yield* runs;
    },
  };
  const ledger = new Ledger({ postgres, telemetry, log, checkpointMs: 60_000 });
  await ledger.start();
  return ledger;
}

const run = (device: string, msgIds: number[]): StoredRun => ({
  device,
  table: 'solar',
  source: 'inv-01',
  msgIds,
  firstEventAt: 1000,
  lastEventAt: 2000,
});
const streams = (events: number) => [
  { table: 'solar', source: 'inv-01', events, firstEventAt: 1000, lastEventAt: 2000 },
];

test('after a restart the ledger has what was saved and what the store got since, each once', async () => {
  const [a, b] = [crypto.randomUUID(), crypto.randomUUID()];
  const first = await startLedger();
  first.noteStored(a, [[1, 10]], streams(10));
  first.noteStored(b, [[5, 6]], streams(2));
  await first.checkpoint();
  first.noteStored(a, [[11, 15]], streams(5));
  first.abandon();

  const asked: number[] = [];
  const second = await startLedger([run(a, [9, 10, 11, 12]), run(a, [13, 14, 15]), run(b, [6])], asked);
  expect(second.completeness(a)).toMatchObject({ stored: 15 });
  expect(second.completeness(b)).toMatchObject({ stored: 2 });
  expect([...second.device(a).done]).toEqual([[1, 15]]);
  expect(Date.now() - (asked[0] ?? 0)).toBeLessThan(120_000);
  await second.stop();
});

test('a process that takes nothing in tells what the one that counts has saved', async () => {
  const device = crypto.randomUUID();
  const counting = await startLedger();
  counting.noteStored(device, [[1, 10]], streams(10));
  counting.noteGaps(device, [declared({ from: 11, to: 12 })]);
  await counting.stop();
  const telemetry = { async *storedSince(): AsyncGenerator<StoredRun> {} };
  const reading = new Ledger({ postgres, telemetry, log, keeps: 'nothing' });
  await reading.start();
  expect(await reading.read(device)).toEqual(await counting.read(device));
  expect((await reading.read(device)).stored).toBe(10);
  expect((await reading.read(crypto.randomUUID())).streams).toEqual([]);
  await reading.stop();
});

test('an insert that was under way at a checkpoint is asked for again after a restart', async () => {
  const device = crypto.randomUUID();
  const first = await startLedger();
  first.beginInsert();
  const began = Date.now();
  first.noteStored(device, [[1, 1]], streams(1));
  await new Promise((done) => setTimeout(done, 30));
  await first.checkpoint();
  first.abandon();
  const asked: number[] = [];
  (await startLedger([], asked)).abandon();
  expect(asked[0]).toBeLessThanOrEqual(began - 60_000);
});

test('of each device the newest thousand messages that were set aside are kept', async () => {
  const [loud, quiet] = [crypto.randomUUID(), crypto.randomUUID()];
  const ledger = await startLedger();
  const message = (device: string, sample: string) => ({
    device,
    receivedAt: 1,
    topic: 't',
    reason: 'r',
    msgIds: [],
    sample,
  });
  ledger.keep(message(quiet, 'only'));
  for (let at = 0; at < 1010; at++) ledger.keep(message(loud, `${at}`));
  await ledger.checkpoint();
  const [{ count } = { count: -1 }] = await postgres.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM completeness_quarantine WHERE device_id = $1',
    [loud],
  );
  expect(count).toBe(1000);
  expect((await ledger.quarantined(loud))[0]?.sample).toBe('1009');
  expect(await ledger.quarantined(quiet)).toHaveLength(1);
  await ledger.stop();
});

test('what could not be saved is saved by the next checkpoint', async () => {
  const device = crypto.randomUUID();
  const ledger = await startLedger();
  await postgres.exec('ALTER TABLE completeness_gaps RENAME TO hidden');
  ledger.noteGaps(device, [declared({ from: 1, to: 3 })]);
  await expect(ledger.checkpoint()).rejects.toThrow();
  await postgres.exec('ALTER TABLE hidden RENAME TO completeness_gaps');
  await ledger.checkpoint();
  ledger.abandon();
  const back = await startLedger();
  expect(back.completeness(device).gaps).toMatchObject([{ from: 1, to: 3, events: 3, cause: 'outbox_full' }]);
  await back.forget(device);
  back.abandon();
  expect((await startLedger()).completeness(device).gaps).toEqual([]);
});

test('a device whose ledger the database refuses keeps no other from being saved, and is saved once it is taken', async () => {
  const [bad, ...others] = Array.from({ length: 7 }, () => crypto.randomUUID());
  const first = await startLedger();
  await first.checkpoint();
  const refuse = `CHECK (device_id <> '${bad}')`;
  await postgres.exec(`ALTER TABLE completeness_gaps ADD CONSTRAINT refused ${refuse}`);
  const before = Date.now();
  for (const device of [...others.slice(0, 3), bad as string, ...others.slice(3)]) {
    first.noteStored(device, [[1, 10]], streams(10));
    first.noteGaps(device, [declared({ from: 11, to: 12 })]);
  }
  await first.checkpoint();
  await first.checkpoint();
  expect(others.map((device) => first.isRefused(device))).toEqual(others.map(() => false));
  expect(first.isRefused(bad as string)).toBe(true);

  // Ended without saving: what the store has of the refused device is read from there again.
  const asked: number[] = [];
  const second = await startLedger([run(bad as string, [1, 2, 3])], asked);
  expect(asked[0]).toBeLessThan(before);
  for (const device of others)
    expect(second.completeness(device)).toMatchObject({ stored: 10, gaps: [{ events: 2 }] });
  expect(second.completeness(bad as string)).toMatchObject({ stored: 3, gaps: [] });
  second.abandon();

  await postgres.exec('ALTER TABLE completeness_gaps DROP CONSTRAINT refused');
  await first.stop();
  expect(first.isRefused(bad as string)).toBe(false);
  const third = await startLedger();
  expect(third.completeness(bad as string)).toMatchObject({ stored: 10, gaps: [{ events: 2 }] });
  third.abandon();
});
