import { type EpochChain, UNREAD_FIELDS } from '@albedo/contract/link/link.messages';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { FIELDS, type OpenRoad, openRoad, type Road, type RoadAgent, rowsOf } from '../testing/road.ts';

let road: Road;
let open: OpenRoad;
let table = '';
let tables = 0;

beforeAll(async () => {
  road = await openRoad();
});
afterAll(() => road.close());
beforeEach(async () => {
  table = `numbers${tables++}`;
  open = await road.open();
});
afterEach(() => open.stop());

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 8000 });
/** Rows of another life of the device: the same numbers, other values. */
const others = (from: number, to: number, value = 1000) =>
  rowsOf(from, to).map(([id, at], n) => [id, at, value + n, 'other']);
const send = (agent: RoadAgent, outbox: string, epochs: EpochChain, rows: unknown[][]) =>
  agent.send({ outbox, epochs, streams: [{ table, source: 'inv-01', fields: FIELDS, rows: rows as never }] });
const granted = (agent: RoadAgent) => agent.acks.flatMap(({ grant }) => (grant ? [grant] : []));

test('numbers that come again with other events lose nothing, and the ledger tells it', async () => {
  const agent = await open.agent();
  await agent.sendRows(table, rowsOf(1, 20));
  await until(() => expect(agent.acked()).toEqual(numbers(1, 20)));
  agent.acks.length = 0;
  await agent.sendRows(table, others(11, 30));
  await until(() => expect(agent.acked()).toEqual(numbers(11, 30)));
  const stored = await road.stored(table);
  expect(stored).toHaveLength(40);
  expect(stored.slice(0, 30)).toEqual(numbers(1, 30));
  const told = open.ledger.completeness(agent.device);
  expect(told.stored).toBe(40);
  expect(told.reused).toMatchObject([{ outbox: 'one', from: 11, to: 20, events: 10 }]);
});

test('after a crash before the acknowledgement they are the same events, not further ones', async () => {
  const agent = await open.agent();
  const [first, second] = [rowsOf(1, 10), [...others(1, 10), ...others(1, 5, 5000)]];
  await agent.sendRows(table, first);
  await agent.sendRows(table, second);
  await until(async () => expect(await road.stored(table)).toHaveLength(25));
  const before = await road.stored(table);
  await open.kill();
  open = await road.open();
  const again = await open.agent(agent.device);
  await again.sendRows(table, second);
  await again.sendRows(table, first);
  await until(() => expect(again.acked()).toEqual(numbers(1, 10)));
  expect(await road.stored(table)).toEqual(before);
});

test('of a device whose new epoch cannot be saved nothing is stored, and each event once when it can be', async () => {
  const agent = await open.agent();
  await road.postgres.exec(
    `ALTER TABLE completeness ADD CONSTRAINT refused CHECK (device_id <> '${agent.device}') NOT VALID`,
  );
  const rows = rowsOf(1, 10);
  await send(agent, 'box', [['e1', 1]], rows);
  await until(() => expect(open.ledger.isRefused(agent.device)).toBe(true));
  expect(await road.stored(table)).toEqual([]);

  await road.postgres.exec('ALTER TABLE completeness DROP CONSTRAINT refused');
  await send(agent, 'box', [['e1', 1]], rows);
  await until(() => expect(agent.acked()).toEqual(numbers(1, 10)));
  expect(await road.stored(table)).toEqual(numbers(1, 10));
  expect(open.ledger.completeness(agent.device)).toMatchObject({ stored: 10, reused: [], gaps: [] });
});

test('a restored outbox goes on above what its newer state had used', async () => {
  const agent = await open.agent();
  await send(agent, 'box', [['e1', 1]], rowsOf(1, 200));
  await until(() => expect(agent.acked()).toEqual(numbers(1, 200)));
  agent.acks.length = 0;
  // The state of number 120, with events 101 to 120 not acknowledged then, and new ones from 121 on.
  const chain: EpochChain = [
    ['e1', 1],
    ['e2', 121],
  ];
  await send(agent, 'box', chain, others(101, 130));
  await until(() => expect(granted(agent)).toHaveLength(1));
  const [grant] = granted(agent);
  expect(grant).toMatchObject({ for: 'e2', first: 201, keepTo: 120 });
  expect(grant?.outbox).toBe('box');
  expect(agent.acked()).toEqual([]);
  await send(agent, grant?.outbox ?? '', [[grant?.epoch ?? '', 201]], others(201, 210));
  await until(() => expect(agent.acked()).toEqual(numbers(201, 210)));
  expect(await road.stored(table)).toEqual(numbers(1, 210));
});

test('two live copies of one disk are told apart, and each keeps numbering', async () => {
  const agent = await open.agent();
  await send(agent, 'box', [['e1', 1]], rowsOf(1, 100));
  await until(() => expect(agent.acked()).toEqual(numbers(1, 100)));
  const a: EpochChain = [
    ['e1', 1],
    ['a', 101],
  ];
  const b: EpochChain = [
    ['e1', 1],
    ['b', 101],
  ];
  await send(agent, 'box', a, rowsOf(101, 150));
  await until(() => expect(agent.acked()).toEqual(numbers(1, 150)));
  await send(agent, 'box', b, others(101, 150));
  await until(() => expect(granted(agent)).toHaveLength(1));
  const [copy] = granted(agent);
  expect(copy).toMatchObject({ first: 151, keepTo: 100 });
  expect(copy?.outbox).not.toBe('box');
  await send(agent, copy?.outbox ?? '', [[copy?.epoch ?? '', 151]], others(151, 200));
  await until(() => expect(agent.acked()).toEqual(numbers(1, 200)));
  // The first one comes back with numbers that it gave meanwhile.
  await send(agent, 'box', a, rowsOf(151, 160));
  await until(() => expect(granted(agent)).toHaveLength(2));
  expect(granted(agent)[1]).toMatchObject({ for: 'a', first: 201, keepTo: 150, outbox: 'box' });
  // Asked twice before it is used, it is the same answer.
  await send(agent, 'box', a, rowsOf(151, 160));
  await until(() => expect(granted(agent)).toHaveLength(3));
  expect(granted(agent)[2]).toEqual(granted(agent)[1]);
  expect(await road.stored(table)).toEqual(numbers(1, 200));
  const told = open.ledger.completeness(agent.device);
  expect(told.numberings).toHaveLength(2);
  expect(told.numberings).toMatchObject([
    { outbox: 'box', began: 'new', events: 150 },
    { outbox: copy?.outbox, began: 'copy', events: 50 },
  ]);
  expect(told.reused).toEqual([]);
});

test('an outbox that was wiped within a second does not use the numbers of the one before', async () => {
  const agent = await open.agent();
  await send(agent, 'first', [['e1', 1000]], rowsOf(1000, 1099));
  await until(() => expect(agent.acked()).toEqual(numbers(1000, 1099)));
  await send(agent, 'second', [['f1', 1000]], others(1000, 1099));
  await until(() => expect(granted(agent)).toMatchObject([{ first: 1100, keepTo: 999, outbox: 'second' }]));
});

test('epochs are known after a crash, and an epoch with nothing stored keeps nothing', async () => {
  const agent = await open.agent();
  await send(agent, 'box', [['e1', 1]], rowsOf(1, 10));
  await until(() => expect(agent.acked()).toEqual(numbers(1, 10)));
  await open.kill();
  open = await road.open();
  const again = await open.agent(agent.device);
  await send(again, 'box', [['e1', 1]], rowsOf(1, 20));
  await until(() => expect(again.acked()).toEqual(numbers(1, 20)));
  expect(granted(again)).toEqual([]);
  await send(again, 'other', [['x', 5]], others(5, 30));
  await until(() => expect(granted(again)).toMatchObject([{ keepTo: 4, first: 21 }]));
});

test('a cloud restored from an older backup shows what it had acknowledged since as a gap of that cause', async () => {
  const agent = await open.agent();
  await send(agent, 'box', [['e1', 1]], rowsOf(1, 10));
  await until(() => expect(agent.acked()).toEqual(numbers(1, 10)));
  // Numbers 11 to 20 were acknowledged by the state that the backup replaced; 21 to 25 still wait.
  await agent.status({
    outbox: 'box',
    epochs: [['e1', 1]],
    ackedId: 20,
    lastMsgId: 25,
    pendingEvents: 5,
    firstPendingId: 21,
  });
  await send(agent, 'box', [['e1', 1]], rowsOf(21, 25));
  await until(() => expect(agent.acked()).toEqual([...numbers(1, 10), ...numbers(21, 25)]));
  expect(granted(agent)).toEqual([]);
  expect(open.ledger.completeness(agent.device).gaps).toMatchObject([
    { from: 11, to: 20, events: 10, cause: 'cloud_restored' },
  ]);
});

test('texts that no database takes, from one device, keep nothing of others from being saved', async () => {
  const cause = 'outbox_full' as const;
  const gap = { from: 1, to: 2, table: 't', source: 's', cause, events: 2, firstEventAt: 1, lastEventAt: 2 };
  const rogue = await open.agent();
  await rogue.status({ os: 'a\0b', outbox: 'x\ud800', streams: [['\0', '\udfff', 1, 1, 0]] });
  await rogue.send({ outbox: 'x\ud800', streams: [], gaps: [{ ...gap, table: 't\0', source: '\ud800' }] });
  const agent = await open.agent();
  await agent.send({ outbox: 'one', streams: [], gaps: [gap] });
  await until(() => expect(agent.acks.flatMap(({ gaps }) => gaps)).toEqual([1]));
  expect(open.ledger.completeness(agent.device).gaps).toMatchObject([{ from: 1, to: 2, cause }]);
});

test('events of a clock that is years ahead are stored with the time of the cloud beside it, and once', async () => {
  const agent = await open.agent();
  const ahead = Date.UTC(2099, 0, 1);
  const rows = numbers(1, 3).map((id) => [id, ahead + id * 1000, id, 'ok']);
  const before = Date.now();
  await agent.sendRows(table, rows);
  await until(() => expect(agent.acked()).toEqual([1, 2, 3]));
  agent.acks.length = 0;
  await agent.sendRows(table, rows);
  await until(() => expect(agent.acked()).toEqual([1, 2, 3]));
  const stored = await road.records(table, 'device_time');
  expect(stored.map(({ value }) => value)).toEqual(rows.map(([, at]) => at));
  const [first, second, third] = stored.map(({ eventAt }) => eventAt) as [number, number, number];
  expect([second - first, third - second]).toEqual([0, 0]);
  expect(third).toBeGreaterThanOrEqual(before);
  expect(third).toBeLessThanOrEqual(Date.now());
  expect(open.ledger.completeness(agent.device)).toMatchObject({ stored: 3, setAside: 0, reused: [] });
});

test('lines that a device could not read are kept, each as it was', async () => {
  const agent = await open.agent();
  const at = Date.now();
  await agent.send({
    streams: [
      {
        table,
        source: 's',
        fields: UNREAD_FIELDS,
        rows: [
          [1, at, 'the line is not UTF-8 text', 'ff00'],
          [2, at, 'the line is not UTF-8 text', 'fe01'],
        ],
      },
    ],
  });
  await until(() => expect(agent.acked()).toEqual([1, 2]));
  const kept = await open.ledger.quarantined(agent.device);
  expect(kept.map(({ msgIds, sample }) => [msgIds, sample]).sort()).toEqual([
    [[1], 'ff00'],
    [[2], 'fe01'],
  ]);
  expect(kept[0]?.reason).toBe('a line that the device could not read: the line is not UTF-8 text');
  expect(open.ledger.completeness(agent.device)).toMatchObject({ setAside: 2 });
});
