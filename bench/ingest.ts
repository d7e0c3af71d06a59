/**
 * The road from agents to the store: simulated agents over TLS, the real cloud with its embedded engines, and the load
 * on the same machine; then the same engine fed directly, in the same run.
 *
 * `node bench/ingest.ts [--agents 1000] [--points 220000] [--seconds 60] [--direct 8] [--prof DIR]`: values a second
 * that the agents make, how long, seconds of direct feeding, and where to write CPU profiles of cloud and engine.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { connectClickHouse } from '@albedo/clickhouse/client';
import { startEmbeddedClickHouse } from '@albedo/clickhouse/embedded';
import { TelemetryStore } from '@albedo/cloud/telemetry/telemetry.store';
import type { BatchRow } from '@albedo/contract/link/link.messages';
import {
  type FromCloud,
  type FromLoad,
  type LoadResult,
  type Order,
  POINTS_AN_EVENT,
} from './ingest.messages.ts';
import { deviceId, Inverter, inverterBlock } from './telemetry.data.ts';

const { values: flags } = parseArgs({
  options: {
    agents: { type: 'string', default: '1000' },
    points: { type: 'string', default: '220000' },
    seconds: { type: 'string', default: '60' },
    direct: { type: 'string', default: '8' },
    prof: { type: 'string' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'albedo-bench-ingest-'));
const children: ChildProcess[] = [];
try {
  const { result, stored, heap } = await throughTheCloud();
  const road = (result.ackedEvents * POINTS_AN_EVENT) / result.seconds;
  print('sustained through the cloud', `${rounded(road)} points/s`);
  print(
    'publish to acknowledged',
    `p50 ${rounded(result.p50Ms)} ms, p99 ${rounded(result.p99Ms)} ms, max ${rounded(result.maxMs)} ms`,
  );
  print('told to pause', `${result.pauses} times`);
  print('heap of the cloud, MB', heap);
  print(
    'sent and stored',
    `${result.sentEvents} and ${stored} events, ${stored === result.sentEvents ? 'each once' : 'WHICH DIFFERS'}`,
  );
  if (Number(flags.direct) > 0) {
    const direct = await engineAlone(Number(flags.direct));
    print('the engine fed directly', `${rounded(direct)} points/s`);
    print('ratio', (road / direct).toFixed(2));
  }
} finally {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true, force: true });
}

async function throughTheCloud(): Promise<{ result: LoadResult; stored: number; heap: string }> {
  const execArgv = flags.prof ? ['--cpu-prof', `--cpu-prof-dir=${flags.prof}`] : [];
  const cloud = start('ingest.cloud.ts', [folder, flags.agents], execArgv);
  const memory: { heapMb: number; rssMb: number; cpuSeconds: number }[] = [];
  cloud.on('message', (message: FromCloud) => {
    if (message.kind === 'memory') memory.push(message);
  });
  const ready = await said<FromCloud, 'ready'>(cloud, 'ready');
  const load = start('ingest.load.ts', [], []);
  load.on('message', (message: FromLoad) => {
    if (message.kind === 'connected') memory.length = 0;
    if (message.kind !== 'progress') return;
    const { heapMb = 0, rssMb = 0 } = memory.at(-1) ?? {};
    console.error(
      `${rounded(message.points)} points, ${message.waiting} batches wait, p99 ${rounded(message.p99Ms)} ms, heap ${rounded(heapMb)} MB, rss ${rounded(rssMb)} MB`,
    );
  });
  const order: Order = {
    port: ready.port,
    caPem: ready.caPem,
    agents: ready.agents,
    seconds: Number(flags.seconds),
    pointsPerSecond: Number(flags.points),
  };
  load.send(order);
  const { result } = await said<FromLoad, 'result'>(load, 'result');
  const cpu = (memory.at(-1)?.cpuSeconds ?? 0) - (memory[0]?.cpuSeconds ?? 0);
  print(
    'processor time, s',
    `cloud ${cpu.toFixed(1)}, load ${result.cpuSeconds.toFixed(1)}, in ${result.seconds.toFixed(0)} s on ${availableParallelism()} cores`,
  );
  load.kill();
  cloud.send('count');
  const { events: stored } = await said<FromCloud, 'counted'>(cloud, 'counted');
  const gone = new Promise((done) => cloud.once('exit', done));
  cloud.send('stop');
  await gone;
  return { result, stored, heap: lows(memory.map(({ heapMb }) => heapMb)) };
}

/** Prepared rows in large blocks, straight into the engine. */
async function engineAlone(seconds: number): Promise<number> {
  const log = { info() {}, warn: (facts: object, text: string) => console.error(text, facts) };
  const engine = await startEmbeddedClickHouse({ dataDir: join(folder, 'direct'), log });
  const clickhouse = connectClickHouse(engine);
  const store = new TelemetryStore({ clickhouse, log });
  await store.start();
  const inverter = new Inverter();
  const rows = (start: number): BatchRow[] =>
    Array.from({ length: 20 }, (_, at) => [
      start + at,
      Date.now() - at,
      ...inverter.read(12 * 3_600_000, 1000),
    ]);
  const devices = Array.from({ length: 1000 }, (_, at) => deviceId(at));
  const block = (start: number) => devices.map((_, at) => inverterBlock(at, 1, rows(start)));
  await store.insert(block(1), 'first');
  let [spentMs, events] = [0, 0];
  for (let round = 1; spentMs < seconds * 1000; round++) {
    const blocks = block(round * 20 + 1);
    const began = performance.now();
    await store.insert(blocks, `round-${round}`);
    spentMs += performance.now() - began;
    events += 20_000;
  }
  await store.stop();
  await clickhouse.close();
  await engine.stop();
  return (events * POINTS_AN_EVENT * 1000) / spentMs;
}

function start(file: string, args: string[], execArgv: string[]): ChildProcess {
  const child = fork(join(import.meta.dirname, file), args, { execArgv, serialization: 'advanced' });
  children.push(child);
  child.on('exit', (code) => {
    if (code) throw new Error(`${file} ended with ${code}`);
  });
  return child;
}

function said<M extends { kind: string }, K extends M['kind']>(
  child: ChildProcess,
  kind: K,
): Promise<Extract<M, { kind: K }>> {
  return new Promise((done) => {
    child.on('message', (message: M) => {
      if (message.kind === kind) done(message as Extract<M, { kind: K }>);
    });
  });
}

/** The lowest value of each sixth of the time: what stays after collecting garbage. */
function lows(values: number[]): string {
  const size = Math.max(1, Math.ceil(values.length / 6));
  const parts = Array.from({ length: Math.ceil(values.length / size) }, (_, at) =>
    values.slice(at * size, (at + 1) * size),
  );
  return parts.map((part) => rounded(Math.min(...part))).join(', ');
}

function print(what: string, value: string): void {
  console.log(`${what.padEnd(30)} ${value}`);
}

function rounded(value: number): string {
  return Math.round(value).toLocaleString('en');
}
