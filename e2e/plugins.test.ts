/** Plugins come from their publisher by way of the cloud, and a device takes nothing that the publisher did not sign. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KEPT_SECRET } from '@albedo/contract/plugins/plugins.schema';
import { packArchive } from '@albedo/pki/plugin-archive';
import { publish } from '@albedo/pki/publisher';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PACKAGE_STEPS } from '../apps/agent/src/plugins/plugin-install.ts';
import { BrowserSocket } from '../apps/cloud/src/testing/browser-socket.ts';
import { auditOf, buildAgent, startTestCloud, type TestCloud } from '../apps/cloud/src/testing/test-cloud.ts';
import { confirmed } from './harness/confirmed.ts';
import { type RealAgent, startRealAgent } from './harness/real-agent.ts';

const ARDPKG = join(import.meta.dirname, '../apps/agent/src/ardpkg/main.ts');
const STEP_CHILD = join(import.meta.dirname, '../apps/agent/src/plugins/plugin-install.step-child.ts');
let cloud: TestCloud;
let agent: RealAgent;
let token = '';
let keys = '';
let repository = '';

/** A plugin as its author publishes it: it counts, into a file that the agent captures. */
const program = (version: string) => `
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
const [verb, file] = process.argv.slice(2).filter((word) => word !== '-v');
if (verb === 'service') {
  const [header, row] = readFileSync(file, 'utf8').trim().split('\\n').map((line) => line.split(','));
  const cell = (name) => row[header.indexOf(name)];
  if (cell('endpoint') === 'broken') { console.error('endpoint: "broken" is no address'); process.exit(2); }
  mkdirSync(cell('output_directory') + '/meter/roof', { recursive: true });
  writeFileSync(cell('output_directory') + '/meter/roof/latest.csv', '# Datetime(date),Count(integer)\\n');
  let count = 0;
  console.log('\\u001b[31mversion ${version} reads ' + cell('endpoint'));
  setInterval(() => appendFileSync(cell('output_directory') + '/meter/roof/latest.csv', new Date().toISOString() + ',' + count++ + '\\n'), 200);
  process.stdin.on('end', () => process.exit(0)).resume();
} else console.log('{}');
`;
const none = { mandatory: [], optional: [] };
const specOf = (version: string) => ({
  $schema: 'urn:albedo:plugin-spec:1',
  name: 'counter',
  version,
  title: 'Counter',
  summary: 'Counts.',
  type: 'program',
  binary: 'counter_albedo',
  labels: ['testing'],
  service: true,
  uses: { devices: [], paths: [] },
  cmdSpec: {
    actionSpecs: {
      shared: { mandatory: [{ option: 'endpoint', type: 'text' }], optional: [] },
      discover: none,
      log: {
        mandatory: [],
        optional: [{ option: 'pin_code', serviceName: 'pin', type: 'password', prefix: '--pin_code' }],
      },
    },
  },
});

let releases = 0;
async function release(version: string, code = program(version), to = repository, by = keys): Promise<void> {
  const spec = specOf(version);
  const bytes = await packArchive([
    { name: 'plugin.json', bytes: Buffer.from(JSON.stringify(spec)), isProgram: false },
    { name: 'counter_albedo.mjs', bytes: Buffer.from(code), isProgram: true },
  ]);
  const path = `counter/counter-${version}.tgz`;
  // Versions rise with the clock: what is published within one second of a repository that was put back is no newer.
  const now = Date.now() + releases++ * 1000;
  publish({ keys: by, repository: to, publications: [{ path, bytes, custom: { spec } }], now });
}

beforeAll(async () => {
  cloud = await startTestCloud();
  buildAgent(cloud);
  token = await cloud.owner();
  keys = mkdtempSync(join(tmpdir(), 'albedo-keys-'));
  repository = join(cloud.dataDir, 'built-plugins/dist/repository');
  mkdirSync(join(cloud.dataDir, 'built-plugins/dist'), { recursive: true });
  await release('1.0.0');
  await release('1.1.0');
  agent = await startRealAgent(
    cloud,
    'Hilltop',
    'machine: false\ndynamic_tail: [{directory: /opt/albedo/logs}]\n',
  );
  cpSync(join(repository, 'metadata/root.json'), at('etc/albedo/keys/plugins-root.json'));
}, 120_000);
afterAll(async () => {
  await agent?.stop();
  await cloud?.stop();
  rmSync(keys, { recursive: true, force: true });
});

const at = (path: string) => join(agent.root, path);
const call = (method: string, path: string, body?: unknown) =>
  cloud.call(method, `devices/main/${agent.device.id}/${path}`, {
    token,
    ...(body === undefined ? {} : { body }),
  });
const allow = (settings: object) =>
  cloud.cloud.features.postgres.query(
    `insert into workgroup_addons (workgroup, id, name, settings) values ('main', 'machine-plugins', 'Machine plugins', $1)
     on conflict (workgroup, id) do update set settings = excluded.settings`,
    [JSON.stringify(settings)],
  );
const command = () => readlinkSync(at('usr/local/bin/counter_albedo'));
const serviceFile = (endpoint = '10.0.0.1') =>
  `_name,_plugin,endpoint,output_directory,frequency\nroof,counter,${endpoint},${at('opt/albedo/logs')},1\n`;

test('the repository lists versions and spec, and the addon decides what may be installed', async () => {
  const { body } = await cloud.call('GET', 'plugins', { token });
  expect(body).toEqual([
    expect.objectContaining({
      name: 'counter',
      version: '1.1.0',
      versions: ['1.1.0', '1.0.0'],
      labels: ['testing'],
    }),
  ]);
  expect((await cloud.call('GET', 'plugins/ardpkg', { token })).body).toEqual({
    name: 'ardpkg',
    version: '9.9.9',
  });
  const detail = async (query = '') =>
    (await cloud.call('GET', `plugins/main/counter${query}`, { token })).body;
  expect(await detail()).toMatchObject({
    isAvailable: false,
    spec: { version: '1.1.0', $schema: 'urn:albedo:plugin-spec:1' },
  });
  expect(await detail('?version=1.0.0')).toMatchObject({ spec: { version: '1.0.0' } });
  expect(await detail('?version=3.0.0')).toMatchObject({ error: 'plugin.not_found' });
  expect((await call('PUT', 'plugins/counter', {})).body).toMatchObject({ error: 'plugin.not_available' });
  await allow({ labels: ['hsm'], plugins: ['other'] });
  expect(await detail()).toMatchObject({ isAvailable: false });
  await allow({ labels: ['testing'], plugins: [] });
  expect(await detail()).toMatchObject({ isAvailable: true });
});

test('a plugin is installed, serves, is upgraded and downgraded with its service, and removed with it', async () => {
  const installed = await call('PUT', 'plugins/counter', { version: '1.0.0' });
  expect(installed.body.plugins).toEqual([
    expect.objectContaining({ name: 'counter', version: '1.0.0', isRust: false }),
  ]);
  const all = await cloud.call('GET', 'devices/main/plugins', { token });
  expect(all.body).toEqual([
    expect.objectContaining({ deviceId: agent.device.id, name: 'counter', version: '1.0.0' }),
  ]);

  const refused = await call('PUT', 'plugins/counter/service/roof', { serviceFile: serviceFile('broken') });
  expect(refused.body).toMatchObject({ error: 'plugin.service_invalid' });
  expect(refused.body.message).toContain('endpoint: "broken" is no address');
  expect(existsSync(at('etc/albedo/services/roof'))).toBe(false);

  const active = await call('PUT', 'plugins/counter/service/roof', { serviceFile: serviceFile() });
  expect(active.body.services).toEqual([
    expect.objectContaining({ name: 'roof', plugin: 'counter', isRunning: true }),
  ]);
  await expect
    .poll(async () => (await call('GET', 'sources')).body, { timeout: 20_000 })
    .toEqual(expect.arrayContaining([expect.objectContaining({ table: 'meter', source: 'roof' })]));
  const logs = (await call('GET', 'plugins/counter/service/roof/logs')).body;
  expect(logs[0].text).toContain('version 1.0.0 reads 10.0.0.1');
  expect(logs[0].text).not.toContain('\u001b');
  expect(logs[1]).toMatchObject({ source: 'meter/roof', text: expect.stringContaining('Count(integer)') });

  for (const version of ['1.1.0', '1.0.0']) {
    const { body } = await call('PUT', 'plugins/counter', { version });
    expect(body).toMatchObject({ plugins: [{ version }], services: [{ name: 'roof', isRunning: true }] });
    await expect
      .poll(async () => (await call('GET', 'plugins/counter/service/roof/logs')).body[0].text)
      .toContain(`version ${version} reads`);
  }
  expect((await call('DELETE', 'plugins/counter/service')).body.services).toMatchObject([
    { isRunning: false },
  ]);
  expect((await call('PUT', 'plugins/counter/service', {})).body.services).toMatchObject([
    { isRunning: true },
  ]);
  const rules = { serviceFile: serviceFile(), files: { source_map: '10.*,roof' } };
  const named = await call('PUT', 'plugins/counter/service/roof', rules);
  expect(named.body.services).toMatchObject([{ files: rules.files }]);
  expect(existsSync(at('etc/albedo/services/files/roof.source_map'))).toBe(true);
  const emptied = await call('PUT', 'plugins/counter/service/roof', { ...rules, files: { source_map: '' } });
  expect(emptied.body.services).toMatchObject([{ files: {} }]);
  expect(existsSync(at('etc/albedo/services/files/roof.source_map'))).toBe(false);
  const aside = await call('PUT', 'plugins/counter/service/roof', {
    serviceFile: serviceFile(),
    isDisabled: true,
  });
  expect(aside.body.services).toMatchObject([{ isDisabled: true, isRunning: false }]);
  const back = await call('PUT', 'plugins/counter/service/roof', { serviceFile: serviceFile() });
  expect(back.body.services).toMatchObject([{ isDisabled: false, isRunning: true }]);

  const ended = await call('DELETE', 'plugins/counter/service/roof');
  expect(ended.body).toMatchObject({ plugins: [{}], services: [] });
  expect(existsSync(at('etc/albedo/services/roof'))).toBe(false);
  await call('PUT', 'plugins/counter/service/roof', { serviceFile: serviceFile() });

  mkdirSync(at('opt/albedo/run/5m'), { recursive: true });
  writeFileSync(at('opt/albedo/run/5m/roof'), '#!/bin/sh\ncounter_albedo log 10.0.0.1\n');
  writeFileSync(at('opt/albedo/run/5m/other'), '#!/bin/sh\necho other\n');
  const gone = await call('DELETE', 'plugins/counter');
  expect(gone.body).toMatchObject({ plugins: [], services: [] });
  expect(readdirSync(at('opt/albedo/run/5m'))).toEqual(['other']);
  expect(existsSync(at('opt/albedo/plugins/counter'))).toBe(false);
  expect((await cloud.call('GET', 'devices/main/plugins', { token })).body).toEqual([]);
  const actions = (await auditOf(cloud, 'main')).filter(({ controller }) => controller === 'plugin');
  expect(actions.map(({ action, status }) => `${action} ${status}`)).toEqual(
    expect.arrayContaining([
      'install success',
      'upgrade success',
      'activate_service failed',
      'remove success',
    ]),
  );
}, 120_000);

test('a restore brings back the plugins that are gone, with their services, and says what it could not bring back', async () => {
  await call('PUT', 'plugins/counter', { version: '1.0.0' });
  await call('PUT', 'plugins/counter/service/roof', { serviceFile: serviceFile() });
  const { body: backup } = await call('POST', 'backups');
  const restore = async () => {
    const fresh = await confirmed(cloud);
    const path = `devices/main/${agent.device.id}/backups/${backup.id}/restore`;
    return (await cloud.call('POST', path, { token: fresh })).body;
  };
  const newest = async () => (await cloud.call('GET', 'long-actions/main', { token })).body[0];
  expect(await restore()).toMatchObject({ plugins: [] });

  await call('DELETE', 'plugins/counter');
  await allow({ labels: ['none'], plugins: [] });
  const asked = { plugins: [{ name: 'counter', version: '1.0.0' }] };
  expect(await restore()).toMatchObject(asked);
  await expect.poll(newest).toMatchObject({
    ...{ kind: 'plugins-restore', about: 'Hilltop', state: 'failed' },
    error: expect.stringMatching(
      /^Not brought back: counter 1\.0\.0\. This workgroup may not install Counter/,
    ),
  });

  await allow({ labels: ['testing'], plugins: [] });
  expect(await restore()).toMatchObject(asked);
  await expect.poll(newest, { timeout: 20_000 }).toMatchObject({ state: 'done', result: { installed: 1 } });
  expect((await call('POST', 'update')).body).toMatchObject({
    plugins: [{ name: 'counter', version: '1.0.0' }],
    services: [{ name: 'roof', isRunning: true }],
  });
  await call('DELETE', 'plugins/counter');
}, 60_000);

test('passwords of services and tasks are written and never read, and stay where they come back as they were told', async () => {
  const reader = await cloud.newUser({ main: { role: 'readonly' } });
  await call('PUT', 'plugins/counter', { version: '1.1.0' });
  const file = (pin: string, endpoint = '10.0.0.1') =>
    `_name,_plugin,endpoint,output_directory,pin\nroof,counter,${endpoint},${at('opt/albedo/logs')},${pin}\n`;
  const told: string[] = [];
  const service = async (body: object) => {
    const { body: state } = await call('PUT', 'plugins/counter/service/roof', body);
    told.push(JSON.stringify(state));
    return state;
  };
  const onDevice = () => readFileSync(at('etc/albedo/services/roof'), 'utf8');
  expect(await service({ serviceFile: file('4711') })).toMatchObject({
    services: [{ file: file(KEPT_SECRET) }],
  });
  expect(onDevice()).toBe(file('4711'));
  const seen = await cloud.call('POST', `devices/main/${agent.device.id}/update`, { token: reader });
  expect(seen.body.services).toMatchObject([{ file: file(KEPT_SECRET) }]);

  await service({ serviceFile: file(KEPT_SECRET, '10.0.0.2') });
  expect(onDevice()).toBe(file('4711', '10.0.0.2'));
  await service({ serviceFile: file('0815') });
  expect(onDevice()).toBe(file('0815'));

  const replaces = { type: 'service', name: 'roof' };
  const given = { mandatory: ['10.0.0.1'], optional: {}, flags: [], secrets: { pin_code: KEPT_SECRET } };
  const body = { frequency: '1h', arguments: given, replaces };
  const task = await call('PUT', 'plugins/counter/task/roof', body);
  expect(task.body).toMatchObject({ services: [], tasks: [{ arguments: given }] });
  const script = readFileSync(at('opt/albedo/run/1h/roof'), 'utf8');
  expect(script).toContain("ALBEDO_PLUGIN_PIN_CODE='0815'");
  const unknown = await call('PUT', 'plugins/counter/task/yard', { frequency: '1h', arguments: given });
  expect(unknown.body.message).toContain('what pin_code was is not known on this device: enter it again');

  told.push(JSON.stringify([seen.body, task.body, unknown.body, await auditOf(cloud, 'main')]));
  for (const text of told) expect(text).not.toMatch(/4711|0815/);
  await call('DELETE', 'plugins/counter');
}, 60_000);

test('what its publisher did not sign, another publisher, and what is older is refused, and the version before stays', async () => {
  await call('PUT', 'plugins/counter', { version: '1.0.0' });
  const before = command();
  const old = mkdtempSync(join(tmpdir(), 'albedo-old-'));
  cpSync(repository, old, { recursive: true });
  const refusal = async (body = { version: '1.1.0' }) => (await call('PUT', 'plugins/counter', body)).body;
  const restore = (from: string) => {
    rmSync(repository, { recursive: true });
    cpSync(from, repository, { recursive: true });
  };
  try {
    writeFileSync(join(repository, 'targets/counter/counter-1.1.0.tgz'), 'something else');
    expect(await refusal()).toMatchObject({
      error: 'plugin.install_failed',
      message: expect.stringContaining('not what was published'),
    });

    // Somebody who has taken the server over signs with keys of their own.
    const stranger = mkdtempSync(join(tmpdir(), 'albedo-stranger-'));
    rmSync(repository, { recursive: true });
    await release('1.1.0', program('6.6.6'), repository, stranger);
    expect((await refusal()).message).toContain('not that of the publisher');
    rmSync(stranger, { recursive: true });

    restore(old);
    await release('1.2.0', 'throw new Error("no luck");\n');
    expect((await refusal({ version: '1.2.0' })).message).toContain('does not run on this machine');
    restore(old);
    expect((await refusal()).message).toContain('older than one that was seen');
    expect(command()).toBe(before);
  } finally {
    restore(old);
    rmSync(old, { recursive: true });
    await release('1.3.0');
  }
  expect((await refusal({ version: '1.3.0' })).plugins).toMatchObject([{ version: '1.3.0' }]);
}, 60_000);

test('cut off at any step, the device runs the old version or the new one', async () => {
  for (const step of PACKAGE_STEPS) {
    const root = mkdtempSync(join(tmpdir(), 'albedo-cut-'));
    mkdirSync(join(root, 'etc/albedo/keys'), { recursive: true });
    cpSync(join(repository, 'metadata/root.json'), join(root, 'etc/albedo/keys/plugins-root.json'));
    const ardpkg = (version: string) =>
      spawnSync(process.execPath, [
        ARDPKG,
        'install',
        'counter',
        version,
        '--from',
        repository,
        '--root',
        root,
      ]);
    expect(ardpkg('1.0.0').status).toBe(0);
    const cut = spawnSync(process.execPath, [STEP_CHILD, root, repository, 'counter', '1.1.0', step]);
    expect(cut.signal).toBe('SIGKILL');
    const said = execFileSync(join(root, 'usr/local/bin/counter_albedo'), ['spec'], { encoding: 'utf8' });
    expect(said).toContain('{}');
    const list = execFileSync(process.execPath, [ARDPKG, 'list', '--json', '--root', root], {
      encoding: 'utf8',
    });
    const isNew = step === 'switched' || step === 'swept';
    expect(JSON.parse(list), step).toMatchObject([{ version: isNew ? '1.1.0' : '1.0.0' }]);
    expect(ardpkg('1.1.0').status).toBe(0);
    expect(readdirSync(join(root, 'opt/albedo/plugins/counter'))).toHaveLength(1);
    rmSync(root, { recursive: true });
  }
}, 120_000);

test('the tools are put back as commands, a device that was never told whose plugins it runs takes none', async () => {
  // The step children of the test before keep this process from anything else; its agent may have to connect again.
  await expect.poll(async () => (await call('POST', 'update')).status, { timeout: 60_000 }).toBe(200);
  const browser = await new BrowserSocket(cloud, { token, orgName: 'main' }).connected();
  const { data } = await browser.call('device:sendArdpkg', { deviceId: agent.device.id });
  expect(data).toMatchObject({ version: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
  await browser.call('device:sendalbedoctl', { deviceId: agent.device.id });
  browser.close();
  const said = execFileSync(at('usr/local/bin/ardpkg'), ['list'], { encoding: 'utf8' });
  expect(said).toMatch(/^counter +1\.3\.0$/m);
  expect(execFileSync(at('usr/local/bin/albedoctl'), ['plugins'], { encoding: 'utf8' })).toContain('counter');
  rmSync(at('etc/albedo/keys/plugins-root.json'));
  const { body } = await call('PUT', 'plugins/counter', { version: '1.0.0' });
  expect(body.message).toContain('never told whose plugins it may run');
  // A link where a command belongs is no plugin of ours.
  symlinkSync('/bin/true', at('usr/local/bin/stray_albedo'));
  expect((await call('POST', 'update')).body.plugins.map(({ name }: { name: string }) => name)).toEqual([
    'counter',
  ]);
}, 90_000);
