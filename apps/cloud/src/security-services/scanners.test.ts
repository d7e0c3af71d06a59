import { type AddressInfo, createServer, type Server, Socket } from 'node:net';
import type { Neighbour, NetworkInterface } from '@albedo/contract/link/link.network';
import type { SecurityFinding } from '@albedo/contract/security-services/security-services.schema';
import { afterEach, expect, test, vi } from 'vitest';
import { AppError } from '../errors/app-error.ts';
import { ExternalScan, type ExternalScanOptions } from './external-scan.ts';
import { InternalScan } from './internal-scan.ts';
import { vendorOf } from './mac-vendors.ts';
import { SERVICES } from './well-known-ports.ts';

const device = '6f9619ff-8b86-4d01-b42d-00c04fc964ff';
const signal = AbortSignal.timeout(60_000);
const none: ReadonlySet<string> = new Set();
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A port of this machine that something listens on, and how often it was connected to. */
async function listener(): Promise<{ port: number; close: () => Promise<void>; count: () => number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  servers.push(server);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    count: () => connections,
    close: () => new Promise((done) => server.close(() => done())),
  };
}

const external = (of: Partial<ExternalScanOptions>) =>
  new ExternalScan({
    addressOf: async () => '127.0.0.1',
    isOnline: () => true,
    mayScan: () => true,
    connectMs: 1000,
    ...of,
  });
const seenBy = async (scan: ExternalScan, present = none) => {
  const end = await scan.scan({ device, present, signal });
  return 'failed' in end ? end : { ...end, seen: end.seen.map(({ key }) => key) };
};

test('open ports of the address that the device is connected from are found, closed ones are not', async () => {
  const [open, closed] = [await listener(), await listener()];
  await closed.close();
  const end = await seenBy(external({ ports: [open.port, closed.port] }));
  expect(end).toMatchObject({
    ...{ seen: [String(open.port)], isComplete: true, target: '127.0.0.1', reason: null },
  });
  expect(open.count()).toBe(1);
});

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '192.168.1.1',
  '100.64.0.9',
  '169.254.169.254',
  '::1',
  'fe80::1',
  'fd00::5',
])('nothing at %s is connected to, which is no address of the internet', async (address) => {
  const { port, count } = await listener();
  const scan = new ExternalScan({ addressOf: async () => address, isOnline: () => true, ports: [port] });
  expect(await seenBy(scan)).toEqual({ failed: 'address_not_public', target: address });
  expect(count()).toBe(0);
});

test('without a connection of the device, or an address of it, nothing is scanned', async () => {
  expect(await seenBy(external({ isOnline: () => false }))).toMatchObject({ failed: 'offline' });
  expect(await seenBy(external({ addressOf: async () => null }))).toMatchObject({
    failed: 'address_unknown',
  });
});

test('what was found is thrown away where the device has another address by then', async () => {
  const { port } = await listener();
  const addresses = ['127.0.0.1', '127.0.0.2'];
  const scan = external({ addressOf: async () => addresses.shift() ?? null, ports: [port] });
  expect(await seenBy(scan)).toMatchObject({ failed: 'address_changed' });
});

test('a port that this server cannot even try makes the scan partial, and all of them make it none', async () => {
  const { port } = await listener();
  const connect = Socket.prototype.connect;
  const unreachable = function (this: Socket, ...of: [{ port: number }]) {
    if (of[0].port !== 9) return connect.apply(this, of as never);
    this.destroy(Object.assign(new Error('no network'), { code: 'ENETUNREACH' }));
    return this;
  };
  const spy = vi.spyOn(Socket.prototype, 'connect').mockImplementation(unreachable as never);
  const partial = await seenBy(external({ ports: [9, port] }));
  const failed = await seenBy(external({ ports: [9] }));
  spy.mockRestore();
  expect(partial).toMatchObject({ isComplete: false, reason: 'not_reachable', seen: [String(port)] });
  expect(failed).toEqual({ failed: 'not_reachable', target: '127.0.0.1' });
});

test('a port that was open before is tried three times', async () => {
  const { port, close } = await listener();
  await close();
  const connect = vi.spyOn(Socket.prototype, 'connect');
  await seenBy(external({ ports: [port] }), new Set([String(port)]));
  expect(connect).toHaveBeenCalledTimes(3);
  connect.mockRestore();
});

test('the list has the protocols of plants and what is attacked most, each once', () => {
  expect([...SERVICES.keys()]).toEqual(expect.arrayContaining([22, 23, 80, 443, 502, 3389, 5900, 20000]));
  expect(SERVICES.size).toBeLessThan(100);
});

const card = (name: string, address: string, prefix: number, rest: Partial<NetworkInterface> = {}) => ({
  ...{ name, mac: '00:1b:21:00:00:00', isUp: true, isInternal: false },
  ...{ addresses: [{ address, prefix }], ...rest },
});
const neighbour = (ip: string, mac: string): Neighbour => ({ ip, mac, interface: 'eth0' });

/** A device that answers so. */
function internal(of: {
  interfaces: NetworkInterface[];
  scan: (targets: string) => Neighbour[];
  after?: Neighbour[];
}) {
  const asked: string[] = [];
  const ask = async (_device: string, kind: string, { targets = '' }: { targets?: string }) => {
    asked.push(targets || kind);
    if (kind === 'scan.arp') return { neighbours: of.scan(targets) };
    const neighbours = of.after ?? of.interfaces.flatMap((one) => scanned(one, of.scan));
    return { hostname: 'plc', interfaces: of.interfaces, gateway: null, nameServers: [], neighbours };
  };
  const modelsAt = async () => new Map([['192.168.1.20', 'SMA Sunny Tripower X 15']]);
  const scan = new InternalScan({ deviceAsks: { ask } as never, modelsAt, settleMs: 0 });
  return { asked, end: () => scan.scan({ device, present: none, signal }) };
}
function scanned({ addresses }: NetworkInterface, scan: (targets: string) => Neighbour[]): Neighbour[] {
  try {
    return addresses.flatMap(({ address, prefix }) => scan(`${address}/${prefix}`));
  } catch {
    // The device does not say.
    return [];
  }
}

test('hosts are one for each MAC address, with what is known of them', async () => {
  const { asked, end } = internal({
    interfaces: [card('eth0', '192.168.1.5', 24), card('lo', '127.0.0.1', 8, { isInternal: true })],
    scan: () => [
      neighbour('192.168.1.20', '00:40:AD:00:00:01'),
      neighbour('192.168.1.9', '00:1b:21:3a:4f:10'),
      neighbour('192.168.1.10', '00:1B:21:3A:4F:10'),
      neighbour('192.168.1.77', 'ff:ff:ff:ff:ff:ff'),
    ],
  });
  expect(await end()).toMatchObject({
    isComplete: true,
    target: '192.168.1.0/24',
    seen: [
      { key: '00:40:ad:00:00:01', addresses: ['192.168.1.20'], description: 'SMA Sunny Tripower X 15' },
      { key: '00:1b:21:3a:4f:10', addresses: ['192.168.1.9', '192.168.1.10'], description: /Intel/i },
    ].map((one) => ({ ...one, description: expect.stringMatching(one.description) })),
  });
  expect(asked).toEqual(['network.read', '192.168.1.0/24', 'network.read']);
});

test('a host that the kernel has given up by the end is not there', async () => {
  const [here, left] = [
    neighbour('10.0.0.1', '00:1b:21:00:00:01'),
    neighbour('10.0.0.2', '00:1b:21:00:00:02'),
  ];
  const { end } = internal({
    interfaces: [card('eth0', '10.0.0.9', 24)],
    scan: () => [here, left],
    after: [here],
  });
  expect(await end()).toMatchObject({ seen: [{ key: here.mac }], isComplete: true });
});

test('a network that is too large, or a device that goes away in the middle, makes a scan partial', async () => {
  const large = internal({
    interfaces: [card('eth0', '10.1.2.3', 16), card('eth1', '192.168.1.5', 24)],
    scan: () => [neighbour('192.168.1.9', '00:1b:21:3a:4f:10')],
  });
  expect(await large.end()).toMatchObject({ isComplete: false, reason: 'network_too_large' });
  expect(large.asked).not.toContain('10.1.0.0/16');
  const lost = internal({
    interfaces: [card('eth0', '192.168.1.5', 24), card('eth1', '192.168.2.5', 24)],
    scan: (targets) => {
      if (targets.startsWith('192.168.2.')) throw new AppError('device.lost');
      return [neighbour('192.168.1.9', '00:1b:21:3a:4f:10')];
    },
  });
  const end = await lost.end();
  expect(end).toMatchObject({ isComplete: false, reason: 'lost', seen: [{ key: '00:1b:21:3a:4f:10' }] });
});

test('what was seen in a network that the device is in no more is not gone', async () => {
  const end = await internal({ interfaces: [card('eth0', '10.0.0.9', 24)], scan: () => [] }).end();
  const covers = (ip: string) =>
    'failed' in end ? null : end.covers({ addresses: [ip] } as unknown as SecurityFinding);
  expect([covers('10.0.0.7'), covers('192.168.1.7')]).toEqual([true, false]);
});

test.each([
  ['device.offline', 'offline'],
  ['device.refused', 'refused'],
  ['device.agent_old', 'agent_old'],
  ['device.busy', 'failed'],
] as const)('a device that answers %s is not scanned', async (error, reason) => {
  const { end } = internal({
    interfaces: [card('eth0', '10.0.0.9', 24)],
    scan: () => {
      throw new AppError(error);
    },
  });
  expect(await end()).toEqual({ failed: reason, target: '10.0.0.0/24' });
});

test('networks of programs on the device itself are left out', async () => {
  const { end } = internal({
    interfaces: [card('docker0', '172.17.0.1', 16), card('eth0', '169.254.3.4', 16)],
    scan: () => [],
  });
  expect(await end()).toEqual({ failed: 'no_network', target: '' });
});

test('makers are known by the register, addresses that were made up have none', async () => {
  expect(await vendorOf('00:00:00:12:34:56')).toBe('XEROX CORPORATION');
  expect(await vendorOf('02:00:00:12:34:56')).toBe('');
});
