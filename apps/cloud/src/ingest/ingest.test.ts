import { zstdCompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { bomb, declared, FIELDS, type OpenRoad, openRoad, type Road, rowsOf } from '../testing/road.ts';
import { eventsArrived } from './ingest.topics.ts';

let road: Road;
let open: OpenRoad;
let table = '';
let tables = 0;

beforeAll(async () => {
  road = await openRoad();
});
afterAll(() => road.close());
beforeEach(async () => {
  table = `table${tables++}`;
  open = await road.open();
});
afterEach(() => open.stop());

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 8000 });
const counted = async (name: string) =>
  (await open.metrics.getSingleMetric(`albedo_ingest_${name}`)?.get())?.values[0]?.value ?? 0;

/** Lists in one another, deeper than any function that calls itself can follow. */
const DEEP = '['.repeat(300_000) + ']'.repeat(300_000);
const nested = (before: string, after: string) =>
  zstdCompressSync(Buffer.from(`{"v":1,"outbox":"o",${before}${DEEP}${after}}`));

/** Holds inserts until the test lets them through. */
function gate() {
  let letThrough = () => {};
  const opened = new Promise<void>((done) => {
    letThrough = done;
  });
  const tokens: string[] = [];
  open.intercept((store) => async (blocks, token) => {
    tokens.push(token);
    await opened;
    return store(blocks, token);
  });
  return { letThrough: () => letThrough(), tokens };
}

test('a batch is acknowledged when the store has it, and not before', async () => {
  const agent = await open.agent();
  const { letThrough, tokens } = gate();
  await agent.sendRows(table, rowsOf(1, 10));
  await until(() => expect(tokens).toHaveLength(1));
  expect(agent.acks).toEqual([]);
  letThrough();
  await until(() => expect(agent.acks).toEqual([{ outbox: 'one', ranges: [[1, 10]], gaps: [] }]));
  expect(await road.stored(table)).toEqual(numbers(1, 10));
  expect(open.ledger.completeness(agent.device)).toMatchObject({ stored: 10, gaps: [] });
});

test('arrivals are announced before the store has them', async () => {
  const agent = await open.agent();
  const arrivals: unknown[] = [];
  open.bus.subscribe(eventsArrived, ({ workgroup, device, streams }) =>
    arrivals.push([workgroup, device, streams[0]?.table, streams[0]?.rows.length]),
  );
  const { letThrough } = gate();
  await agent.sendRows(table, rowsOf(1, 3));
  await until(() => expect(arrivals).toEqual([['demo', agent.device, table, 3]]));
  expect(await road.stored(table)).toEqual([]);
  letThrough();
});

test('what comes again is acknowledged again and stored once, also within one batch and while it is on its way', async () => {
  const agent = await open.agent();
  const rows = rowsOf(1, 20);
  const { letThrough, tokens } = gate();
  await agent.sendRows(table, [...rows, ...rows.slice(5, 8)]);
  await until(() => expect(tokens).toHaveLength(1));
  await agent.sendRows(table, rows);
  letThrough();
  await until(() => expect(agent.acked()).toEqual(numbers(1, 20)));
  await agent.sendRows(table, rowsOf(15, 25));
  await until(() => expect(agent.acked()).toEqual(numbers(1, 25)));
  expect(await road.stored(table)).toEqual(numbers(1, 25));
  expect(open.ledger.completeness(agent.device).stored).toBe(25);
  expect(await counted('repeats_total')).toBe(3 + 20 + 6);
});

test('devices share inserts, and each gets the acknowledgement of its own numbers', async () => {
  const [a, b] = [await open.agent(), await open.agent()];
  await Promise.all([a.sendRows(table, rowsOf(1, 5)), b.sendRows(table, rowsOf(3, 9))]);
  await until(() => expect([a.acked(), b.acked()]).toEqual([numbers(1, 5), numbers(3, 9)]));
  expect(await road.stored(table)).toHaveLength(12);
});

test('while the ledger of one device is refused, that one waits, and others are acknowledged', async () => {
  const [bad, good] = [await open.agent(), await open.agent()];
  const refuse = `CHECK (device_id <> '${bad.device}')`;
  await road.postgres.exec(`ALTER TABLE completeness_gaps ADD CONSTRAINT refused ${refuse} NOT VALID`);
  for (const agent of [bad, good]) {
    await agent.send({ gaps: [declared({ from: 1, to: 2 })] });
    await agent.sendRows(table, rowsOf(3, 4));
  }
  await until(() => expect(good.acked()).toEqual([3, 4]));
  await until(() => expect(good.acks.flatMap(({ gaps }) => gaps)).toEqual([1]));
  expect(bad.acks).toEqual([]);

  await road.postgres.exec('ALTER TABLE completeness_gaps DROP CONSTRAINT refused');
  await open.ledger.checkpoint();
  await bad.send({ gaps: [declared({ from: 1, to: 2 })] });
  await bad.sendRows(table, rowsOf(3, 4));
  await until(() => expect(bad.acked()).toEqual([3, 4]));
  expect(open.ledger.completeness(bad.device)).toMatchObject({ stored: 2, gaps: [{ from: 1, to: 2 }] });
});

test('a poisoned row is set aside with its reason, costs only itself, and is acknowledged', async () => {
  const agent = await open.agent();
  const [now, tooFar] = [Date.now(), Date.now() + 2 * 86_400_000];
  await agent.sendRows(table, [
    [1, now, 1, 'good'],
    [2, Date.UTC(1999, 0, 1), 1, 'before 2000'],
    [3, tooFar, 1, 'too far ahead'],
    [4, now, 'text', 'wrong kind'],
    [5, now, 1],
    [6, now, true, 'x'],
    [7, now + 0.5, 2, 'cut \ud800 here'],
    [8, now, null, 'x'.repeat(40_000)],
    ['nine', now, 1, 'no number'],
  ]);
  await until(() => expect(agent.acked()).toEqual(numbers(1, 8)));
  expect(await road.stored(table)).toEqual([1, 3, 7, 8]);
  const kept = await open.ledger.quarantined(agent.device);
  expect(kept.map(({ reason, msgIds }) => [msgIds, reason]).sort()).toEqual([
    [[], 'the row has no number'],
    [[2], 'the time of the event is before 2000'],
    [[4], 'a text stands in a field of numbers'],
    [[5], 'the row has another count of values than the stream has fields'],
    [[6], 'a value is neither a number, a text nor null'],
  ]);
  const told = open.ledger.completeness(agent.device);
  expect(told).toMatchObject({ stored: 4, setAside: 4 });
  expect(told.gaps.map(({ cause, events }) => [cause, events])).toEqual([['set_aside', 4]]);

  await agent.sendRows(table, [[2, Date.UTC(1999, 0, 1), 1, 'again']]);
  await agent.sendRows(table, rowsOf(10, 12));
  await until(() => expect(agent.acked()).toEqual([...numbers(1, 8), ...numbers(10, 12)]));
  expect(await open.ledger.quarantined(agent.device)).toHaveLength(5);
  expect(open.ledger.completeness(agent.device)).toMatchObject({ stored: 7, setAside: 4 });
});

test('a stream that cannot be stored leaves the other streams of its batch alone', async () => {
  const agent = await open.agent();
  const good = { table, source: 'good', fields: FIELDS, rows: rowsOf(1, 2) as never };
  await agent.send({
    streams: [
      good,
      { ...good, table: 'has.stop', rows: rowsOf(3, 4) as never },
      { ...good, source: 'twice', fields: [FIELDS[0], FIELDS[0]] as never, rows: rowsOf(5, 5) as never },
      null as never,
    ],
  });
  await until(() => expect(agent.acked()).toEqual(numbers(1, 5)));
  expect(await road.stored(table)).toEqual([1, 2]);
  const reasons = (await open.ledger.quarantined(agent.device)).map(({ reason }) => reason);
  expect(reasons.sort()).toEqual([
    'the field power stands twice',
    'the stream has no usable table name',
    'the stream has no usable table name',
  ]);
});

test.each(['audit_logs', 'incidents_log'])(
  'a device that writes the table %s of the cloud is set aside, and its other streams are stored',
  async (forged) => {
    const agent = await open.agent();
    const good = { table, source: 'good', fields: FIELDS, rows: rowsOf(1, 2) as never };
    await agent.send({ streams: [{ ...good, table: forged, rows: rowsOf(3, 4) as never }, good] });
    await until(() => expect(agent.acked()).toEqual(numbers(1, 4)));
    expect(await road.stored(table)).toEqual([1, 2]);
    const reasons = (await open.ledger.quarantined(agent.device)).map(({ reason }) => reason);
    expect(reasons).toEqual([`devices do not write the table ${forged}`]);
  },
);

test('blocks that the store refuses for what they are are set aside, and the others are stored', async () => {
  const agent = await open.agent();
  const wide = (from: number) =>
    Array.from({ length: 4000 }, (_, at) => ({ name: `f${from + at}`, type: 'decimal' as const }));
  const values = Array.from({ length: 4000 }, () => null);
  for (let part = 0; part < 3; part++) {
    const rows = [[part + 1, Date.now(), ...values]] as never;
    await agent.send({ streams: [{ table, source: 'a', fields: wide(part * 4000), rows }] });
  }
  await agent.sendRows(`${table}b`, rowsOf(4, 6));
  await until(() => expect(agent.acked()).toEqual(numbers(1, 6)));
  expect(await road.stored(`${table}b`)).toEqual([4, 5, 6]);
  const told = open.ledger.completeness(agent.device);
  expect(told.setAside).toBeGreaterThan(0);
  expect(told.stored + told.setAside).toBe(6);
  expect((await open.ledger.quarantined(agent.device))[0]?.reason).toContain('the store refuses it');
});

test.each([
  ['batch', Buffer.from([0xff, 0xfe, 0x00, 0x01]), 'not compressed with zstd', 'fffe0001'],
  ['batch', zstdCompressSync('{"v":1,'), 'not JSON', '{"v":1,'],
  ['batch', zstdCompressSync('{"v":2}'), 'another version', '{"v":2}'],
  ['batch', zstdCompressSync('null'), 'another version', 'null'],
  ['batch', bomb(), 'larger than', ''],
  ['batch', nested('"streams":[', ']'), 'no usable table name', 'nested too deeply'],
  ['batch', nested('"streams":[],"gaps":', ''), 'the gaps of the batch are wrong', '"gaps":[[['],
  ['meta', Buffer.from(`{"meta":${DEEP}}`), 'does not fit', '{"meta":[[['],
  ['live', Buffer.from(`{"feedId":${DEEP}}`), 'does not fit', '{"feedId":[[['],
  ['status', Buffer.from('hello'), 'not JSON', 'hello'],
  ['meta', Buffer.from('{}'), 'does not fit', '{}'],
  ['live', Buffer.from('[]'), 'does not fit', '[]'],
  ['reply', Buffer.from([0x80]), 'not JSON', '80'],
] as const)('rubbish on %s (%#) is set aside and stops nothing', async (channel, payload, reason, sample) => {
  const agent = await open.agent();
  await agent.publish(channel, payload);
  await agent.sendRows(table, rowsOf(1, 2));
  await until(() => expect(agent.acked()).toEqual([1, 2]));
  await open.ledger.checkpoint();
  const [kept] = await open.ledger.quarantined(agent.device);
  expect(kept?.reason).toContain(reason);
  expect(kept?.sample).toContain(sample);
  expect(kept?.topic).toBe(`albedo/1/${agent.device.slice(-2)}/${agent.device}/${channel}`);
});

test('while the store fails nothing is acknowledged; then the same block is stored once, under the same token', async () => {
  const agent = await open.agent();
  const tokens: string[] = [];
  open.intercept((store) => async (blocks, token) => {
    tokens.push(token);
    // The second attempt is stored and its answer lost.
    if (tokens.length === 2) await store(blocks, token);
    if (tokens.length < 3) throw new Error('no space left on device');
    return store(blocks, token);
  });
  await agent.sendRows(table, rowsOf(1, 5));
  await until(() => expect(tokens.length).toBe(1));
  await agent.sendRows(table, rowsOf(6, 7));
  await until(() => expect(agent.acked()).toEqual(numbers(1, 7)));
  expect(new Set(tokens.slice(0, 3)).size).toBe(1);
  expect(await road.stored(table)).toEqual(numbers(1, 7));
  const said = open.lines.filter((line) => line.includes('the telemetry store takes nothing'));
  expect(said).toHaveLength(1);
  expect(said[0]).toContain('no space left on device');
  expect(await counted('insert_failures_total')).toBe(2);
});

test('when too much waits, devices are asked to pause and nothing is lost when they send again', async () => {
  await open.stop();
  open = await road.open({ queueBytes: 4000, pauseMs: 10 });
  const [greedy, other] = [await open.agent(), await open.agent()];
  const { letThrough } = gate();
  for (let at = 0; at < 10; at++) await greedy.sendRows(table, rowsOf(at * 10 + 1, at * 10 + 10));
  await until(() => expect(greedy.acks.some(({ pauseMs }) => (pauseMs ?? 0) >= 10)).toBe(true));
  expect(greedy.acked()).toEqual([]);
  // One device cannot take the room of the others.
  await other.sendRows(`${table}b`, rowsOf(1, 3));
  expect(await counted('queue_bytes')).toBeLessThan(8000);
  letThrough();
  await until(() => expect(other.acked()).toEqual([1, 2, 3]));
  for (let at = 0; at < 10; at++) {
    const last = at * 10 + 10;
    await until(async () => {
      if (!greedy.acked().includes(last)) await greedy.sendRows(table, rowsOf(last - 9, last));
      expect(greedy.acked()).toContain(last);
    });
  }
  expect(await road.stored(table)).toEqual(numbers(1, 100));
  expect(open.ledger.completeness(greedy.device).stored).toBe(100);
});

test('killed between the insert and the acknowledgement, everything is stored once and the ledger is right', async () => {
  const agent = await open.agent();
  await agent.sendRows(table, rowsOf(1, 50));
  await until(() => expect(agent.acked()).toEqual(numbers(1, 50)));
  await open.ledger.checkpoint();
  let isStored = false;
  open.intercept((store) => async (blocks, token) => {
    await store(blocks, token);
    isStored = true;
    await new Promise(() => {});
  });
  await agent.sendRows(table, rowsOf(51, 80));
  await until(() => expect(isStored).toBe(true));
  await open.kill();

  open = await road.open();
  expect(open.ledger.completeness(agent.device)).toMatchObject({ stored: 80 });
  const back = await open.agent(agent.device);
  await back.sendRows(table, rowsOf(51, 90));
  await until(() => expect(back.acked()).toEqual(numbers(51, 90)));
  expect(await road.stored(table)).toEqual(numbers(1, 90));
  await back.status({ lastMsgId: 90, streams: [[table, 'inv-01', 90, 90, 0]] });
  await until(() => expect(open.ledger.completeness(agent.device).captured).toBe(90));
  expect(open.ledger.completeness(agent.device)).toMatchObject({
    captured: 90,
    stored: 90,
    pending: 0,
    gaps: [],
  });
});

test('what becomes durable after another process took the device is neither acknowledged nor counted', async () => {
  let tenure: number | null = 1;
  await open.stop();
  open = await road.open({}, { of: () => tenure });
  const agent = await open.agent();
  const { letThrough, tokens } = gate();
  await agent.sendRows(table, rowsOf(1, 3));
  await until(() => expect(tokens).toHaveLength(1));
  // The second batch waits for the first one, and is not even brought into the store.
  await agent.sendRows(table, rowsOf(4, 6));
  tenure = null;
  letThrough();
  await until(async () => expect(await road.stored(table)).toEqual(numbers(1, 3)));
  await agent.sendRows(table, rowsOf(7, 9));
  await open.ingest.drain([agent.device.slice(-2)]);
  expect(agent.acks).toEqual([]);
  expect(tokens).toHaveLength(1);
  expect(open.ledger.completeness(agent.device).stored).toBe(0);
});

test('stopping brings what waits into the store and takes nothing more', async () => {
  const agent = await open.agent();
  await open.stop();
  open = await road.open({ flushMs: 60_000 });
  const back = await open.agent(agent.device);
  await back.sendRows(table, rowsOf(1, 5));
  await open.ingest.stop();
  await until(() => expect(back.acked()).toEqual(numbers(1, 5)));
  await back.sendRows(table, rowsOf(6, 7));
  expect(await road.stored(table)).toEqual(numbers(1, 5));
  expect(back.acked()).toEqual(numbers(1, 5));
});

test('gaps that a device declares are noted, saved and acknowledged', async () => {
  const agent = await open.agent();
  const gap = declared({ from: 1, to: 10, table, source: 'inv-01' });
  await agent.send({
    streams: [{ table, source: 'inv-01', fields: FIELDS, rows: rowsOf(11, 12) as never }],
    gaps: [gap],
  });
  await until(() => expect(agent.acks[0]).toMatchObject({ ranges: [[11, 12]], gaps: [1] }));
  await agent.status({ lastMsgId: 12 });
  await open.kill();
  open = await road.open();
  const { gaps } = open.ledger.completeness(agent.device);
  expect(gaps).toMatchObject([{ from: 1, to: 10, cause: 'outbox_full', events: 10, table }]);
});

test('a device that is not registered is not listened to, and the log says so once', async () => {
  const stranger = await open.agent(crypto.randomUUID(), { isRegistered: false });
  const agent = await open.agent();
  for (let at = 0; at < 3; at++) await stranger.sendRows(table, rowsOf(1, 3));
  await agent.sendRows(table, rowsOf(7, 8));
  await until(() => expect(agent.acked()).toEqual([7, 8]));
  expect(stranger.acks).toEqual([]);
  expect(await road.stored(table)).toEqual([7, 8]);
  expect(open.lines.filter((line) => line.includes('not registered'))).toHaveLength(1);
});
