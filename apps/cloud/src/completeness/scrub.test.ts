import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { Bus } from '../bus/bus.ts';
import { type OpenRoad, openRoad, type Road, rowsOf } from '../testing/road.ts';
import { ScrubStore } from './scrub.store.ts';
import { Scrub, storeScrubbed } from './scrub.ts';

let road: Road;
let open: OpenRoad;
let scrub: Scrub;
let table = '';
let tables = 0;
const log = pino({ level: 'silent' });

beforeAll(async () => {
  road = await openRoad();
  await road.postgres.query(
    "INSERT INTO workgroups (name, display_name) VALUES ('demo', 'Demo') ON CONFLICT DO NOTHING",
  );
});
afterAll(() => road.close());
beforeEach(async () => {
  table = `scrubbed${tables++}`;
  open = await road.open();
  const bus = new Bus({ log });
  bus.subscribe(storeScrubbed, ({ device, gaps }) => open.ledger.noteStoreLoss(device, gaps));
  scrub = new Scrub({ engine: road.telemetry, store: new ScrubStore(road.postgres), bus, log });
});
afterEach(() => open.stop());

/** A device with a hundred events stored. */
async function filled() {
  const agent = await open.agent();
  await road.postgres.query(
    'INSERT INTO devices (id, workgroup, name, arch, meta) VALUES ($1, $2, $3, $4, $5)',
    [agent.device, 'demo', agent.device, 'amd64', '{}'],
  );
  await agent.sendRows(table, rowsOf(1, 100));
  await vi.waitFor(() => expect(agent.acked()).toHaveLength(100), { timeout: 8000 });
  await open.ledger.checkpoint();
  return agent;
}
const rounds = async (count: number) => {
  for (let n = 0; n < count; n++) await scrub.work(60_000);
};
const lostOf = (device: string) =>
  open.ledger
    .completeness(device)
    .gaps.filter(({ cause }) => cause === 'store_lost')
    .map(({ table, source, events }) => [table, source, events]);

test('a store that has everything agrees', async () => {
  const { device } = await filled();
  await rounds(2);
  expect(lostOf(device)).toEqual([]);
});

test('rows that vanish from the store are missing in the ledger, with their stream and day', async () => {
  const { device } = await filled();
  await rounds(2);
  await road.sql(`ALTER TABLE telemetry.events DELETE WHERE tbl = '${table}' AND msg_id BETWEEN 11 AND 17`);
  await rounds(2);
  expect(lostOf(device)).toEqual([[table, 'inv-01', 7]]);
  const [gap] = open.ledger.completeness(device).gaps;
  expect(gap?.firstEventAt).not.toBeNull();
  // Another process that reads what was saved tells the same.
  await open.ledger.checkpoint();
  const saved = await road.postgres.query<{ events: string }>(
    "SELECT events FROM completeness_gaps WHERE device_id = $1 AND cause = 'store_lost' AND events > 0",
    [device],
  );
  expect(saved.map(({ events }) => Number(events))).toEqual([7]);
});

test('rows that vanish before anybody counted them are missing all the same', async () => {
  const { device } = await filled();
  await new Promise((done) => setTimeout(done, 20));
  await road.sql(`ALTER TABLE telemetry.events DELETE WHERE tbl = '${table}' AND msg_id <= 30`);
  await rounds(3);
  expect(lostOf(device)).toEqual([[table, 'inv-01', 30]]);
});

test('a day that is gone as a whole is missing', async () => {
  const { device } = await filled();
  await rounds(2);
  await road.sql(`ALTER TABLE telemetry.events DELETE WHERE tbl = '${table}'`);
  await rounds(2);
  expect(lostOf(device)).toEqual([[table, 'inv-01', 100]]);
});

test('what is deleted on purpose is not missing', async () => {
  const { device } = await filled();
  await rounds(2);
  await road.telemetry.deleteEvents('demo', table);
  await rounds(3);
  expect(lostOf(device)).toEqual([]);
});
