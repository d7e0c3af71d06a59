/** What an agent has started ends with it, or with the start of the next one: nothing runs twice. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { killGroup } from './children.ts';

const AGENT = join(import.meta.dirname, '../main.ts');
const PLUGIN = join(import.meta.dirname, '../../../../plugins/sunspec/src/main.ts');
const PATIENCE = { timeout: 15_000, interval: 100 };

let root: string;
let agent: ChildProcess;
const at = (path: string) => join(root, path);
const notes = () => at('run/albedo/children');

function put(path: string, text: string, mode = 0o644): void {
  mkdirSync(join(at(path), '..'), { recursive: true });
  writeFileSync(at(path), text, { mode });
}

/** Ids of the processes whose command line holds a text. */
function running(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => commandLine(pid).includes(text) && pid !== process.pid);
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

function start(): void {
  agent = spawn(process.execPath, [AGENT, 'run', '--root', root], { stdio: 'ignore' });
}

async function kill(): Promise<void> {
  const gone = once(agent, 'exit');
  agent.kill('SIGKILL');
  await gone;
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'albedo-children-'));
  const link = '{hostname: 127.0.0.1, port: 1, cacertfile: /a, certfile: /b, keyfile: /c}';
  const command = `sleep 301; echo ${root}/command`;
  const run = `{table: t, source: s, command: "${command}", frequency: 400, timeout: 390, expect: log}`;
  put('etc/albedo/albedo.yaml', `mqtt: ${link}\nmachine: false\nrun: [${run}]\n`);
  // A plugin that does not care who looks after it, and the kit's own, which does.
  put('usr/local/bin/stubborn_albedo', `#!/bin/sh\nsleep 302; echo "${root}/stubborn"\n`, 0o755);
  put('usr/local/bin/sunspec_albedo', `#!/bin/sh\nexec "${process.execPath}" "${PLUGIN}" "$@"\n`, 0o755);
  put('etc/albedo/services/stubborn', '_plugin,endpoint\nstubborn,nowhere\n');
  const row = `sunspec,127.0.0.1,1,9,${at('opt/albedo/logs')},1`;
  put(
    'etc/albedo/services/polite',
    `_plugin,endpoint,bus_addresses,port,output_directory,frequency\n${row}\n`,
  );
});
afterEach(async () => {
  if (agent.exitCode === null && agent.signalCode === null) await kill();
  for (const name of readdirSync(notes())) killGroup(Number(name));
  rmSync(root, { recursive: true, force: true });
});

const command = () => running(`${root}/command`);
const stubborn = () => running('/stubborn_albedo').filter((pid) => commandLine(pid).includes(root));
const polite = () => running(`service ${at('etc/albedo/services/polite')}`);

test('after a killed agent plugins end, and the next one ends commands and services that go on', async () => {
  start();
  const all = () => [command().length, stubborn().length, polite().length];
  await vi.waitFor(() => expect(all()).toEqual([1, 1, 1]), PATIENCE);
  const before = [...command(), ...stubborn()];

  await kill();
  await vi.waitFor(() => expect(polite()).toEqual([]), PATIENCE);
  expect([...command(), ...stubborn()]).toEqual(before);

  // The number of a process that has ended belongs to somebody else now, and that one is left alone.
  const stranger = spawn('sleep', ['60'], { stdio: 'ignore', detached: true });
  put(`run/albedo/children/${stranger.pid}`, `${stranger.pid} 1 some-boot\n1 1 some-boot\n`);
  start();
  await vi.waitFor(() => expect(all()).toEqual([1, 1, 1]), PATIENCE);
  expect([...command(), ...stubborn()].filter((pid) => before.includes(pid))).toEqual([]);
  expect(stranger.exitCode ?? stranger.signalCode).toBe(null);
  expect(readdirSync(notes())).not.toContain(String(stranger.pid));
  stranger.kill();

  const gone = once(agent, 'exit');
  agent.kill('SIGTERM');
  await gone;
  await vi.waitFor(() => expect(all()).toEqual([0, 0, 0]), PATIENCE);
  expect(readdirSync(notes())).toEqual([]);
}, 60_000);

test('what a living agent has started is not ended by another one', async () => {
  start();
  await vi.waitFor(() => expect(command()).toHaveLength(1), PATIENCE);
  const before = command();
  const other = spawn(process.execPath, [AGENT, 'run', '--root', root], { stdio: 'ignore' });
  await Promise.race([once(other, 'exit'), vi.waitFor(() => expect(command().length).toBe(2), PATIENCE)]);
  expect(command()).toEqual(expect.arrayContaining(before));
  other.kill('SIGKILL');
}, 60_000);
