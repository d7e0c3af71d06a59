import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Activity, OldActivity, TaskArguments } from '@albedo/contract/plugins/plugins.schema';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changeAtOnce, finishChange } from '../changes/at-once.ts';
import { createLog } from '../log.ts';
import { rootAt } from '../root.ts';
import { Services } from '../services/services.ts';
import { killedAt } from '../testing/killed-at.ts';
import { putActivity } from './activities.ts';
import { TaskLog } from './task-log.ts';
import { Tasks } from './tasks.ts';

const PLUGIN = `#!${process.execPath}
const { readFileSync } = require('node:fs');
const [verb, file] = process.argv.slice(2).filter((word) => word !== '-v');
if (verb === 'service' && readFileSync(file, 'utf8').includes('broken')) process.exit(2);
if (verb === 'service') process.stdin.on('end', () => process.exit(0)).resume();
`;
let folder = '';
let services: Services;
let tasks: Tasks;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-activities-'));
  mkdirSync(join(folder, 'usr/local/bin'), { recursive: true });
  writeFileSync(join(folder, 'usr/local/bin/counter_albedo'), PLUGIN);
  chmodSync(join(folder, 'usr/local/bin/counter_albedo'), 0o755);
  services = new Services(rootAt(folder), createLog('error'));
  tasks = new Tasks(rootAt(folder), new TaskLog());
});
afterEach(async () => {
  await services.stop();
  rmSync(folder, { recursive: true, force: true });
});

const given = (...mandatory: string[]): TaskArguments => ({
  action: 'log',
  mandatory,
  optional: { port: '502' },
  flags: [],
  secrets: {},
});
const task = (name = 'roof', more: object = {}) =>
  ({
    type: 'task',
    name,
    frequency: '5m',
    arguments: given('10.0.0.5'),
    isDisabled: false,
    files: { source_map: 'a,b' },
    ...more,
  }) as Activity;
const service = (endpoint = '10.0.0.5') =>
  ({
    type: 'service',
    name: 'roof',
    file: `_name,_plugin,endpoint\nroof,counter,${endpoint}\n`,
    isDisabled: false,
    files: { source_map: 'c,d', config_file: 'x' },
  }) as Activity;
const put = (activity: Activity, replaces: OldActivity | null = null) =>
  putActivity(services, tasks, { plugin: 'counter', activity, replaces });
const AT_5M: OldActivity = { type: 'task', name: 'roof', frequency: '5m' };
const SERVICE: OldActivity = { type: 'service', name: 'roof' };

/** Every file that counts, with its text. */
const stateOf = (root: string): Record<string, string> =>
  Object.fromEntries(
    ['etc', 'opt'].flatMap((top) =>
      existsSync(join(root, top))
        ? readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
            .map((path) => join(top, path))
            .filter((path) => statSync(join(root, path)).isFile() && !path.endsWith('.new'))
            .map((path) => [path, readFileSync(join(root, path), 'utf8').replaceAll(root, '')])
        : [],
    ),
  );
const paths = () => Object.keys(stateOf(folder)).toSorted();

test('a task is written into its run folder, and moves when its frequency or name changes', async () => {
  await put(task());
  expect(paths()).toEqual(['etc/albedo/services/files/roof.source_map', 'opt/albedo/run/5m/roof']);
  expect(statSync(join(folder, 'opt/albedo/run/5m/roof')).mode & 0o777).toBe(0o700);
  expect(tasks.list()).toEqual([
    {
      ...{ name: 'roof', plugin: 'counter', frequency: '5m', isDisabled: false },
      ...{ arguments: given('10.0.0.5'), files: { source_map: 'a,b' } },
    },
  ]);
  await put(task('roof', { frequency: '1h', files: {} }), AT_5M);
  expect(paths()).toEqual(['opt/albedo/run/1h/roof']);
  await put(task('yard', { frequency: '1h' }), { ...AT_5M, frequency: '1h' } as OldActivity);
  expect(paths()).toEqual(['etc/albedo/services/files/yard.source_map', 'opt/albedo/run/1h/yard']);
  await expect(put(task('roof'), AT_5M)).rejects.toThrow('there is no task roof of counter at 5m');
  await expect(put(task('yard'))).rejects.toThrow('there is a task yard already');
});

test('a task that is disabled lies aside, and comes back as it was, also one that somebody else commented out', async () => {
  await put(task());
  const before = stateOf(folder);
  const on = { plugin: 'counter', name: 'roof', frequency: '5m' } as const;
  tasks.switch(on, true);
  expect(paths()).toContain('opt/albedo/run/5m/disabled/roof');
  expect(paths()).not.toContain('opt/albedo/run/5m/roof');
  expect(tasks.list()).toMatchObject([{ isDisabled: true }]);
  tasks.switch(on, false);
  expect(stateOf(folder)).toEqual(before);

  const file = join(folder, 'opt/albedo/run/5m/two');
  writeFileSync(file, '#!/bin/sh\n#counter_albedo log a\n#counter_albedo log b | cat\n');
  const two = { ...on, name: 'two' };
  expect(tasks.find(two)).toMatchObject({ isDisabled: true, arguments: null });
  tasks.switch(two, false);
  expect(readFileSync(file, 'utf8')).toBe('#!/bin/sh\ncounter_albedo log a\ncounter_albedo log b | cat\n');
  expect(statSync(file).mode & 0o100).toBe(0o100);
  expect(tasks.find(two)).toMatchObject({ isDisabled: false });
  tasks.remove(on);
  tasks.remove(two);
  expect(paths()).toEqual([]);
});

test('a task becomes a service and a service a task; one that does not run leaves everything as it was', async () => {
  await put(task());
  const before = stateOf(folder);
  await expect(put(service('broken'), AT_5M)).rejects.toThrow();
  expect(stateOf(folder)).toEqual(before);
  await put(service(), AT_5M);
  expect(tasks.list()).toEqual([]);
  expect(await services.list()).toMatchObject([{ name: 'roof', isRunning: true }]);
  await put(task(), SERVICE);
  expect(stateOf(folder)).toEqual(before);
  expect(await services.list()).toEqual([]);
});

test('killed at any step of a save, it is the old activity or the new one after the next start', async () => {
  await put(service());
  const todo = {
    files: tasks.written('counter', task() as Extract<Activity, { type: 'task' }>),
    remove: ['config_file']
      .map((option) => `/etc/albedo/services/files/roof.${option}`)
      .concat('/etc/albedo/services/roof'),
  };
  const old = stateOf(folder);
  const whole = mkdtempSync(join(tmpdir(), 'albedo-whole-'));
  cpSync(folder, whole, { recursive: true });
  const steps: string[] = [];
  changeAtOnce(rootAt(whole), todo, (step) => steps.push(step));
  const after = stateOf(whole);
  rmSync(whole, { recursive: true });
  expect(steps).toHaveLength(8);
  for (const step of steps) {
    const place = mkdtempSync(join(tmpdir(), 'albedo-killed-'));
    cpSync(folder, place, { recursive: true });
    expect(await killedAt(place, todo, step), step).toBe('SIGKILL');
    finishChange(rootAt(place));
    const isDecided = steps.indexOf(step) >= steps.indexOf('decided');
    expect(stateOf(place), step).toEqual(isDecided ? after : old);
    rmSync(place, { recursive: true });
  }
}, 60_000);
