/** Devices that the cloud runs itself: with the built agent, from their making to their end. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditOf, startTestCloud, type TestCloud } from '../apps/cloud/src/testing/test-cloud.ts';
import { servePlant } from './harness/plugins.ts';
import { until } from './harness/processes.ts';

const HOUSE = join(import.meta.dirname, '..');
let data = '';
let cloud: TestCloud;
let plant: Awaited<ReturnType<typeof servePlant>>;
let token = '';
let device = '';

async function open(env: Record<string, string> = {}): Promise<void> {
  cloud = await startTestCloud({ ALBEDO_DATA: data, ALBEDO_OUTBOUND_NETWORKS: '127.0.0.1', ...env });
  token = await cloud.owner();
}

beforeAll(async () => {
  execFileSync(process.execPath, [join(HOUSE, 'apps/agent/build.ts')]);
  execFileSync('npm', ['run', 'build', '-w', 'plugins/sunspec'], { cwd: HOUSE, stdio: 'ignore' });
  data = mkdtempSync(join(tmpdir(), 'albedo-ced-'));
  mkdirSync(join(data, 'built-agent'), { recursive: true });
  copyFileSync(join(HOUSE, 'apps/agent/dist/agent.mjs'), join(data, 'built-agent/agent.mjs'));
  const plugin = join(data, 'built-plugins/sunspec/dist');
  mkdirSync(plugin, { recursive: true });
  copyFileSync(join(HOUSE, 'plugins/sunspec/dist/sunspec_albedo.mjs'), join(plugin, 'sunspec_albedo.mjs'));
  [plant] = await Promise.all([servePlant('hilltop'), open()]);
}, 180_000);
afterAll(async () => {
  plant?.stop();
  await cloud?.stop();
  rmSync(data, { recursive: true, force: true });
});

const call = (method: string, path: string, body?: unknown) =>
  cloud.call(method, path, { token, ...(body === undefined ? {} : { body }) });
const pid = () => cloud.cloud.features.cloudDevices.pids().get(device);
const online = () =>
  until('the cloud device is online', 40, async () => cloud.cloud.features.health.of(device).online);
const root = () => join(data, 'cloud-devices', device);
const isAlive = (id: number | undefined) => id !== undefined && existsSync(`/proc/${id}`);

test('only with the addon; then it runs by itself, in a folder of its own, and comes back when it is killed', async () => {
  expect((await call('GET', 'orgs/main/ced-clouds')).body.error).toBe('access.addon_missing');
  const wanted = { name: 'In the cloud', ced: true, cedCloudId: 'server' };
  expect((await call('POST', 'devices/main', wanted)).body.error).toBe('access.addon_missing');
  const { postgres, workgroups } = cloud.cloud.features;
  await postgres.query("insert into workgroup_addons (workgroup, id, name) values ('main', 'ced', 'ced')");
  workgroups.tellChanged('main');
  await until(
    'the addon is known',
    10,
    async () => (await call('GET', 'orgs/main/ced-clouds')).status === 200,
  );
  expect((await call('GET', 'orgs/main/ced-clouds')).body).toEqual([{ id: 'server', name: 'This server' }]);
  const elsewhere = await call('POST', 'devices/main', { ...wanted, cedCloudId: 'mars' });
  expect(elsewhere.body.error).toBe('cloud_device.cloud_unknown');

  device = (await call('POST', 'devices/main', wanted)).body.id;
  await online();
  expect((await call('GET', `devices/main/${device}/cloud`)).body).toMatchObject({
    state: 'running',
    restarts: 0,
    limits: { memoryMb: 256 },
  });
  expect(statSync(join(root(), 'etc/albedo/keys/client.key')).mode & 0o777).toBe(0o600);

  const first = pid();
  process.kill(first as number, 'SIGKILL');
  await until('another process runs', 30, async () => isAlive(pid()) && pid() !== first);
  await online();
  const { body } = await call('GET', `devices/main/${device}/cloud`);
  expect(body).toMatchObject({ restarts: 1, lastEnd: expect.stringContaining('SIGKILL') });
}, 120_000);

test('a NAT gateway lets it out to the addresses that it names, and to nothing that is not outside', async () => {
  const scan = (targets: string) =>
    call('POST', `devices/main/${device}/discovery`, {
      ...{ discoveryTool: 'modbus', targets, port: 502, units: '1' },
    });
  const gateway = (method: string, body?: object) => call(method, 'orgs/main/nat-gateway', body);
  const isRefused = async (address: string) =>
    String((await scan(address)).body.message).includes(`may not reach ${address}`);
  const gnat = async () => (await call('GET', `devices/main/${device}`)).body.gnat;
  const facts = async () => (await call('GET', 'devices/main')).body[0].facts.gnat;
  expect((await gateway('GET')).body.error).toBe('nat_gateway.not_found');
  expect((await scan('203.0.113.5')).body.message).toContain('may not reach 203.0.113.5');
  expect(await gnat()).toBe(false);

  for (const network of [
    '10.0.0.0/24',
    '127.0.0.1',
    '169.254.169.254',
    '192.168.1.1',
    'fd00::1',
    '999.1.1.1',
  ]) {
    const { body } = await gateway('POST', { cedCloudId: 'server', allow: [network] });
    expect(body.error, network).toBe('nat_gateway.not_outside');
  }
  for (const name of ['example.org', '203.0.113.0/16', '0.0.0.0/0']) {
    expect((await gateway('POST', { allow: [name] })).body.error, name).toBe('request.invalid');
  }
  expect((await gateway('POST', { cedCloudId: 'mars' })).body.error).toBe('cloud_device.cloud_unknown');

  const made = await gateway('POST', { cedCloudId: 'server', allow: ['203.0.113.0/30'] });
  expect(made.body).toMatchObject({ cloud: { id: 'server' }, allow: ['203.0.113.0/30'] });
  expect((await gateway('POST', {})).body.error).toBe('nat_gateway.exists');
  await until('the flag is on', 40, gnat);
  await online();
  expect(await facts()).toBe(true);
  await until('its own addresses alone are let out', 40, () => isRefused('203.0.113.5'));
  await gateway('PUT', { allow: ['203.0.113.0/28'] });
  const isLetOut = async () => {
    const { status, body } = await scan('203.0.113.5');
    return status === 200 && Array.isArray(body.found);
  };
  await until('it is let out', 60, isLetOut);
  // The operator's own addresses stay as they are.
  await until('it reaches no private network', 40, () => isRefused('10.9.9.9'));

  await gateway('DELETE');
  await until('the flag is off', 40, async () => !(await gnat()));
  // The connection of its process before may be there for a moment yet.
  await until('it is let out no more', 40, () => isRefused('203.0.113.5'));
  const actions = (await auditOf(cloud, 'main')).filter(({ controller }) => controller === 'nat_gateway');
  expect(actions.map(({ action }) => action).toSorted()).toEqual(['grant', 'start', 'stop']);
}, 180_000);

test('it reads a plant, and reaches nothing else of the server', async () => {
  const scan = (targets: string) =>
    call('POST', `devices/main/${device}/discovery`, {
      ...{ discoveryTool: 'modbus', targets, port: plant.port, units: '1' },
    });
  expect((await scan('127.0.0.1')).body.found).toHaveLength(1);
  expect((await scan('10.9.9.9')).body.message).toContain('may not reach 10.9.9.9');
  expect((await call('GET', `devices/main/${device}/interfaces`)).body.message).toContain('cloud device');

  const { body: setup } = await call('POST', 'commissioning/main', { device });
  const machine = { reader: 'sunspec', host: '127.0.0.1', port: plant.port, unit: 1, name: 'inv-01' };
  const plan = { machines: [machine], intervalS: 5 };
  await call('PUT', `commissioning/main/${setup.id}`, { step: 'read', plan });
  const { body: preview } = await call('POST', `commissioning/main/${setup.id}/preview`);
  expect(preview.machines[0].reading.table).toBe('solar');
  expect((await call('POST', `commissioning/main/${setup.id}/readings`)).body.step).toBe('confirm');
  const isRead = async () =>
    (await call('GET', `devices/main/${device}/sources`)).body.some(
      ({ table, source }: { table: string; source: string }) => table === 'solar' && source === 'inv-01',
    );
  await until('the plant is read', 60, isRead);

  const config = join(root(), 'etc/albedo/albedo.yaml');
  const steal =
    '\n  - table: stolen\n    source: x\n    command: cat /etc/passwd\n    frequency: 2\n    expect: log\n';
  writeFileSync(config, readFileSync(config, 'utf8').replace(/^run:\n/m, `run:${steal}`));
  const refused = async () =>
    JSON.stringify((await call('GET', `tables/main/agent_errors/search?rows=50`)).body).includes(
      'the plugins of its pack only',
    );
  await until('the command is refused', 40, refused);
  expect((await call('GET', 'tables/main/stolen/search')).status).not.toBe(200);
}, 150_000);

test('network settings can be written and never read; they reach what joins the network, also after a restart', async () => {
  const secret = 'a word that nobody reads again';
  const at = `devices/main/${device}/cloud/network`;
  const content = Buffer.from(secret).toString('base64');
  expect((await call('PUT', `${at}/files/client.ovpn`, { content })).status).toBe(200);
  const { body } = await call('PUT', `${at}/environment/VPN_PASSWORD`, { value: secret });
  expect(body).toMatchObject({
    files: [{ name: 'client.ovpn', bytes: secret.length }],
    environment: [{ name: 'VPN_PASSWORD', bytes: secret.length }],
  });
  for (const name of ['NODE-OPTIONS', 'lower', 'A'.repeat(61)])
    expect((await call('PUT', `${at}/environment/${name}`, { value: 'x' })).status, name).toBe(400);
  expect((await call('PUT', `${at}/files/..%2fagent.mjs`, { content })).status).toBe(400);
  expect((await call('DELETE', `${at}/files/none`)).body.error).toBe('cloud_device.secret_not_found');
  const told = JSON.stringify([await auditOf(cloud, 'main'), (await call('GET', at)).body]);
  expect(told).toContain('VPN_PASSWORD');
  expect(told).not.toContain(secret);
  expect(told).not.toContain(content);

  const serial = (await call('GET', `devices/main/${device}/certificateInfo`)).body.serial;
  const restarts = async () => (await call('GET', `devices/main/${device}/cloud`)).body.restarts;
  const before = { pid: pid(), restarts: await restarts() };
  await cloud.stop();
  expect(isAlive(before.pid)).toBe(false);
  const launcher = join(data, 'join-plant');
  const note = join(data, 'joined');
  writeFileSync(
    launcher,
    `#!/bin/sh\necho "$PLANT_VPN_PASSWORD; $(cat "$ALBEDO_NETWORK_FILES/client.ovpn")" >"${note}"\nexec "$@"\n`,
  );
  chmodSync(launcher, 0o755);
  await open({ ALBEDO_CED_LAUNCHER: launcher });
  await online();
  expect(readFileSync(note, 'utf8').trim()).toBe(`${secret}; ${secret}`);
  expect((await call('GET', `devices/main/${device}/certificateInfo`)).body.serial).toBe(serial);
  // It begins with the server at the first try.
  expect(await restarts()).toBe(before.restarts);
}, 120_000);

test('it stops and starts as people want, and with the device everything of it goes', async () => {
  const wish = (action: string) => call('POST', `devices/main/${device}/cloud`, { action });
  await wish('stop');
  await until('it is stopped', 20, async () => !isAlive(pid()));
  expect((await call('GET', `devices/main/${device}/cloud`)).body.state).toBe('stopped');
  await wish('start');
  await online();
  const last = pid();
  expect((await call('DELETE', `devices/main/${device}`)).status).toBe(200);
  await until('its process is gone', 20, async () => !isAlive(last));
  await until('its folder is gone', 20, async () => !existsSync(root()));
  expect((await call('GET', `devices/main/${device}/cloud`)).status).toBe(404);
}, 90_000);
