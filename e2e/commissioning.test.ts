import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestCloud, type TestCloud } from '../apps/cloud/src/testing/test-cloud.ts';
import { installPlugins, servePlant } from './harness/plugins.ts';
import { until } from './harness/processes.ts';
import { type RealAgent, startRealAgent } from './harness/real-agent.ts';

let cloud: TestCloud;
let agent: RealAgent;
let plant: Awaited<ReturnType<typeof servePlant>>;
let token = '';

beforeAll(async () => {
  [cloud, plant] = await Promise.all([startTestCloud(), servePlant('hilltop')]);
  token = await cloud.owner();
  agent = await startRealAgent(cloud, 'Hill');
  installPlugins(agent.root);
}, 120_000);
afterAll(async () => {
  plant?.stop();
  await agent?.stop();
  await cloud?.stop();
});

const call = (method: string, path: string, body?: unknown, by = token) =>
  cloud.call(method, path, { token: by, ...(body === undefined ? {} : { body }) });
const machine = (unit: number, name: string) => ({
  ...{ reader: 'sunspec', host: '127.0.0.1', port: plant.port, unit, name },
});

test('from an agent to a plant on a board: found, seen before anything is kept, read, and made once', async () => {
  const device = agent.device.id;
  const scan = { discoveryTool: 'modbus', targets: '127.0.0.1', port: plant.port, units: '1-3,100,110' };
  await agent.online();
  const { body: found } = await call('POST', `devices/main/${device}/discovery`, scan);
  expect(found, agent.program.output).not.toHaveProperty('error');
  expect(found.found.map((one: { unit: number; protocol: string }) => [one.unit, one.protocol])).toEqual([
    [1, 'sunspec'],
    [2, 'sunspec'],
    [100, 'sunspec'],
    [110, 'sunspec'],
  ]);

  const { body: setup } = await call('POST', 'commissioning/main', { device });
  expect((await call('POST', 'commissioning/main', { device })).body.id).toBe(setup.id);
  const at = `commissioning/main/${setup.id}`;
  expect((await call('POST', `${at}/preview`)).body.error).toBe('commissioning.no_machines');
  const machines = [machine(1, 'inv-01'), machine(2, 'inv 02'), machine(100, 'grid'), machine(9, 'nobody')];
  const plan = { machines, plantName: 'Hill farm', peakKWp: 61.6, intervalS: 5 };
  expect((await call('PUT', at, { step: 'read', plan })).status).toBe(200);

  const config = () => readFileSync(join(agent.root, 'etc/albedo/albedo.yaml'), 'utf8');
  const before = config();
  const { body: preview } = await call('POST', `${at}/preview`);
  const shown = preview.machines.find(({ name }: { name: string }) => name === 'inv-01');
  expect(shown.reading.table).toBe('solar');
  expect(shown.reading.about).toContainEqual({ name: 'Model', text: 'HN-25K3' });
  const power = shown.reading.values.find(({ name }: { name: string }) => name === 'AC Power');
  expect(power.units).toBe('W');
  expect(Number(power.text)).toBeGreaterThan(1000);
  expect(preview.machines.find(({ name }: { name: string }) => name === 'nobody').reading).toBeNull();
  expect(preview.problems.join()).toContain('unit 9');
  expect(config()).toBe(before);

  await call('PUT', at, { step: 'read', plan: { ...plan, machines: machines.slice(0, 3) } });
  expect((await call('POST', `${at}/plant`, { language: 'en' })).body.error).toBe('commissioning.no_values');
  expect((await call('POST', `${at}/readings`)).body).toMatchObject({ step: 'confirm' });
  expect((await call('POST', `${at}/readings`)).status).toBe(200);
  // One service of the plugin, made once, and nothing in the configuration.
  expect(config()).toBe(before);
  const { body: state } = await call('POST', `devices/main/${device}/update`);
  expect(state.services).toMatchObject([
    { name: `sunspec-127-0-0-1-${plant.port}`, plugin: 'sunspec', isDisabled: false, isRunning: true },
  ]);

  const kinds = async () => {
    const { body } = await call('GET', `devices/main/${device}/fieldRoles`);
    return body.map((one: { source: string; kind: string }) => `${one.source} ${one.kind}`).toSorted();
  };
  const isThere = async () => (await kinds()).length >= 3;
  await until('the values are there', 60, isThere, () => agent.program.output);
  expect(await kinds()).toEqual(['grid meter', 'inv 02 inverter', 'inv-01 inverter']);

  const { body: done } = await call('POST', `${at}/plant`, { language: 'de' });
  expect(done).toMatchObject({ step: 'done', entity: expect.any(String) });
  await call('POST', `${at}/plant`, { language: 'de' });
  const { body: tree } = await call('GET', 'entities/main');
  const names = tree.map(({ name, labels }: { name: string; labels: string[] }) => `${name} ${labels}`);
  expect(names.toSorted()).toEqual(['Hill farm site', 'grid meter', 'inv 02 inverter', 'inv-01 inverter']);
  const { body: boards } = await call('GET', 'entityDashboards/main');
  expect(boards.map(({ name }: { name: string }) => name)).toEqual(['Anlage', 'Wechselrichter']);
  const { body: streams } = await call('POST', `entities/main/${done.entity}/streams`, {
    over: 'descendants',
    role: 'acPower',
  });
  expect(streams).toHaveLength(2);
}, 180_000);

test('a setup is its person’s own, and what the device or a person says wrong is named', async () => {
  const device = agent.device.id;
  const { body: setup } = await call('POST', 'commissioning/main', { device });
  const at = `commissioning/main/${setup.id}`;
  const admin = await cloud.newUser({
    main: { role: 'admin', permissions: ['read', 'manageDevices', 'controlDevices', 'coordinate'] },
  });
  expect((await call('GET', 'commissioning/main', undefined, admin)).body).toEqual([]);
  for (const [method, path] of [
    ['GET', at],
    ['DELETE', at],
    ['POST', `${at}/preview`],
    ['POST', `${at}/readings`],
  ] as const)
    expect((await call(method, path, undefined, admin)).body.error).toBe('commissioning.not_found');

  const save = (...machines: object[]) => call('PUT', at, { step: 'read', plan: { machines } });
  const option = { ...machine(1, 'a'), host: '--source_map' };
  expect((await save(option)).body.message).toContain('no address');
  expect((await save(machine(1, 'a'), machine(1, 'b'))).body.message).toContain('twice');
  expect((await save(machine(1, 'a'), machine(2, 'A'))).body.message).toContain('name of its own');
  expect((await save(machine(1, 'a,b'))).body.message).toContain('letters, digits');

  const modbus = { ...machine(1, 'raw'), reader: 'modbus' };
  await call('PUT', at, { step: 'read', plan: { machines: [modbus], registerMap: 'solar, , x, nonsense' } });
  const wrong = await call('POST', `${at}/preview`);
  expect(wrong).toMatchObject({ status: 400, body: { error: 'device.invalid' } });
  expect(wrong.body.message).toContain('registers, line 1');
  const scan = { discoveryTool: 'modbus', targets: '300.1.1.1', port: 502, units: '1' };
  const refused = await call('POST', `devices/main/${device}/discovery`, scan);
  expect(refused.status).toBe(400);
  expect(refused.body.message).toContain('300.1.1.1');

  writeFileSync(
    join(agent.root, 'usr/local/bin/modbus_albedo'),
    '#!/bin/sh\nprintf "\\033[2JTable"\nexit 0\n',
  );
  expect((await call('POST', `${at}/preview`)).body.machines[0].reading).toBeNull();
  expect((await call('DELETE', at)).status).toBe(200);
  expect((await call('GET', at)).body.error).toBe('commissioning.not_found');
}, 60_000);
