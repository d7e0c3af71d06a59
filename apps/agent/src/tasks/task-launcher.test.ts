import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rootAt } from '../root.ts';
import { unitText } from '../services/systemd-keeper.ts';
import { sandboxedCommand, TaskLauncher } from './task-launcher.ts';

const shell = promisify(execFile);
const PATH = process.env.PATH ?? '';
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-launcher-'));
  // What gives files and programs their rights is told here and changes nothing of this machine.
  for (const tool of ['groupadd', 'chgrp', 'chmod', 'systemd-run']) {
    const ends = tool === 'systemd-run' ? 'for last; do :; done; exec "$last"' : '';
    put(`tools/${tool}`, `#!/bin/sh\necho "${tool} $*" >> '${folder}/told'\n${ends}\n`);
  }
  process.env.PATH = `${join(folder, 'tools')}:${PATH}`;
});
afterEach(() => {
  process.env.PATH = PATH;
  rmSync(folder, { recursive: true, force: true });
});

function put(path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}

const SPEC = {
  ...{ $schema: 'urn:albedo:plugin-spec:1', name: 'counter', version: '1.0.0', title: 'Counter' },
  ...{ summary: '', type: 'program', binary: 'counter_albedo', labels: ['testing'], service: true },
  uses: { devices: ['char-ttyUSB'], paths: ['/srv/meters', '/evil path'] },
  cmdSpec: {
    actionSpecs: {
      shared: { mandatory: [], optional: [] },
      discover: { mandatory: [], optional: [] },
      log: { mandatory: [], optional: [] },
    },
  },
};

function installCounter(): void {
  const place = 'opt/albedo/plugins/counter/1.0.0-01234567';
  const run = put(`${place}/run`, '#!/bin/sh\necho "counted $*"\n');
  put(`${place}/counter_albedo.mjs`, 'x');
  put(`${place}/plugin.json`, JSON.stringify(SPEC));
  mkdirSync(join(folder, 'usr/local/bin'), { recursive: true });
  symlinkSync(run, join(folder, 'usr/local/bin/counter_albedo'));
}

const told = () => readFileSync(join(folder, 'told'), 'utf8').trim().split('\n');

test('a task of a plugin is run by systemd with what a service of that plugin has, and says what it says', async () => {
  installCounter();
  const command = join(folder, 'usr/local/bin/counter_albedo');
  const task = put('opt/albedo/run/5m/roof', `#!/bin/sh\nexec '${command}' log 'it'\\''s'\n`);
  put('etc/albedo/services/files/roof.source_map', 'a,b');
  const line = await new TaskLauncher(rootAt(folder), true).commandFor(task, 300_000);
  expect((await shell('/bin/sh', ['-c', line])).stdout).toBe("counted log it's\n");
  const ran = told().find((one) => one.startsWith('systemd-run')) ?? '';
  const logs = join(folder, 'opt/albedo/logs');
  const file = { plugin: 'counter', command, file: '/etc/albedo/services/roof' };
  const unit = unitText(file, logs, SPEC as never);
  for (const right of [
    'DynamicUser=yes',
    'User=albedo-counter',
    'ProtectSystem=strict',
    'NoNewPrivileges=yes',
  ])
    expect(ran).toContain(`--property=${right}`);
  for (const right of ['DeviceAllow=char-ttyUSB rw', `ReadWritePaths=${logs} /srv/meters`]) {
    expect(ran).toContain(`--property=${right}`);
    expect(unit).toContain(`\n${right}\n`);
  }
  expect(ran).toContain('--property=RuntimeMaxSec=300');
  expect(`${ran}${unit}`).not.toContain('evil');
  expect(told()).toEqual(
    expect.arrayContaining([
      'groupadd -f -r albedo-plugins',
      `chgrp albedo-plugins ${join(folder, 'opt/albedo/run')} ${join(folder, 'opt/albedo/run/5m')} ${task}`,
      `chmod 640 ${join(folder, 'etc/albedo/services/files/roof.source_map')}`,
    ]),
  );
});

test('a script that says more than one command of a plugin, and every task without systemd, runs as the agent does', async () => {
  installCounter();
  const more = put('opt/albedo/run/5m/more', '#!/bin/sh\ncounter_albedo log a | logger\n');
  const one = put('opt/albedo/run/5m/one', '#!/bin/sh\nexec counter_albedo log a\n');
  expect(await new TaskLauncher(rootAt(folder), true).commandFor(more, 1000)).toBe(`'${more}'`);
  expect(await new TaskLauncher(rootAt(folder), false).commandFor(one, 1000)).toBe(`'${one}'`);
});

const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0;
if (!hasAnalyze)
  console.log('Skipped: the unit of a service as systemd reads it, which needs systemd-analyze.');

test.runIf(hasAnalyze)('systemd takes the unit of a service as it is written', async () => {
  const unit = put(
    'units/roof-plugin.service',
    unitText({ plugin: 'counter', command: '/bin/true', file: '/x' }, '/opt/albedo/logs', SPEC as never),
  );
  chmodSync(unit, 0o644);
  const said = await shell('systemd-analyze', ['verify', '--man=no', unit]);
  expect(said.stderr).not.toMatch(/roof-plugin\.service:\d+/);
  writeFileSync(unit, readFileSync(unit, 'utf8').replace('DynamicUser=yes', 'DynamicUser=perhaps'));
  const wrong = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' });
  expect(wrong.stderr).toMatch(/roof-plugin\.service:\d+.*perhaps/);
});

test('words of a command line stay words', () => {
  expect(sandboxedCommand("/a b's", 1500, ['X=1 2'])).toBe(
    "'systemd-run' '--quiet' '--pipe' '--wait' '--collect' '--property=X=1 2' '--property=RuntimeMaxSec=2' '/a b'\\''s'",
  );
});
