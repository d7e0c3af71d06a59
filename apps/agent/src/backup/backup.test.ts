import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changeAtOnce, finishChange, NoPlaceError, resumeChange } from '../changes/at-once.ts';
import { rootAt } from '../root.ts';
import { killedAt } from '../testing/killed-at.ts';
import { type Backup, planRestore, readBackup } from './backup.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-backup-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A device with these files below its own root. */
function device(name: string, files: Record<string, string>) {
  const root = rootAt(join(folder, name));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(root.at(path)), { recursive: true });
    writeFileSync(root.at(path), text);
  }
  return root;
}

const textOf = ({ files }: Backup, path: string) =>
  Buffer.from(files.find((one) => one.path === path)?.content ?? '', 'base64').toString();

const OLD = {
  '/etc/albedo/albedo.yaml': 'mqtt: {hostname: old}\nremote: {shell: false}\n# the plant\nrun: []\n',
  '/etc/albedo/keys/client.key': 'secret',
  '/etc/albedo/services/meter.yaml': 'meter',
  '/opt/albedo/run/5s/task': '#!/bin/sh\n',
  '/var/lib/albedo/outbox.db': 'events',
  '/var/lib/albedo/plugins/modbus/state': 'at 7',
};

test('a backup has configuration, tasks, services and plugin state, and never keys or the outbox', () => {
  const root = device('old', OLD);
  writeFileSync(root.at('/opt/albedo/run/5s/task'), '#!/bin/sh\n', { mode: 0o755 });
  symlinkSync('/etc/shadow', root.at('/opt/albedo/run/5s/link'));
  const backup = readBackup(root);
  expect(backup.files.map(({ path }) => path)).toEqual([
    '/etc/albedo/albedo.yaml',
    '/etc/albedo/services/meter.yaml',
    '/opt/albedo/run/5s/task',
    '/var/lib/albedo/plugins/modbus/state',
  ]);
  expect(textOf(backup, '/var/lib/albedo/plugins/modbus/state')).toBe('at 7');
});

test('another device takes it over, and keeps its own way to the cloud and its own word about who gets in', () => {
  const backup = readBackup(device('old', OLD));
  const root = device('new', {
    '/etc/albedo/albedo.yaml': 'mqtt: {hostname: new}\nrun: []\n',
    '/etc/albedo/keys/client.key': 'its own',
    '/opt/albedo/run/1m/left': 'x',
  });
  changeAtOnce(root, planRestore(root, backup));
  const config = readFileSync(root.configFile, 'utf8');
  expect(config).toMatch(/hostname: new/);
  expect(config).toContain('# the plant');
  expect(config).not.toMatch(/remote|old/);
  expect(readFileSync(root.at('/etc/albedo/keys/client.key'), 'utf8')).toBe('its own');
  expect(existsSync(root.at('/opt/albedo/run/1m/left'))).toBe(false);
  expect(readFileSync(root.at('/opt/albedo/run/5s/task'), 'utf8')).toBe('#!/bin/sh\n');
});

test.each([
  '/etc/albedo/keys/client.key',
  '/etc/passwd',
  '/etc/albedo/../passwd',
  '/etc/albedo',
  '/opt/albedo/run/../../x',
  '/opt/albedo/run/linked/x',
  '/var/lib/albedo/outbox.db',
])('a backup that would write %s is refused', (path) => {
  const root = device('new', { '/etc/albedo/albedo.yaml': 'run: []\n' });
  mkdirSync(root.at('/opt/albedo/run'), { recursive: true });
  symlinkSync('/tmp', root.at('/opt/albedo/run/linked'));
  const files = [{ path, mode: 0o644, content: '' }];
  expect(() => planRestore(root, { v: 1, at: 0, files, plugins: [] })).toThrow();
});

test('killed at any step, it is the old state or the new one after the next start', async () => {
  const backup = readBackup(device('old', OLD));
  const steps: string[] = [];
  const whole = device('whole', { '/etc/albedo/albedo.yaml': 'mqtt: {hostname: new}\nrun: []\n' });
  changeAtOnce(whole, planRestore(whole, backup), (step) => steps.push(step));
  const after = stateOf(whole.prefix);
  expect(steps.length).toBeGreaterThan(6);
  for (const [number, step] of steps.entries()) {
    const files = {
      '/etc/albedo/albedo.yaml': 'mqtt: {hostname: new}\nrun: []\n',
      '/opt/albedo/run/1m/left': 'x',
    };
    const root = device(`killed-${number}`, files);
    const before = stateOf(root.prefix);
    expect(await killedAt(root.prefix, planRestore(root, backup), step), step).toBe('SIGKILL');
    finishChange(root);
    const isDecided = steps.indexOf(step) >= steps.indexOf('decided');
    expect(stateOf(root.prefix), step).toEqual(isDecided ? after : before);
  }
}, 60_000);

test('where the disk takes one of its files no more, nothing has changed', () => {
  const root = device('full', OLD);
  const before = stateOf(root.prefix);
  const files = ['/etc/albedo/albedo.yaml', '/etc/albedo/services/meter.yaml/in-a-file'].map((path) => ({
    path,
    mode: 0o644,
    content: Buffer.from('new').toString('base64'),
  }));
  expect(() => changeAtOnce(root, { files, remove: ['/opt/albedo/run/5s/task'] })).toThrow(NoPlaceError);
  expect(stateOf(root.prefix)).toEqual(before);
  expect(resumeChange(root)).toEqual({ paths: [], trouble: null });
});

test('a flipped bit in what was written down changes nothing, is set aside and told once', async () => {
  const root = device('flipped', OLD);
  const path = '/etc/albedo/services/meter.yaml';
  const todo = { files: [{ path, mode: 0o644, content: Buffer.from('new').toString('base64') }], remove: [] };
  expect(await killedAt(root.prefix, todo, 'decided')).toBe('SIGKILL');
  const journal = join(root.stateDirectory, 'restore.json');
  writeFileSync(journal, readFileSync(journal, 'utf8').replace('bmV3', 'bmV2'));
  expect(resumeChange(root)).toEqual({
    paths: [],
    trouble: expect.stringMatching(/is damaged \(kept as .*restore\.json\.damaged-/),
  });
  expect(readFileSync(root.at(path), 'utf8')).toBe('meter');
  expect(resumeChange(root)).toEqual({ paths: [], trouble: null });
});

/** Everything that counts below a root: path, mode and text. What was being written does not. */
function stateOf(prefix: string): string[] {
  return readdirSync(prefix, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.endsWith('.new') && statSync(join(prefix, path)).isFile())
    .map((path) => `${path} ${statSync(join(prefix, path)).mode} ${readFileSync(join(prefix, path), 'utf8')}`)
    .toSorted();
}
