/** Disks of devices that are restored, wiped, copied and damaged, with the real agent and the real road: no event is lost. */
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { Agent } from '../apps/agent/src/agent.ts';
import { createLog } from '../apps/agent/src/log.ts';
import { rootAt } from '../apps/agent/src/root.ts';
import { type OpenRoad, openRoad, type Road } from '../apps/cloud/src/testing/road.ts';

let road: Road;
let open: OpenRoad;
const folders: string[] = [];
const agents = new Set<Agent>();

beforeAll(async () => {
  road = await openRoad();
  open = await road.open();
});
afterAll(async () => {
  await open.stop();
  await road.close();
});
afterEach(async () => {
  for (const agent of agents) await agent.stop();
  agents.clear();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 25_000, interval: 100 });

/** A machine with keys of the device, that captures the lines of one file. */
async function machine(device: string, table: string): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'albedo-numbers-'));
  folders.push(root);
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const { certPem, keyPem } = await road.authority.issueDevice(device, 'demo');
  put('etc/albedo/keys/ca-chain.crt', road.authority.caPem);
  put('etc/albedo/keys/client.crt', certPem);
  put('etc/albedo/keys/client.key', keyPem);
  put('lines', '');
  put(
    'etc/albedo/albedo.yaml',
    `mqtt: {hostname: 127.0.0.1, port: ${open.broker.port}, cacertfile: /etc/albedo/keys/ca-chain.crt,
  certfile: /etc/albedo/keys/client.crt, keyfile: /etc/albedo/keys/client.key}
machine: false
tail: [{table: ${table}, source: s, file: /lines, expect: csv, from: start, fields: [{name: power, expect: integer}]}]
`,
  );
  return root;
}

function start(root: string): Agent {
  const agent = new Agent(
    rootAt(root),
    createLog('error', () => {}),
  );
  agent.start();
  agents.add(agent);
  return agent;
}

async function stop(agent: Agent): Promise<void> {
  await agent.stop();
  agents.delete(agent);
}

const state = (root: string) => join(root, 'var/lib/albedo');
const write = (root: string, from: number, to: number) => {
  for (let n = from; n <= to; n++) appendFileSync(join(root, 'lines'), `${n}\n`);
};
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

async function stored(table: string): Promise<number[]> {
  return [...new Set((await road.values(table)).map(Number))].sort((a, b) => a - b);
}

/** Writes these lines and runs an agent until the store has all of them from the first on. */
async function store(root: string, table: string, from: number, to: number): Promise<void> {
  write(root, from, to);
  const agent = start(root);
  await until(async () => expect(await stored(table)).toEqual(numbers(1, to)));
  await stop(agent);
}

/** Lines of the file that wait in the outbox of a running agent, counted in a copy of it. */
function waitingIn(box: string): number {
  const copy = mkdtempSync(join(tmpdir(), 'albedo-numbers-'));
  folders.push(copy);
  for (const suffix of ['', '-wal'])
    if (existsSync(box + suffix)) cpSync(box + suffix, join(copy, `outbox.db${suffix}`));
  const db = new DatabaseSync(join(copy, 'outbox.db'));
  try {
    const text = `SELECT count(*) AS n FROM events e JOIN shapes h ON h.id = e.shape JOIN streams s ON s.id = h.stream
      WHERE s."table" = 'zeroed'`;
    return Number(db.prepare(text).get()?.n);
  } finally {
    db.close();
  }
}

async function device(): Promise<string> {
  const { device, leave } = await open.agent();
  await leave();
  return device;
}

test('a state folder that is restored from a copy loses nothing of what is captured afterwards', async () => {
  const id = await device();
  const root = await machine(id, 'restored');
  await store(root, 'restored', 1, 50);
  const copy = join(root, 'copy');
  cpSync(state(root), copy, { recursive: true });
  await store(root, 'restored', 51, 150);
  rmSync(state(root), { recursive: true });
  cpSync(copy, state(root), { recursive: true });
  // Not the same lines again: the numbers of the second life get other events.
  writeFileSync(
    join(root, 'lines'),
    readFileSync(join(root, 'lines'), 'utf8').split('\n').slice(0, 50).join('\n').concat('\n'),
  );
  write(root, 1001, 1100);
  start(root);
  await until(async () =>
    expect(await stored('restored')).toEqual([...numbers(1, 150), ...numbers(1001, 1100)]),
  );
  const ids = await road.stored('restored');
  expect(new Set(ids).size).toBe(ids.length);
  const told = open.ledger.completeness(id);
  expect(told.numberings.map(({ began }) => began)).toEqual(['copy', 'new']);
  expect(told.gaps).toEqual([]);
  await until(async () =>
    expect((await road.texts('agent_errors', 'message')).join()).toMatch('the disk was copied'),
  );
});

test('a state folder that is wiped within a second starts above its old numbers', async () => {
  const id = await device();
  const root = await machine(id, 'wiped');
  const at = Date.now();
  const startAtOnce = () => {
    const clock = vi.spyOn(Date, 'now').mockReturnValue(at);
    const agent = start(root);
    clock.mockRestore();
    return agent;
  };
  write(root, 1, 100);
  const agent = startAtOnce();
  await until(async () => expect(await stored('wiped')).toEqual(numbers(1, 100)));
  await stop(agent);
  rmSync(state(root), { recursive: true });
  writeFileSync(join(root, 'lines'), '');
  write(root, 201, 300);
  startAtOnce();
  await until(async () => expect(await stored('wiped')).toEqual([...numbers(1, 100), ...numbers(201, 300)]));
});

test('what waited in an outbox of which nothing can be read is told, though nobody can know how much it was', async () => {
  const id = await device();
  const root = await machine(id, 'zeroed');
  await store(root, 'zeroed', 1, 20);
  // Without a road, lines are captured whose file is gone afterwards.
  const config = join(root, 'etc/albedo/albedo.yaml');
  const good = readFileSync(config, 'utf8');
  writeFileSync(config, good.replace(/port: \d+/, 'port: 9'));
  const agent = start(root);
  write(root, 21, 40);
  const box = join(state(root), 'outbox.db');
  await until(() => expect(waitingIn(box)).toBe(20));
  await stop(agent);
  writeFileSync(join(root, 'lines'), '');
  for (const suffix of ['-wal', '-shm']) rmSync(box + suffix, { force: true });
  writeFileSync(box, Buffer.alloc(100_000));
  writeFileSync(config, good);
  start(root);
  write(root, 41, 50);
  await until(async () => expect(await stored('zeroed')).toEqual([...numbers(1, 20), ...numbers(41, 50)]));
  await until(() =>
    expect(open.ledger.completeness(id).gaps).toEqual([
      expect.objectContaining({ cause: 'outbox_damaged', table: null, events: null }),
    ]),
  );
});

test('two machines that run a copy of one disk lose nothing, and the ledger tells them apart', async () => {
  const id = await device();
  const root = await machine(id, 'copied');
  await store(root, 'copied', 1, 50);
  const other = mkdtempSync(join(tmpdir(), 'albedo-numbers-'));
  folders.push(other);
  cpSync(root, other, { recursive: true });
  const pair = [start(root), start(other)];
  for (let round = 0; round < 5; round++) {
    write(root, 1001 + round * 20, 1020 + round * 20);
    write(other, 2001 + round * 20, 2020 + round * 20);
    await new Promise((done) => setTimeout(done, 400));
  }
  const all = [...numbers(1, 50), ...numbers(1001, 1100), ...numbers(2001, 2100)];
  await until(async () => expect(await stored('copied')).toEqual(all));
  for (const one of pair) await stop(one);
  const told = open.ledger.completeness(id);
  expect(told.numberings).toHaveLength(2);
  expect(told.gaps.filter(({ cause }) => cause === 'unexplained')).toEqual([]);
});
