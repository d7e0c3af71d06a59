/**
 * A backup of a running server beside a plain copy of its data folder, in turns; then how late what comes in from agents is
 * acknowledged, in turns without and with backups one after another.
 * `node bench/backup.ts [--fill 30] [--seconds 20] [--agents 100] [--points 20000] [--turns 3] [--prof DIR]`: seconds of
 * filling, seconds of each measurement, agents, values a second while it is measured (few enough that they never queue), turns
 * of each, and where to write CPU profiles of the cloud.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { askServer } from '@albedo/cloud/command-line/control.client';
import type { FromCloud, FromLoad, LoadResult, Order } from './ingest.messages.ts';
import { percentile } from './percentile.ts';

/** Nobody has the key of it: what the bench writes is read by no one. */
const RECIPIENT = 'age1w0qya6929e62cjkwjfg75wj0etaynwa4fazrnrduf76fsfezrumsf3xf3w';
const NAMES: Readonly<Record<number, string>> = { 0.5: 'p50', 0.99: 'p99', 1: 'max' };

type Ready = Extract<FromCloud, { kind: 'ready' }>;

/** Values a second of all agents that fill the folder. */
const FILL = 150_000;

const { values: flags } = parseArgs({
  options: {
    fill: { type: 'string', default: '30' },
    seconds: { type: 'string', default: '20' },
    agents: { type: 'string', default: '100' },
    points: { type: 'string', default: '20000' },
    turns: { type: 'string', default: '3' },
    prof: { type: 'string' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'albedo-bench-backup-'));
const data = join(folder, 'data');
const cloud = fork(join(import.meta.dirname, 'ingest.cloud.ts'), [folder, flags.agents], {
  execArgv: flags.prof ? ['--cpu-prof', `--cpu-prof-dir=${flags.prof}`] : [],
});
try {
  const ready = await said<FromCloud, 'ready'>(cloud, 'ready');
  await load(ready, Number(flags.fill), FILL);
  await compareWithCopy();
  await compareArrivals(ready);
  const gone = new Promise((done) => cloud.once('exit', done));
  cloud.send('stop');
  await gone;
} finally {
  cloud.kill();
  rmSync(folder, { recursive: true, force: true });
}

/** Both read what was written a moment ago from the memory of the machine. */
async function compareWithCopy(): Promise<void> {
  const took: { copy: number[]; backup: number[] } = { copy: [], backup: [] };
  for (let turn = 0; turn < Number(flags.turns); turn++) {
    const began = performance.now();
    cpSync(data, join(folder, 'copy'), { recursive: true, filter: isCopied });
    took.copy.push(performance.now() - began);
    took.backup.push(await backup());
    rmSync(join(folder, 'copy'), { recursive: true });
  }
  const megabytes = sizeOf(data) / 1e6;
  const [copyMs, backupMs] = [percentile(took.copy, 0.5), percentile(took.backup, 0.5)];
  print('the folder', `${megabytes.toFixed(0)} MB`);
  print('plain copy', `${(copyMs / 1000).toFixed(2)} s, ${((megabytes * 1000) / copyMs).toFixed(0)} MB/s`);
  print('backup', `${(backupMs / 1000).toFixed(2)} s, ${((megabytes * 1000) / backupMs).toFixed(0)} MB/s`);
  print('speed of a copy', `${((100 * copyMs) / backupMs).toFixed(0)} %`);
}

/** Both kinds of turns see the same machine and a folder that grows for both. */
async function compareArrivals(ready: Ready): Promise<void> {
  const alone: number[] = [];
  const beside: number[] = [];
  let backups = 0;
  for (let turn = 0; turn < Number(flags.turns); turn++) {
    alone.push(...(await arrivals(ready)));
    let isOver = false;
    const backing = (async () => {
      for (; !isOver; backups++) await backup();
    })();
    beside.push(...(await arrivals(ready)));
    isOver = true;
    await backing;
  }
  const told = (ms: number[]) =>
    [0.5, 0.99, 1].map((part) => `${NAMES[part]} ${percentile(ms, part).toFixed(0)} ms`).join(', ');
  print('acknowledged without', told(alone));
  print(`with ${backups} backups in turn`, told(beside));
  print('p99 with to without', (percentile(beside, 0.99) / percentile(alone, 0.99)).toFixed(2));
}

async function arrivals(ready: Ready): Promise<number[]> {
  const { latencies, pauses } = await load(ready, Number(flags.seconds), Number(flags.points));
  print(
    '  a turn',
    `${latencies.length} batches, p99 ${percentile(latencies, 0.99).toFixed(0)} ms, ${pauses} pauses`,
  );
  return latencies;
}

/** How long one took, ms. */
async function backup(): Promise<number> {
  const to = join(folder, 'backups');
  mkdirSync(to, { recursive: true });
  const began = performance.now();
  const args = ['--to', to, '--recipient', RECIPIENT];
  const words: string[] = [];
  const code = await askServer(data, { command: 'backup create', args }, (text) => words.push(text));
  if (code !== 0) throw new Error(`The backup failed: ${words.join(' ')}`);
  const took = performance.now() - began;
  rmSync(to, { recursive: true });
  return took;
}

async function load(
  { port, caPem, agents }: Ready,
  seconds: number,
  pointsPerSecond: number,
): Promise<LoadResult> {
  const child = fork(join(import.meta.dirname, 'ingest.load.ts'));
  const order: Order = { port, caPem, agents, seconds, pointsPerSecond };
  child.send(order);
  const { result } = await said<FromLoad, 'result'>(child, 'result');
  child.kill();
  return result;
}

function said<M extends { kind: string }, K extends M['kind']>(
  child: ChildProcess,
  kind: K,
): Promise<Extract<M, { kind: K }>> {
  return new Promise((done, fail) => {
    child.once('exit', (code) => fail(new Error(`A process of the bench ended with ${code}.`)));
    child.on('message', (message: M) => {
      if (message.kind === kind) done(message as Extract<M, { kind: K }>);
    });
  });
}

/** Sockets cannot be copied; parts that are merged away meanwhile are no part of a copy either. */
function isCopied(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && (found.isFile() || found.isDirectory());
}

function sizeOf(path: string): number {
  let bytes = 0;
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
}

function print(what: string, value: string): void {
  console.log(`${what.padEnd(30)} ${value}`);
}
