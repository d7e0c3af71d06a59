import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SHARDS } from '@albedo/contract/link/link.topics';
import type { Postgres } from '@albedo/postgres/postgres';
import { pino } from 'pino';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { Ledger, type StoredRun } from '../completeness/completeness.service.ts';
import { openDatabase } from '../database/database.ts';
import { newDatabase } from '../testing/two-clouds.ts';
import { Shards } from './shards.service.ts';
import { ShardsStore } from './shards.store.ts';

const databaseUrl = process.env.ALBEDO_TEST_DATABASE_URL;
const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
const TTL_MS = 700;

/** A process reduced to its shards, and what it was told to do with them. */
interface Process {
  shards: Shards;
  ledger: Ledger;
  /** Shards that it hears. */
  heard: Set<string>;
  places: number[];
  isConnected: boolean;
  /** While it is true the process gets no answer from the database, as one that was stopped. */
  isStopped: boolean;
  loads: () => Promise<void>;
}

describe.runIf(databaseUrl)('processes that share the devices of a broker', { timeout: 30_000 }, () => {
  let url = '';
  let folder = '';
  let postgres: Postgres;
  let processes: Process[] = [];
  const everything = new Set(SHARDS);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'albedo-shards-'));
    return () => rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    url = await newDatabase(databaseUrl ?? '');
    postgres = await openDatabase({ url, dataDir: folder, log });
    processes = [];
  });
  afterEach(async () => {
    for (const one of processes) one.isStopped = false;
    await Promise.all(processes.map(({ shards }) => shards.stop()));
    await postgres.close();
  });

  async function start(runs: StoredRun[] = []): Promise<Process> {
    const store = new ShardsStore(postgres);
    const renew = store.renew.bind(store);
    store.renew = async (...args) => {
      while (one.isStopped) await new Promise((done) => setTimeout(done, 10));
      return renew(...args);
    };
    const telemetry = {
      async *storedSince() {
        yield* runs;
      },
    };
    const ledger = new Ledger({ postgres, telemetry, log, keeps: 'shards', checkpointMs: 60_000 });
    await ledger.start();
    const shards = new Shards({
      store,
      log,
      ttlMs: TTL_MS,
      onChange: () => {
        for (const other of processes) if (other !== one) other.shards.hurry();
      },
    });
    ledger.onLost((lost) => shards.lost(lost));
    const one: Process = {
      shards,
      ledger,
      heard: new Set(),
      places: [],
      isConnected: true,
      isStopped: false,
      loads: async () => {},
    };
    processes.push(one);
    await shards.start({
      connect: async (place) => void one.places.push(place),
      isConnected: () => one.isConnected,
      load: async (held) => {
        await one.loads();
        await ledger.take(held);
      },
      open: async (some) => {
        for (const shard of some) one.heard.add(shard);
      },
      close: async (some) => {
        for (const shard of some) one.heard.delete(shard);
        await ledger.checkpoint();
      },
      drop: (some) => {
        for (const shard of some) one.heard.delete(shard);
        ledger.drop(some);
      },
    });
    return one;
  }

  /** Each shard is heard by exactly one of them. */
  const share = (...of: Process[]) => {
    const all = of.flatMap(({ heard }) => [...heard]);
    expect(all).toHaveLength(256);
    expect(new Set(all)).toEqual(everything);
  };
  const settled = (what: () => void) => vi.waitFor(what, { timeout: 10_000, interval: 20 });

  test('one process has all shards, and gives half of them to a second one, a few at a time', async () => {
    const first = await start();
    await settled(() => expect(first.heard).toEqual(everything));
    const second = await start();
    await settled(() => expect(second.heard.size).toBeGreaterThan(0));
    expect(second.heard.size).toBeLessThan(128);
    await settled(() => expect([first.heard.size, second.heard.size]).toEqual([128, 128]));
    share(first, second);
    expect([first.places, second.places]).toEqual([[1], [2]]);
  });

  test('one that stops hands over at once, one that is killed when its lease ends', async () => {
    const [first, second, third] = [await start(), await start(), await start()];
    await settled(() => share(first, second, third));
    await settled(() => expect(Math.max(first.heard.size, second.heard.size, third.heard.size)).toBe(86));
    let began = performance.now();
    await second.shards.stop();
    second.heard.clear();
    await settled(() => share(first, third));
    expect(performance.now() - began).toBeLessThan(TTL_MS);
    began = performance.now();
    third.isStopped = true;
    await settled(() => expect(first.heard).toEqual(everything));
    expect(performance.now() - began).toBeLessThan(TTL_MS * 3);
  });

  test('one that was stopped and goes on has nothing, writes nothing, and takes its share anew', async () => {
    const device = `11111111-1111-4111-8111-1111111111${SHARDS[7]}`;
    const first = await start();
    await settled(() => expect(first.shards.of(device)).not.toBeNull());
    first.isStopped = true;
    // Its clock was not looked at yet, as of a process that was stopped in the middle of a step.
    first.ledger.noteStored(device, [[1, 5]], []);
    const second = await start();
    await settled(() => expect(second.heard).toEqual(everything));
    expect(first.shards.of(device)).toBeNull();
    second.ledger.noteStored(device, [[1, 9]], []);
    await second.ledger.checkpoint();
    await first.ledger.checkpoint();
    expect(first.heard.size).toBe(0);
    const reading = new Ledger({ postgres, telemetry: { async *storedSince() {} }, log, keeps: 'nothing' });
    expect((await reading.read(device)).streams).toEqual([]);
    const [row] = await postgres.query<{ state: { done: number[] } }>(
      'SELECT state FROM completeness WHERE device_id = $1',
      [device],
    );
    expect(row?.state.done).toEqual([1, 9]);
    first.isStopped = false;
    await settled(() => share(first, second));
    await settled(() => expect(first.heard.size).toBe(128));
  });

  test('what a process saved, and what it stored after that, is known to the next one, each once', async () => {
    const device = `11111111-1111-4111-8111-1111111111${SHARDS[9]}`;
    const first = await start();
    await settled(() => expect(first.heard).toEqual(everything));
    const stream = { table: 'solar', source: 'a', firstEventAt: 1, lastEventAt: 2 };
    first.ledger.noteStored(device, [[1, 5]], [{ ...stream, events: 5 }]);
    await first.ledger.checkpoint();
    first.isStopped = true;
    const second = await start([{ ...stream, device, msgIds: [4, 5, 6, 7] }]);
    await settled(() => expect(second.heard).toEqual(everything));
    expect(second.ledger.completeness(device).stored).toBe(7);
    expect([...second.ledger.device(device).done]).toEqual([[1, 7]]);
  });

  test('one that hears nothing from the broker leaves its shards to the others', async () => {
    const [first, second] = [await start(), await start()];
    await settled(() => expect([first.heard.size, second.heard.size]).toEqual([128, 128]));
    first.isConnected = false;
    await settled(() => expect(second.heard).toEqual(everything));
    first.isConnected = true;
    await settled(() => expect([first.heard.size, second.heard.size]).toEqual([128, 128]));
  });

  test('shards that cannot be read now are tried again', async () => {
    let tries = 0;
    const first = await start();
    await settled(() => expect(first.heard).toEqual(everything));
    const second = await start();
    second.loads = async () => {
      if (++tries === 1) throw new Error('the store is away');
    };
    await settled(() => expect(tries).toBeGreaterThan(0));
    await settled(() => share(first, second));
  });
});

if (!databaseUrl) console.log('Skipped: shards, because ALBEDO_TEST_DATABASE_URL names no PostgreSQL.');
