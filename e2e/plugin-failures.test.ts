/** What fails on a device about plugins is said in the words of the step that it failed at. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packArchive } from '@albedo/pki/plugin-archive';
import { publish } from '@albedo/pki/publisher';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditOf, buildAgent, startTestCloud, type TestCloud } from '../apps/cloud/src/testing/test-cloud.ts';
import { type RealAgent, startRealAgent } from './harness/real-agent.ts';

let cloud: TestCloud;
let agent: RealAgent;
let token = '';
let keys = '';

/** It runs as long as the file beside its service does not say that it should end. */
const PROGRAM = `
import { existsSync, readFileSync } from 'node:fs';
const [verb, file] = process.argv.slice(2).filter((word) => word !== '-v');
if (verb === 'service') {
  if (existsSync(file + '.end') || readFileSync(file, 'utf8').includes('broken')) { console.error('no luck'); process.exit(2); }
  process.stdin.on('end', () => process.exit(0)).resume();
} else console.log('{}');
`;
const none = { mandatory: [], optional: [] };
const shared = {
  mandatory: [{ option: 'endpoint', type: 'text' }],
  optional: [{ option: 'names', type: 'sourceMap' }],
};

async function release(version: string, code = PROGRAM): Promise<void> {
  const spec = {
    ...{
      $schema: 'urn:albedo:plugin-spec:1',
      name: 'counter',
      version,
      title: 'Counter',
      summary: 'Counts.',
    },
    ...{ type: 'program', binary: 'counter_albedo', labels: ['testing'], service: true },
    uses: { devices: [], paths: [] },
    cmdSpec: { actionSpecs: { shared, discover: none, log: none } },
  };
  const bytes = await packArchive([
    { name: 'plugin.json', bytes: Buffer.from(JSON.stringify(spec)), isProgram: false },
    { name: 'counter_albedo.mjs', bytes: Buffer.from(code), isProgram: true },
  ]);
  const path = `counter/counter-${version}.tgz`;
  const repository = join(cloud.dataDir, 'built-plugins/dist/repository');
  publish({ keys, repository, publications: [{ path, bytes, custom: { spec } }] });
}

beforeAll(async () => {
  cloud = await startTestCloud();
  buildAgent(cloud);
  token = await cloud.owner();
  keys = mkdtempSync(join(tmpdir(), 'albedo-keys-'));
  mkdirSync(join(cloud.dataDir, 'built-plugins/dist'), { recursive: true });
  await release('1.0.0');
  await release('1.1.0', 'throw new Error("no luck");\n');
  await release('1.2.0');
  agent = await startRealAgent(cloud, 'Hilltop');
  const root = join(cloud.dataDir, 'built-plugins/dist/repository/metadata/root.json');
  cpSync(root, at('etc/albedo/keys/plugins-root.json'));
  await cloud.cloud.features.postgres.query(
    `insert into workgroup_addons (workgroup, id, name, settings) values ('main', 'machine-plugins', 'Machine plugins', $1)`,
    [JSON.stringify({ labels: ['testing'], plugins: [] })],
  );
}, 120_000);
afterAll(async () => {
  await agent?.stop();
  await cloud?.stop();
  rmSync(keys, { recursive: true, force: true });
});

const at = (path: string) => join(agent.root, path);
const call = async (method: string, path: string, body?: unknown) => {
  const given = body === undefined ? {} : { body };
  return (await cloud.call(method, `devices/main/${agent.device.id}/${path}`, { token, ...given })).body;
};
const SERVICE = 'plugins/counter/service/roof';
const serviceFile = (endpoint = '10.0.0.1') =>
  `_name,_plugin,endpoint,frequency\nroof,counter,${endpoint},1\n`;
const task = (more: object = {}) => ({
  frequency: '5m',
  arguments: { mandatory: ['10.0.0.1'], optional: {}, flags: [], secrets: {} },
  ...more,
});
/** Does `work` while there is a file where a folder belongs. */
async function whileBlocked<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const aside = `${at(folder)}.aside`;
  if (existsSync(at(folder))) cpSync(at(folder), aside, { recursive: true });
  rmSync(at(folder), { recursive: true, force: true });
  writeFileSync(at(folder), '');
  try {
    return await work();
  } finally {
    rmSync(at(folder));
    if (existsSync(aside)) cpSync(aside, at(folder), { recursive: true });
    rmSync(aside, { recursive: true, force: true });
  }
}

test('an installation says where it ended: no place for what comes, the package tool, and the old version goes on', async () => {
  mkdirSync(at('var/lib/albedo/incoming'), { recursive: true });
  const install = (version: string) => call('PUT', 'plugins/counter', { version });
  expect(await install('1.1.0')).toMatchObject({
    error: 'plugin.ardpkg_failed',
    message: expect.stringMatching(/^Ardpkg error: the program does not run on this machine/),
  });
  expect((await install('1.0.0')).plugins).toMatchObject([{ version: '1.0.0' }]);
  expect((await call('PUT', SERVICE, { serviceFile: serviceFile() })).services).toMatchObject([
    { isRunning: true },
  ]);
  expect((await install('1.1.0')).message).toMatch(/^Plugin upgrade failed: the program does not run/);
  expect(await call('PUT', 'plugins/counter/service', {})).toMatchObject({
    plugins: [{ version: '1.0.0' }],
    services: [{ isRunning: true }],
  });

  // It ran before, so an upgrade after which it ends at once is none that went well.
  writeFileSync(at('etc/albedo/services/roof.end'), '');
  const started = await install('1.2.0');
  expect(started.message).toBe(
    'Error while trying to start the plugin: roof: no luck; ended: exit code 2; starts again in 3 s',
  );
  expect((await call('DELETE', 'plugins/counter/service')).services).toMatchObject([{ isRunning: false }]);
  expect((await call('PUT', 'plugins/counter/service', {})).message).toMatch(
    /^Failed to 'start' service: roof: .*no luck/,
  );
  await call('DELETE', 'plugins/counter/service');
  rmSync(at('etc/albedo/services/roof.end'));
  expect((await call('PUT', 'plugins/counter/service', {})).services).toMatchObject([{ isRunning: true }]);
}, 120_000);

test('an activity says what it was that could not be done', async () => {
  const broken = { serviceFile: serviceFile('broken') };
  expect((await call('PUT', SERVICE, broken)).message).toMatch(/^Failed to restart the service: no luck/);
  await call('PUT', SERVICE, { serviceFile: serviceFile(), isDisabled: true });
  expect((await call('PUT', SERVICE, broken)).message).toMatch(/^Failed to activate the service: no luck/);
  expect((await call('POST', 'update')).services).toMatchObject([{ isDisabled: true }]);
  expect((await call('GET', 'plugins/counter/service/none/logs')).message).toMatch(
    /^Failed to find activity: /,
  );
  expect((await call('DELETE', 'plugins/counter/service/none')).message).toMatch(
    /^Failed to find activity: /,
  );

  const put = (body: object) => call('PUT', 'plugins/counter/task/yard', body);
  const wrong = await put(task({ arguments: { ...task().arguments, action: 'shout' } }));
  expect(wrong.issues).toMatchObject([
    { message: 'Unrecognised action: shout', issue: 'issue.activity_action' },
  ]);
  const replaces = { type: 'song', name: 'yard', frequency: '5m' };
  expect((await put(task({ replaces }))).issues).toMatchObject([
    { message: 'Unknown activity type', issue: 'issue.activity_type' },
  ]);
  const discover = { ...task().arguments, action: 'discover' };
  expect((await put(task({ arguments: discover }))).tasks).toMatchObject([{ arguments: discover }]);

  const listed = await whileBlocked('etc/albedo/services', () => call('POST', 'update'));
  expect(listed.message).toMatch(/^Failed to find plugin activities: ENOTDIR/);
  const on = 'plugins/counter/task/yard/disabled';
  const aside = { frequency: '5m', isDisabled: true };
  // A folder where a change is written down before it is done.
  const journal = at('var/lib/albedo/restore.json.new');
  mkdirSync(journal);
  expect((await call('DELETE', SERVICE)).message).toMatch(/^Failed to create temporary directory: /);
  expect((await call('PUT', on, aside)).message).toMatch(/^Failed to create temporary directory: /);
  rmSync(journal, { recursive: true });
  // What is no file stands where that of the service would be if it were in use.
  mkdirSync(at('etc/albedo/services/roof'));
  expect((await call('DELETE', SERVICE)).message).toMatch(/^Failed to remove service: /);
  rmSync(at('etc/albedo/services/roof'), { recursive: true });
  expect((await call('POST', 'update')).services).toMatchObject([{ name: 'roof', isDisabled: true }]);
  expect((await call('PUT', on, aside)).tasks).toMatchObject([{ isDisabled: true }]);
}, 120_000);

test('what a service or a task cannot do without and rules that say nothing are refused before the device is asked', async () => {
  const refusal = async (body: object) => await call('PUT', SERVICE, { serviceFile: serviceFile(), ...body });
  expect(await refusal({ serviceFile: serviceFile('') })).toMatchObject({
    error: 'plugin.argument_missing',
    message: 'A service needs this argument: endpoint',
  });
  for (const mandatory of [[], [' ']])
    expect(
      await call('PUT', 'plugins/counter/task/yard', task({ arguments: { ...task().arguments, mandatory } })),
    ).toMatchObject({
      error: 'plugin.task_argument_missing',
      message: 'A task needs this argument: endpoint',
    });
  const unknown = { optional: { nonsense: '1' }, flags: ['nonsense'], secrets: { nonsense: '1' } };
  for (const [where, nonsense] of Object.entries(unknown))
    expect(
      await call(
        'PUT',
        'plugins/counter/task/yard',
        task({ arguments: { ...task().arguments, [where]: nonsense } }),
      ),
      where,
    ).toMatchObject({
      error: 'plugin.task_argument_unknown',
      message: 'A task of this plugin takes no argument nonsense',
    });
  for (const names of ['10.*', '10.*,', ',roof', 'a,b,c', 'a,b\n \nc'])
    expect(await refusal({ files: { names } }), names).toMatchObject({
      error: 'plugin.source_map_invalid',
      message: 'Invalid source map entry',
    });
  const named = await call('PUT', 'plugins/counter/task/yard', task({ files: { names: 'x' } }));
  expect(named.message).toBe('Invalid source map entry');
  expect((await refusal({ files: { names: '10.*,roof\n\n' } })).services).toMatchObject([
    { files: { names: '10.*,roof\n\n' } },
  ]);
}, 60_000);

test('serial lines are those of the device, whose tool is sent where it is missing', async () => {
  mkdirSync(at('dev/serial/by-id'), { recursive: true });
  for (const name of ['ttyUSB0', 'ttyS1', 'null']) writeFileSync(at(`dev/${name}`), '');
  symlinkSync(at('dev/ttyUSB0'), at('dev/serial/by-id/usb-adapter'));
  rmSync(at('usr/local/bin/albedoctl'), { force: true });
  expect(await call('GET', 'serial')).toEqual([
    { path: at('dev/ttyS1'), id: null },
    { path: at('dev/ttyUSB0'), id: at('dev/serial/by-id/usb-adapter') },
  ]);
  expect(existsSync(at('usr/local/bin/albedoctl'))).toBe(true);
  const sent = (await auditOf(cloud, 'main')).filter(
    ({ action, attribute }) => `${action} ${attribute}` === 'send albedoctl',
  );
  expect(sent).toHaveLength(1);

  const failed = await whileBlocked('dev', () => call('GET', 'serial'));
  expect(failed.message).toMatch(/^Failed to fetch serial devices: albedoctl: ENOTDIR/);
  rmSync(at('usr/local/bin/albedoctl'));
  mkdirSync(at('usr/local/bin/.albedoctl.new'));
  expect((await call('GET', 'serial')).message).toMatch(
    /^Failed to install albedoctl while attempting to fetch serial devices: .*\.albedoctl\.new is a folder/,
  );
}, 60_000);
