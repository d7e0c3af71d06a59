import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { rootAt } from '../root.ts';
import { Services } from '../services/services.ts';
import { TaskLog } from '../tasks/task-log.ts';
import { Tasks } from '../tasks/tasks.ts';
import type { Asked } from './asks.ts';
import { pluginAsks } from './plugin.asks.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-plugin-asks-'));
  mkdirSync(join(folder, 'var/lib'), { recursive: true });
  mkdirSync(join(folder, 'usr/lib'), { recursive: true });
  writeFileSync(join(folder, 'usr/lib/agent.mjs'), '');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** An installation of no files, by an agent whose ardpkg is `code`. */
function install(code: string): Promise<unknown> {
  const root = rootAt(folder);
  const program = join(folder, 'usr/lib/agent.mjs');
  writeFileSync(join(folder, 'usr/lib/ardpkg.mjs'), code);
  const services = new Services(root, createLog('error'));
  const asks = pluginAsks(root, services, new Tasks(root, new TaskLog()), { begin: () => () => {} }, program);
  const input = { name: 'counter', version: '1.0.0', files: [] };
  const none = (async function* () {})();
  const { signal } = new AbortController();
  return asks['plugins.install']({
    ...{ input, signal, incoming: none, write: async () => {}, tell: async () => {}, onTell: () => {} },
  } as Asked<'plugins.install'>);
}

test('without a place for what comes nothing is installed', async () => {
  writeFileSync(join(folder, 'var/lib/albedo'), 'a file where the folder belongs');
  await expect(install('')).rejects.toMatchObject({ error: 'unable', step: 'temporary' });
});

test('ardpkg that ends without a word says that nothing is known', async () => {
  await expect(install('process.exit(1);')).rejects.toMatchObject({
    ...{ error: 'unable', step: 'ardpkg', message: 'Unknown error' },
  });
  await expect(install('console.error("ardpkg: no luck"); process.exit(3);')).rejects.toMatchObject({
    ...{ error: 'refused', step: 'ardpkg', message: 'no luck' },
  });
});

test('a plugin that is not there is not started, and nothing is on trial for it', async () => {
  const root = rootAt(folder);
  let undone = 0;
  const wayBack = { begin: () => () => void undone++ };
  const asks = pluginAsks(
    root,
    new Services(root, createLog('error')),
    new Tasks(root, new TaskLog()),
    wayBack,
  );
  const asked = { input: { plugin: 'ghost', isOn: true } } as Asked<'services.run'>;
  await expect(asks['services.run'](asked)).rejects.toMatchObject({
    ...{ error: 'invalid', step: 'start', message: 'ghost is not installed on this device' },
  });
  expect(undone).toBe(1);
});
