/** From starting the cloud's process to a good `/readyz`, and what memory it takes then. `node bench/cold-start.ts [rounds]` */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCloudProcess, stopCloudProcess } from './cloud-process.ts';
import { percentile } from './percentile.ts';

const [rounds = 3] = process.argv.slice(2).map(Number);
const SETTLE_MS = 5000;

const memoryMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Processes that this one started. */
const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );

async function start(folder: string, settle: boolean): Promise<{ ms: number; memory: number[] }> {
  const began = performance.now();
  const { child } = await startCloudProcess(folder);
  const ms = performance.now() - began;
  if (settle) await sleep(SETTLE_MS);
  const pid = child.pid as number;
  const memory = settle ? [pid, ...childrenOf(pid)].map(memoryMb) : [];
  await stopCloudProcess(child);
  return { ms, memory };
}

const fresh: number[] = [];
const again: number[] = [];
let memory: number[] = [];
for (let round = 0; round < rounds; round++) {
  const folder = mkdtempSync(join(tmpdir(), 'albedo-cold-start-'));
  fresh.push((await start(folder, false)).ms);
  const second = await start(folder, round === 0);
  again.push(second.ms);
  if (round === 0) memory = second.memory;
  rmSync(folder, { recursive: true, force: true });
}
const line = (name: string, times: number[]) =>
  `${name}: median ${percentile(times, 0.5).toFixed(0)} ms, slowest ${Math.max(...times).toFixed(0)} ms`;
console.log(`cold start, ${rounds} rounds, target 5000 ms`);
console.log(line('new folder', fresh));
console.log(line('existing folder', again));
const [cloud = 0, ...others] = memory.map((mb) => mb.toFixed(0));
console.log(
  `memory ${SETTLE_MS / 1000} s after the start (RSS): cloud ${cloud} MB, its engine ${others.join(' + ')} MB`,
);
