import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runPlugin } from '@albedo/plugin-kit/run-plugin';
import { runCaptured } from '@albedo/plugin-kit/testing/run-captured';
import { OPCUACertificateManager } from 'node-opcua-certificate-manager';
import {
  DataType,
  DataValue,
  MessageSecurityMode,
  SecurityPolicy,
  StatusCode,
  StatusCodes,
  Variant,
  VariantArrayType,
} from 'node-opcua-client';
import { OPCUAServer } from 'node-opcua-server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { opcuaPlugin } from './opcua.plugin.ts';

let home = '';
let folder = '';
let server: OPCUAServer;
let endpoint = '';
let speed = 1480.5;

/** A pump, served by another implementation's side of the protocol. */
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'albedo-opcua-server-'));
  server = await pumpServer(join(home, 'pki'), 0);
  endpoint = `opc.tcp://127.0.0.1:${server.endpoints[0]?.port}`;
}, 60_000);
afterAll(async () => {
  await server.shutdown(10);
  rmSync(home, { recursive: true, force: true });
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-opcua-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What a server says of a value; all but the last two are of class Good. */
const STATUSES = {
  Plain: StatusCodes.Good,
  Overridden: StatusCodes.GoodLocalOverride,
  Clamped: StatusCodes.GoodClamped,
  Overflown: StatusCode.makeStatusCode(StatusCodes.Good, 'Overflow | InfoTypeDataValue'),
  Stale: StatusCodes.UncertainLastUsableValue,
  Broken: StatusCodes.BadSensorFailure,
};
const FLOWS = Object.keys(STATUSES).map((name) => `flow, line, ${name}, ns=1;s=flow.${name}, decimal`);

async function pumpServer(pki: string, port: number): Promise<OPCUAServer> {
  const serverCertificateManager = new OPCUACertificateManager({
    rootFolder: pki,
    automaticallyAcceptUnknownCertificate: true,
  });
  const made = new OPCUAServer({
    port,
    host: '127.0.0.1',
    serverCertificateManager,
    securityModes: [MessageSecurityMode.None, MessageSecurityMode.Sign, MessageSecurityMode.SignAndEncrypt],
    securityPolicies: [SecurityPolicy.None, SecurityPolicy.Basic256Sha256],
    userManager: { isValidUser: (name: string, word: string) => name === 'plant' && word === 'pump-room-7' },
    registerServerMethod: 1,
  });
  await made.initialize();
  const space = made.engine.addressSpace?.getOwnNamespace();
  const parent = space?.addObject({ browseName: 'Pump', organizedBy: 'ObjectsFolder' });
  const value = (name: string, dataType: string, get: () => unknown) =>
    space?.addVariable({
      componentOf: parent,
      browseName: name,
      nodeId: `s=pump.${name}`,
      dataType,
      minimumSamplingInterval: 50,
      value: {
        get: () =>
          new Variant({
            dataType: dataType as unknown as DataType,
            arrayType: VariantArrayType.Scalar,
            value: get(),
          }),
      },
    } as never);
  value('Speed', 'Double', () => speed);
  value('Running', 'Boolean', () => true);
  value('Energy', 'UInt64', () => [256, 7]);
  value('Label', 'String', () => 'east\nwing\u0007');
  const flow = space?.addObject({ browseName: 'Flow', organizedBy: 'ObjectsFolder' });
  for (const [name, statusCode] of Object.entries(STATUSES))
    space?.addVariable({
      componentOf: flow,
      browseName: name,
      nodeId: `s=flow.${name}`,
      dataType: 'Double',
      value: {
        timestamped_get: () =>
          new DataValue({
            statusCode,
            sourceTimestamp: new Date(),
            value: new Variant({ dataType: DataType.Double, value: 7.5 }),
          }),
      },
    } as never);
  await made.start();
  return made;
}

const CONFIG = `
pump, east, Speed, ns=1;s=pump.Speed, decimal, rpm, 2
pump, east, Energy, nsu=urn:NodeOPCUA-Server-default;s=pump.Energy, integer, Wh
pump, east, Running, ns=1;s=pump.Running, bool
pump, east, Label, ns=1;s=pump.Label
pump, east, Missing, ns=1;s=pump.Missing, decimal
`;

function run(verb: string, more: string[] = [], signal = new AbortController().signal) {
  const pki = ['--pki_folder', join(folder, 'opcua')];
  const args = [verb, endpoint, ...(verb === 'log' || verb === 'get' ? [folder] : []), ...pki, ...more];
  const environment = { ALBEDO_PLUGIN_PASSWORD: 'pump-room-7' };
  return runCaptured(opcuaPlugin, args, { environment, signal });
}

function config(text = CONFIG): string[] {
  const file = join(folder, 'config.csv');
  const uri = server.engine.addressSpace?.getOwnNamespace().namespaceUri ?? '';
  writeFileSync(file, text.replace('urn:NodeOPCUA-Server-default', uri));
  return ['--config_file', file];
}
const lines = (source: string) =>
  readFileSync(join(folder, source, 'latest.csv'), 'utf8')
    .trimEnd()
    .split('\n');
const cells = (line = '') => line.split(',').slice(1).join(',');
const SECURE = ['--security', 'sign_and_encrypt', '--user', 'plant'];

test.each([
  ['nothing signed', ['--security', 'none', '--user', 'plant']],
  ['signed', ['--security', 'sign', '--user', 'plant']],
  ['signed and encrypted', SECURE],
])(
  'with %s, each node is a column; wide numbers keep their digits and a missing node is empty',
  async (_, more) => {
    expect(await run('get', [...config(), ...more])).toEqual({ code: 0, err: '', out: '' });
    const [header, line] = lines('pump/east');
    expect(header).toBe(
      '# Datetime(date),Speed(decimal:rpm),Energy(integer:Wh),Running(bool),Label(keyword),Missing(decimal)',
    );
    expect(cells(line)).toBe('2961,1099511627783,1,east wing,');
  },
  30_000,
);

test('every status of class Good is good, and uncertain values are left out', async () => {
  const { code } = await run('log', [...config(FLOWS.join('\n')), ...SECURE]);
  expect([code, cells(lines('flow/line')[1])]).toEqual([0, '7.5,7.5,7.5,7.5,,']);
}, 30_000);

test('where uncertain values are kept, each value has its quality beside it', async () => {
  const wanted = [FLOWS[0], FLOWS[4], FLOWS[5]].join('\n');
  expect((await run('log', [...config(wanted), ...SECURE, '--uncertain', 'keep'])).code).toBe(0);
  expect(lines('flow/line')[0]).toBe(
    '# Datetime(date),Plain(decimal),Plain Quality(keyword),Stale(decimal),Stale Quality(keyword),Broken(decimal),Broken Quality(keyword)',
  );
  expect(cells(lines('flow/line')[1])).toBe('7.5,Good,7.5,UncertainLastUsableValue,,BadSensorFailure');
}, 30_000);

test('what a server offers is listed as a configuration, which reads it', async () => {
  const { code, out } = await run('browse', SECURE);
  expect(code).toBe(0);
  expect(out).toContain('opcua, {ENDPOINT}/Pump, Speed, ns=1;s=pump.Speed, decimal\n');
  expect(out).toContain('opcua, {ENDPOINT}/Pump, Running, ns=1;s=pump.Running, bool\n');
  // What the server says of itself is no value of the plant.
  expect(out).not.toContain('/Server');
  const discovered = await run('discover', [...config(out), ...SECURE]);
  expect(discovered.out).toMatch(/Source +127\.0\.0\.1\/Pump\n/);
  expect(discovered.out).toMatch(/Energy\(integer\) +1099511627783\n/);
}, 30_000);

test('a service writes each change at the time it happened, and nothing while nothing changes', async () => {
  const file = join(folder, 'service');
  const [, path] = config('pump, east, Speed, ns=1;s=pump.Speed, decimal, rpm\n');
  writeFileSync(
    file,
    `endpoint,output_directory,config_file,pki_folder,user,password,sampling,frequency\n${endpoint},${folder},${path},${folder}/opcua,plant,pump-room-7,0.1,1\n`,
  );
  const stop = new AbortController();
  const running = runPlugin(opcuaPlugin, ['service', file], stop.signal);
  try {
    speed = 10;
    const written = () =>
      existsSync(join(folder, 'pump/east/latest.csv')) ? lines('pump/east').slice(1) : [];
    await vi.waitFor(() => expect(written().map(cells)).toEqual(['10']), 10_000);
    speed = 11;
    const changedAt = Date.now();
    await vi.waitFor(() => expect(written().map(cells)).toEqual(['10', '11']), 10_000);
    const [stamp = ''] = written()[1]?.split(',') ?? [];
    // The server samples at milliseconds, one of a thousand of which is a whole second.
    expect(written().some((line) => /^[^,]*:\d\d\.\d{3}[+-]/.test(line))).toBe(true);
    expect(Math.abs(Date.parse(stamp) - changedAt)).toBeLessThan(2500);
    await sleep(1500);
    expect(written()).toHaveLength(2);
  } finally {
    stop.abort();
    speed = 1480.5;
  }
  expect(await running).toBe(0);
}, 40_000);

test('a wrong user is refused by the server, and one that shows another certificate than before by us', async () => {
  const wrong = await run('log', [...config(), '--security', 'sign', '--user', 'nobody']);
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringMatching(/BadUserAccessDenied|BadIdentityToken/)]);
  const [known = ''] = readdirSync(join(folder, 'opcua/servers'));
  writeFileSync(join(folder, 'opcua/servers', known), 'that of another server');
  const other = await run('log', [...config(), ...SECURE]);
  expect([other.code, other.err]).toEqual([
    1,
    expect.stringContaining('shows another certificate than before'),
  ]);
  expect(existsSync(join(folder, 'pump'))).toBe(false);
}, 30_000);

test.each([
  ['http://10.0.0.5', 'is not of the form opc.tcp://'],
  ['opc.tcp://127.0.0.1:1', '127.0.0.1:1: '],
])(
  '%s is reported',
  async (url, message) => {
    const before = endpoint;
    endpoint = url;
    const { code, err } = await run('log', [...config('a, , A, i=2258\n'), '--user', 'plant']);
    endpoint = before;
    expect([code > 0, err]).toEqual([true, expect.stringContaining(message)]);
  },
  30_000,
);

test('an address that is none is named with its line', async () => {
  const { code, err } = await run('log', [...config('a, , A, i=1\na, , B, ns=x;y\n'), '--user', 'plant']);
  expect([code, err]).toEqual([2, expect.stringMatching(/line 2: node: "ns=x;y"/)]);
});
