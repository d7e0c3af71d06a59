import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCaptured } from '@albedo/plugin-kit/testing/run-captured';
import snmp from 'net-snmp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { snmpPlugin } from './snmp.plugin.ts';

let folder = '';
let port = 0;
const closing: (() => void)[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-snmp-'));
  const probe = createSocket('udp4').bind(0, '127.0.0.1');
  await once(probe, 'listening');
  port = probe.address().port;
  await new Promise<void>((resolve) => probe.close(() => resolve()));
});
afterEach(() => {
  for (const close of closing.splice(0)) close();
  rmSync(folder, { recursive: true, force: true });
});

/** An agent of a UPS with two outlets. */
function serve(): void {
  const agent = snmp.createAgent({ port, address: '127.0.0.1' }, () => {});
  closing.push(() => agent.close());
  const authorizer = agent.getAuthorizer();
  authorizer.addCommunity('public');
  authorizer.addUser({
    name: 'reader',
    level: snmp.SecurityLevel.authPriv,
    authProtocol: snmp.AuthProtocols.sha256,
    authKey: 'proof-of-reader',
    privProtocol: snmp.PrivProtocols.aes,
    privKey: 'hidden-from-all',
  });
  const scalar = (name: string, oid: string, scalarType: snmp.ObjectType, value: unknown) => {
    agent.registerProvider({
      name,
      type: snmp.MibProviderType.Scalar,
      oid,
      scalarType,
      maxAccess: snmp.MaxAccess['read-only'],
    });
    agent.getMib().setScalarValue(name, value);
  };
  scalar('sysName', '1.3.6.1.2.1.1.5', snmp.ObjectType.OctetString, 'ups-1');
  scalar('sysUpTime', '1.3.6.1.2.1.1.3', snmp.ObjectType.TimeTicks, 4250);
  scalar('energy', '1.3.6.1.4.1.9.1', snmp.ObjectType.Counter64, Buffer.from([0, 0, 1, 0, 0, 0, 0, 0]));
  scalar('charge', '1.3.6.1.4.1.9.2', snmp.ObjectType.OctetString, '87.5');
  scalar('mac', '1.3.6.1.4.1.9.3', snmp.ObjectType.OctetString, Buffer.from([0, 0x1b, 0x2c, 0xff, 1, 2]));
  const integer = (number: number, columnName: string) => ({
    number,
    name: columnName,
    type: snmp.ObjectType.Integer,
    maxAccess: snmp.MaxAccess['read-only'],
  });
  agent.registerProvider({
    name: 'outlets',
    type: snmp.MibProviderType.Table,
    oid: '1.3.6.1.4.1.9.5.1',
    maxAccess: snmp.MaxAccess['not-accessible'],
    tableColumns: [
      integer(1, 'outletIndex'),
      { ...integer(2, 'outletName'), type: snmp.ObjectType.OctetString },
      integer(3, 'outletState'),
    ],
    tableIndex: [{ columnName: 'outletIndex' }],
  });
  agent.getMib().addTableRow('outlets', [1, 'pump', 1]);
  agent.getMib().addTableRow('outlets', [2, '../fan', 2]);
}

const UPS = `
ups, ups, Uptime, 1.3.6.1.2.1.1.3.0, decimal, s, 0.01
ups, ups, Energy, 1.3.6.1.4.1.9.1.0, integer, Wh
ups, ups, Charge, .1.3.6.1.4.1.9.2.0, decimal, %
ups, ups, MAC, 1.3.6.1.4.1.9.3.0
ups, ups, Missing, 1.3.6.1.4.1.9.4.0, integer
outlets, {ENDPOINT}/{1.3.6.1.4.1.9.5.1.2}, State, 1.3.6.1.4.1.9.5.1.3.*, integer, , , 1:on;2:off
`;

async function run(verb: 'log' | 'discover', config: string, ...more: string[]) {
  const file = join(folder, 'config.csv');
  writeFileSync(file, config);
  const args = [verb, '127.0.0.1', ...(verb === 'log' ? [folder] : []), '--port', String(port)];
  const named = config === '' ? [] : ['--config_file', file];
  const environment = {
    ALBEDO_PLUGIN_AUTH_PASSWORD: 'proof-of-reader',
    ALBEDO_PLUGIN_PRIV_PASSWORD: 'hidden-from-all',
  };
  return runCaptured(snmpPlugin, [...args, ...named, ...more], { environment });
}

const logged = (path: string) => {
  const [header = '', line = ''] = readFileSync(join(folder, path, 'latest.csv'), 'utf8').split('\n');
  return [header.split(',').slice(1).join(','), line.split(',').slice(1).join(',')];
};

const VERSION_3 = ['--version', '3', '--user', 'reader', '--auth_protocol', 'sha256'];

test.each([
  ['1', ['--version', '1']],
  ['2c', []],
  ['3', VERSION_3],
])(
  'version %s: values, numbers in texts, big counters and the rows of a table are logged',
  async (_, more) => {
    serve();
    expect(await run('log', UPS, ...more)).toEqual({ code: 0, err: '', out: '' });
    expect(logged('ups/ups')).toEqual([
      'Uptime(decimal:s),Energy(integer:Wh),Charge(decimal:%),MAC(keyword),Missing(integer)',
      '42.5,1099511627776,87.5,00:1b:2c:ff:01:02,',
    ]);
    expect(logged('outlets/127.0.0.1/pump')).toEqual(['State(keyword)', 'on']);
    // A name from the plant cannot lead out of its folder.
    expect(readdirSync(join(folder, 'outlets/127.0.0.1')).toSorted()).toEqual(['..-fan', 'pump']);
  },
);

test('without a configuration the system is shown', async () => {
  serve();
  const { code, out } = await run('discover', '');
  expect(code).toBe(0);
  expect(out).toMatch(/Name\(keyword\) +ups-1\n/);
  expect(out).toMatch(/Uptime\(decimal:s\) +42\.5\n/);
});

test('a wrong password and a silent agent are reported, and nothing is written', async () => {
  const silent = await run('log', UPS, '--timeout', '0.1', '--attempts', '1');
  expect(silent).toMatchObject({ code: 1, err: `127.0.0.1:${port}: no answer\n` });
  serve();
  const secret = join(folder, 'secret');
  writeFileSync(secret, 'not-the-password\n');
  const { code, err } = await run(
    'log',
    UPS,
    ...VERSION_3,
    '--auth_password',
    `@${secret}`,
    '--timeout',
    '0.3',
  );
  expect([code, err]).toEqual([1, expect.stringMatching(/^127\.0\.0\.1:\d+: /)]);
  expect(readdirSync(folder)).not.toContain('ups');
});

test.each([
  [['--auth_password', 'plain-on-the-line'], 'others can read a command line'],
  [['--version', '4'], '"4" is none of 1, 2c, 3'],
  [['--version', '3'], 'version 3 needs one'],
  [['--port', '0'], '0 is outside 1 to 65535'],
])('%j is refused before anything is sent', async (more, message) => {
  expect(await run('log', UPS, ...more)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
});

test('every fault of a configuration is named with its line', async () => {
  const { err } = await run(
    'log',
    'a, , A, 1.3.x\na, , B, 1.3.1, integer, , 0.5\n../b, , C, 1.3.1\na, , D, 1.3.1, nothing\na, , E, 1.3.1\na, , E, 1.3.2\na, , F, 1.3.4.*\n',
  );
  expect(err).toMatch(/line 1: OID: "1\.3\.x"/);
  expect(err).toMatch(/line 2: scale: an integer/);
  expect(err).toMatch(/line 3: table: "\.\.\/b"/);
  expect(err).toMatch(/line 4: type: "nothing"/);
  expect(err).toMatch(/line 6: E is already listed in line 5/);
});

test('answers with damage at any place end as no answer or as a value, never as a crash', async () => {
  serve();
  const relay = await damagingRelay(port);
  closing.push(() => relay.close());
  port = relay.address().port;
  for (let round = 0; round < 12; round++) {
    const { code } = await run('discover', UPS, '--timeout', '0.05', '--attempts', '1');
    expect([0, 1]).toContain(code);
  }
});

/** Passes packets on, with one byte of each answer changed, a different one each time, and some cut short. */
async function damagingRelay(target: number): Promise<Socket> {
  const [front, back] = [
    createSocket('udp4').bind(0, '127.0.0.1'),
    createSocket('udp4').bind(0, '127.0.0.1'),
  ];
  await Promise.all([once(front, 'listening'), once(back, 'listening')]);
  let client = 0;
  let count = 0;
  front.on('message', (packet, { port: from }) => {
    client = from;
    back.send(packet, target, '127.0.0.1');
  });
  back.on('message', (packet) => {
    const at = (count++ * 7) % packet.length;
    packet[at] = (packet[at] ?? 0) ^ (0xff >> (count % 8));
    front.send(count % 5 === 0 ? packet.subarray(0, at) : packet, client, '127.0.0.1');
  });
  closing.push(() => back.close());
  return front;
}
