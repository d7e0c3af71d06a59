/** What plugins do again and again on a device, as tasks and as services, and every way from the one to the other. */
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditOf, startTestCloud, type TestCloud } from '../apps/cloud/src/testing/test-cloud.ts';
import { installPlugins, servePlant } from './harness/plugins.ts';
import { type RealAgent, startRealAgent } from './harness/real-agent.ts';

let cloud: TestCloud;
let agent: RealAgent;
let plant: Awaited<ReturnType<typeof servePlant>>;
let token = '';

beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
  plant = await servePlant('hilltop');
  agent = await startRealAgent(
    cloud,
    'Hilltop',
    'machine: false\ndynamic_tail: [{directory: /opt/albedo/logs}]\n',
  );
  installPlugins(agent.root);
}, 120_000);
afterAll(async () => {
  await agent?.stop();
  plant?.stop();
  await cloud?.stop();
});

const at = (path: string) => join(agent.root, path);
const call = (method: string, path: string, body?: unknown) =>
  cloud.call(method, `devices/main/${agent.device.id}/${path}`, {
    token,
    ...(body === undefined ? {} : { body }),
  });
const state = async () => (await call('POST', 'update')).body;
const taskBody = (more: object = {}, source = 'roof') => ({
  frequency: '5s',
  arguments: {
    mandatory: ['127.0.0.1', '1', at('opt/albedo/logs')],
    optional: { port: String(plant.port), source_map: at('etc/albedo/services/files/roof.source_map') },
    flags: [],
    secrets: {},
  },
  files: { source_map: `127.*,${source}` },
  ...more,
});
const serviceBody = (more: object = {}) => ({
  serviceFile: `_name,_plugin,endpoint,bus_addresses,output_directory,port,source_map,frequency\nroof,sunspec,127.0.0.1,1,${at('opt/albedo/logs')},${plant.port},${at('etc/albedo/services/files/roof.source_map')},1\n`,
  files: { source_map: '127.*,roof' },
  ...more,
});
const sources = async () =>
  (await call('GET', 'sources')).body.map(({ source }: { source: string }) => source) as string[];
const backups = async () => (await call('GET', 'backups')).body.backups as { reason: string }[];
const TASK = 'plugins/sunspec/task/roof';
const SERVICE = 'plugins/sunspec/service/roof';
const AT_5S = { type: 'task', name: 'roof', frequency: '5s' };

test('a task reads a machine at its interval, after a backup, and its log has tabs', async () => {
  const saved = await call('PUT', TASK, taskBody());
  expect(saved.body.tasks).toMatchObject([
    { name: 'roof', plugin: 'sunspec', frequency: '5s', isDisabled: false },
  ]);
  expect(await backups()).toMatchObject([{ reason: 'before' }]);
  await expect.poll(sources, { timeout: 40_000 }).toContain('roof');
  const logs = async () => (await call('GET', `${TASK}/logs?frequency=5s`)).body;
  await expect.poll(logs, { timeout: 20_000 }).toMatchObject([
    { source: 'roof', text: expect.stringContaining('done') },
    { source: expect.stringMatching(/\/roof$/), text: expect.stringContaining('AC Power') },
  ]);
  // What is wrong with its arguments is there to read.
  await call(
    'PUT',
    TASK,
    taskBody({ arguments: { ...taskBody().arguments, mandatory: ['127.0.0.1', '1-2-3', '/x'] } }),
  );
  await expect
    .poll(async () => (await logs())[0].text, { timeout: 30_000 })
    .toMatch(/sunspec_albedo: .*1-2-3[\s\S]*ended with code 2/);
  expect((await call('GET', 'plugins/sunspec/task/none/logs?frequency=5s')).body).toMatchObject({
    error: 'plugin.activity_not_found',
  });
}, 120_000);

test('a task is put aside and taken up, moved, made a service, and made a task again', async () => {
  await call('PUT', TASK, taskBody());
  const aside = await call('PUT', `${TASK}/disabled`, { frequency: '5s', isDisabled: true });
  expect(aside.body.tasks).toMatchObject([{ isDisabled: true }]);
  expect(existsSync(at('opt/albedo/run/5s/disabled/roof'))).toBe(true);
  expect(existsSync(at('opt/albedo/run/5s/roof'))).toBe(false);
  const back = await call('PUT', `${TASK}/disabled`, { frequency: '5s', isDisabled: false });
  expect(back.body.tasks).toMatchObject([{ isDisabled: false }]);

  const slower = await call('PUT', TASK, taskBody({ frequency: '1h', replaces: AT_5S }));
  expect(slower.body.tasks).toMatchObject([{ frequency: '1h' }]);
  expect(existsSync(at('opt/albedo/run/5s/roof'))).toBe(false);
  const replaces = { ...AT_5S, frequency: '1h' };

  const broken = serviceBody({
    replaces,
    serviceFile: serviceBody().serviceFile.replace(',1,/', ',1-2-3,/'),
  });
  const refused = await call('PUT', SERVICE, broken);
  expect(refused.body).toMatchObject({ error: 'plugin.service_invalid' });
  expect(await state()).toMatchObject({ services: [], tasks: [{ frequency: '1h', isDisabled: false }] });

  const service = await call('PUT', SERVICE, serviceBody({ replaces }));
  expect(service.body).toMatchObject({ tasks: [], services: [{ name: 'roof', isRunning: true }] });
  const again = await call('PUT', TASK, taskBody({ replaces: { type: 'service', name: 'roof' } }));
  expect(again.body).toMatchObject({ services: [], tasks: [{ name: 'roof', frequency: '5s' }] });

  const gone = await cloud.call('DELETE', `devices/main/${agent.device.id}/${TASK}?frequency=5s`, { token });
  expect(gone.body.tasks).toEqual([]);
  expect(readdirSync(at('etc/albedo/services/files'))).toEqual([]);
  const actions = (await auditOf(cloud, 'main')).filter(({ controller }) => controller === 'plugin');
  expect(new Set(actions.map(({ action, status }) => `${action} ${status}`))).toEqual(
    new Set([
      'activate_task success',
      'disable_task success',
      'activate_service failed',
      'activate_service success',
      'remove_task success',
    ]),
  );
}, 120_000);

test('nothing that people type reaches a shell, and scripts of the device stay as they are', async () => {
  const evil = `'; touch ${at('pwned')}; '`;
  await call(
    'PUT',
    TASK,
    taskBody({ arguments: { ...taskBody().arguments, mandatory: [evil, '$(touch pwned)', '/x'] } }),
  );
  const said = async () => (await call('GET', `${TASK}/logs?frequency=5s`)).body[0].text;
  await expect.poll(said, { timeout: 30_000 }).toContain('ended with code');
  expect(existsSync(at('pwned'))).toBe(false);
  const hyphen = { ...taskBody().arguments, mandatory: ['--help'] };
  expect((await call('PUT', TASK, taskBody({ arguments: hyphen }))).body).toMatchObject({
    error: 'request.invalid',
  });

  mkdirSync(at('opt/albedo/run/1h'), { recursive: true });
  const script = '#!/bin/sh\n#sunspec_albedo log a 1 /x\n#sunspec_albedo log b 1 /x | cat\n';
  writeFileSync(at('opt/albedo/run/1h/by_hand.sh'), script, { mode: 0o755 });
  expect((await state()).tasks).toContainEqual(
    expect.objectContaining({ name: 'by_hand.sh', isDisabled: true, arguments: null }),
  );
  const { body } = await call('PUT', 'plugins/sunspec/task/by_hand.sh/disabled', {
    frequency: '1h',
    isDisabled: false,
  });
  expect(body.tasks).toContainEqual(expect.objectContaining({ name: 'by_hand.sh', isDisabled: false }));
  expect(readFileSync(at('opt/albedo/run/1h/by_hand.sh'), 'utf8')).toBe(script.replaceAll('#sun', 'sun'));
  for (const [name, frequency] of [
    ['roof', '5s'],
    ['by_hand.sh', '1h'],
  ]) {
    await call('DELETE', `plugins/sunspec/task/${name}?frequency=${frequency}`);
  }
  expect((await state()).tasks).toEqual([]);
}, 90_000);

test('an agent that is killed in the middle of a save has the old activity or the new one', async () => {
  const big = (letter: string) =>
    Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((option) => [option, letter.repeat(90_000)]));
  const folder = at('var/lib/albedo');
  await call(
    'PUT',
    SERVICE,
    serviceBody({ files: big('s'), serviceFile: serviceBody().serviceFile.replace('source_map', '_unused') }),
  );
  let wasTask = false;
  for (let round = 0; round < 6; round++) {
    const journal = watch(folder);
    const begun = (async () => {
      for (;;) {
        const [, name] = await once(journal, 'change');
        if (String(name).startsWith('restore.json')) return;
      }
    })();
    const saving = wasTask
      ? call(
          'PUT',
          SERVICE,
          serviceBody({
            files: big('s'),
            replaces: AT_5S,
            serviceFile: serviceBody().serviceFile.replace('source_map', '_unused'),
          }),
        )
      : call('PUT', TASK, taskBody({ files: big('t'), replaces: { type: 'service', name: 'roof' } }));
    await begun;
    journal.close();
    await agent.program.end('SIGKILL');
    await saving;
    agent.program.start();
    await agent.online();
    await expect.poll(async () => (await call('POST', 'update')).status, { timeout: 20_000 }).toBe(200);
    const { services, tasks } = await state();
    const kept = [...services, ...tasks];
    expect(kept, `round ${round}`).toHaveLength(1);
    expect(kept[0].files).toEqual(big(services.length === 1 ? 's' : 't'));
    wasTask = tasks.length === 1;
  }
  rmSync(at('opt/albedo/run'), { recursive: true, force: true });
}, 180_000);
