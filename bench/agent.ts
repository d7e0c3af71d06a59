/**
 * What the agent costs a machine: memory and processor with 100 streams at one event a second, sent and acknowledged
 * over TLS; with services of plugins beside them, what it costs to keep those running, without their own work.
 * `npm run build -w apps/agent && node bench/agent.ts [streams] [seconds] [services]`
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestCloud } from '@albedo/agent/testing/test-cloud';

const [streams = 100, seconds = 30, services = 0] = process.argv.slice(2).map(Number);
const FIELDS = 15;
const WARM_S = 10;

const root = mkdtempSync(join(tmpdir(), 'albedo-bench-agent-'));
const cloud = new TestCloud();
await cloud.start();
await cloud.provision(root);

const header = `# Datetime(date),${Array.from({ length: FIELDS }, (_, n) => `Value ${n}(decimal:W)`).join(',')}\n`;
const files = Array.from({ length: streams }, (_, n) => {
  const folder = join(root, 'opt/albedo/logs/solar', `inv-${n}`);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'latest.csv');
  writeFileSync(file, header);
  return file;
});

// A plugin that writes what plugins write: a reading a second into a file of its own, and a line to its log.
const folders = ['usr/local/bin', 'etc/albedo/services'].map((path) => join(root, path));
for (const folder of folders) mkdirSync(folder, { recursive: true });
const [programs, serviceFiles] = folders as [string, string];
const tick = join(programs, 'tick_albedo');
writeFileSync(
  tick,
  `#!/bin/sh
for file; do :; done
folder=$(tail -1 "$file" | cut -d, -f3)
mkdir -p "$folder"
echo '# Datetime(date),Count(integer)' > "$folder/latest.csv"
while sleep 1; do
  echo "$(date -u +%Y-%m-%dT%H:%M:%S+0000),1" >> "$folder/latest.csv"
  echo read
done
`,
);
chmodSync(tick, 0o755);
for (let n = 0; n < services; n++)
  writeFileSync(
    join(serviceFiles, `tick-${n}`),
    `_name,_plugin,output_directory\ntick-${n},tick,${join(root, 'opt/albedo/logs/ticks', `tick-${n}`)}\n`,
  );

const bundle = join(import.meta.dirname, '../apps/agent/dist/agent.mjs');
const flags = ['--max-semi-space-size=1', '--max-old-space-size=64'];
const agent = spawn(process.execPath, [...flags, bundle, 'run', '--root', root], {
  stdio: ['ignore', 'ignore', 'inherit'],
});

/** Time on a processor of all threads so far, by the scheduler's own count rather than by clock ticks. */
const cpuS = (): number =>
  readdirSync(`/proc/${agent.pid}/task`).reduce((sum, thread) => {
    const [ns] = readFileSync(`/proc/${agent.pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return sum + Number(ns) / 1e9;
  }, 0);
const memoryMb = (name: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${agent.pid}/status`, 'utf8'))?.[1]) /
  1024;

let written = 0;
/** Every stream once a second, spread over the second as machines do it. */
const writer = setInterval(() => {
  if (streams === 0) return;
  const at = `${new Date().toISOString().slice(0, 19)}+0000`;
  for (let n = 0; n < Math.max(1, streams / 20); n++) {
    const values = Array.from({ length: FIELDS }, () => (Math.random() * 5000).toFixed(2)).join(',');
    appendFileSync(files[written++ % streams] as string, `${at},${values}\n`);
  }
}, 50);

await sleep(WARM_S * 1000);
const before = { cpu: cpuS(), at: performance.now(), written };
const memory: number[] = [];
for (let n = 0; n < seconds; n++) {
  await sleep(1000);
  memory.push(memoryMb('VmRSS'));
}
const elapsedS = (performance.now() - before.at) / 1000;
const cpuShare = ((cpuS() - before.cpu) / elapsedS) * 100;
const rate = (written - before.written) / elapsedS;
clearInterval(writer);
await cloud.until(() => cloud.rows('solar').length === written, 'all events', 20_000);

console.log(
  `streams ${streams}, services ${services}, events ${rate.toFixed(0)}/s of ${FIELDS} fields, measured ${elapsedS.toFixed(0)} s`,
);
console.log(
  `memory (RSS) ${Math.max(...memory).toFixed(0)} MB, peak since start ${memoryMb('VmHWM').toFixed(0)} MB`,
);
console.log(`processor ${cpuShare.toFixed(2)} % of one core`);
console.log(`stored ${cloud.rows('solar').length} of ${written}, repeats ${cloud.repeats}`);
if (services > 0) console.log(`readings of services ${cloud.rows('ticks').length}`);

const ended = once(agent, 'exit');
agent.kill('SIGTERM');
// Until then it writes into the folder.
await ended;
await cloud.remove();
rmSync(root, { recursive: true, force: true });
