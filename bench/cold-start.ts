/** From starting the cloud's process to a good `/readyz`, and what memory it takes then. `node bench/cold-start.ts [rounds]` */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from './bench-cloud.ts';

const [rounds = 3] = process.argv.slice(2).map(Number);
const SETTLE_MS = 5000;
const main = join(import.meta.dirname, '../apps/cloud/src/main.ts');

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

const memoryMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Processes that this one started. */
const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );

async function start(folder: string, settle: boolean): Promise<{ ms: number; memory: number[] }> {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      ALBEDO_DATA: folder,
      ALBEDO_PORT: String(port),
      ALBEDO_MQTT_PORT: '0',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      (reply) => reply.ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`The cloud ended with ${child.exitCode}.`);
    await sleep(50);
  }
  const ms = performance.now() - began;
  if (settle) await sleep(SETTLE_MS);
  const pid = child.pid as number;
  const memory = settle ? [pid, ...childrenOf(pid)].map(memoryMb) : [];
  child.kill('SIGTERM');
  await once(child, 'exit');
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
