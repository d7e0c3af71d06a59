/**
 * What a person at a device waits for: a command until its result is there, and a key in the remote shell until the
 * terminal shows it, with the agent as a process of its own. `npm run build -w apps/agent && node bench/remote.ts [rounds]`
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { BrowserSocket } from '@albedo/cloud/testing/browser-socket';
import { API_PREFIX } from '@albedo/contract/http/endpoint';
import { BenchAgent } from './bench-agent.ts';
import { BenchCloud, WORKGROUP } from './bench-cloud.ts';
import { percentile } from './percentile.ts';

const [rounds = 200] = process.argv.slice(2).map(Number);

const bench = await BenchCloud.start();
const agent = await BenchAgent.start(bench);
const deviceId = agent.device.id;
const browser = await new BrowserSocket(bench.cloud.url, {
  token: bench.token,
  orgName: WORKGROUP,
}).connected();
try {
  await agent.online();
  const commands: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    const { data, error } = await browser.call('device:cmd', { deviceId, cmd: 'true' });
    if ((data as { returnCode?: number } | undefined)?.returnCode !== 0)
      throw new Error(`The command failed: ${JSON.stringify(error)}`);
    commands.push(performance.now() - began);
  }
  print('command and its result', commands, 300);
  print('key in the remote shell and its echo', await keys(), 100);
} finally {
  browser.close();
  await agent.stop();
  await bench.stop();
}

async function keys(): Promise<number[]> {
  const of = { deviceId, shellId: await openShell() };
  const say = (what: object) => browser.call('device:shell:say', { ...of, ...what });
  let screen = '';
  let look = () => {};
  const seen = (wanted: string) =>
    new Promise<void>((done) => {
      look = () => {
        if (screen.includes(wanted)) done();
      };
      look();
    });
  void browser.call('device:shell', { ...of, cols: 80, rows: 24 }, ({ data }) => {
    screen += Buffer.from((data as { output?: string } | undefined)?.output ?? '', 'base64').toString();
    look();
  });
  // Until the program runs, the terminal belongs to the shell, which does not echo what comes meanwhile.
  await sleep(500);
  await say({ keys: "echo rea''dy; cat >/dev/null\r" });
  await seen('ready');
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    screen = '';
    const key = String.fromCharCode(97 + (round % 26));
    const began = performance.now();
    void say({ keys: key });
    await seen(key);
    times.push(performance.now() - began);
    // A line that is full would be cut by the terminal.
    if (round % 60 === 59) {
      await say({ keys: '\u0015' });
      await sleep(50);
    }
  }
  return times;
}

/** A shell takes a session whose bearer has just confirmed who they are. */
async function openShell(): Promise<string> {
  const { sessions } = bench.cloud.features;
  const claims = await sessions.verify(bench.token);
  const fresh = await sessions.renew(claims, { confirmedAt: Math.floor(Date.now() / 1000) });
  const reply = await fetch(`${bench.cloud.url}${API_PREFIX}/devices/${WORKGROUP}/${deviceId}/shells`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fresh}`, ...bench.forgery },
  });
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
  return ((await reply.json()) as { id: string }).id;
}

function print(what: string, times: number[], aimMs: number): void {
  const [p50, p95, max] = [0.5, 0.95, 1].map((part) => percentile(times, part).toFixed(1));
  console.log(`${what}: p50 ${p50} ms, p95 ${p95} ms, max ${max} ms of ${times.length} (aim: ${aimMs} ms)`);
}
