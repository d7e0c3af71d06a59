import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runPlugin } from '@albedo/plugin-kit/run-plugin';
import modbusSerial from 'modbus-serial';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { modbusServerPlugin } from './modbus-server.plugin.ts';
import { bytesOf, parseRegisterMap } from './register-map.ts';

let folder = '';
let port = 0;
let stop: AbortController;
let running: Promise<number> | null = null;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-modbus-server-'));
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  port = (probe.address() as AddressInfo).port;
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  stop = new AbortController();
  readings(
    'solar/inv-1',
    '# Datetime(date),AC Power(decimal:W),State(keyword),Energy(integer:Wh)',
    '4200.5,on,70000',
  );
});
afterEach(async () => {
  stop.abort();
  await running;
  running = null;
  rmSync(folder, { recursive: true, force: true });
});

function readings(source: string, header: string, cells: string, at = Date.now()): void {
  mkdirSync(join(folder, source), { recursive: true });
  const stamp = new Date(at).toISOString().replace(/\.\d+Z/, '+0000');
  writeFileSync(join(folder, source, 'latest.csv'), `${header}\n${stamp},${cells}\n`);
}

const CONFIG = `
solar, inv-1, AC Power, 0,  float32
solar, inv-1, AC Power, 2,  int16,  0.001
solar, inv-1, Energy,   10, uint32
solar, inv-1, State,    12, uint16
meter, grid,  AC Power, 20, int32
`;

function serve(more = ''): void {
  const [config, file] = [join(folder, 'config.csv'), join(folder, 'service')];
  writeFileSync(config, CONFIG);
  writeFileSync(
    file,
    `listen_address,config_file,output_directory,port,frequency${more === '' ? '' : ',clients'}\n127.0.0.1,${config},${folder},${port},1${more === '' ? '' : `,"${more}"`}\n`,
  );
  running = runPlugin(modbusServerPlugin, ['service', file], stop.signal);
}

async function client() {
  const made = new modbusSerial.default();
  await vi.waitFor(() => made.connectTCP('127.0.0.1', { port }), 6000);
  made.setTimeout(1000);
  return made;
}

test('a SCADA system reads the newest values, and a number that stands for nothing where there are none', async () => {
  serve();
  const scada = await client();
  const { buffer } = await scada.readHoldingRegisters(0, 22);
  expect(buffer.readFloatBE(0)).toBe(4200.5);
  expect(buffer.readInt16BE(4)).toBe(4);
  expect(buffer.readUInt32BE(20)).toBe(70_000);
  // A text, and a source that nobody has read.
  expect(buffer.readUInt16BE(24)).toBe(0xffff);
  expect(buffer.readUInt32BE(40)).toBe(0x8000_0000);
  readings('solar/inv-1', '# Datetime(date),AC Power(decimal:W)', '17');
  await vi.waitFor(async () => {
    const again = await scada.readInputRegisters(0, 2);
    expect(again.buffer.readFloatBE(0)).toBe(17);
  }, 3000);
  readings('solar/inv-1', '# Datetime(date),AC Power(decimal:W)', '18', Date.now() - 400_000);
  await vi.waitFor(async () => {
    const old = await scada.readHoldingRegisters(0, 2);
    expect(old.buffer.readFloatBE(0)).toBeNaN();
  }, 3000);
  scada.close(() => {});
}, 20_000);

test('nobody can write, and what is not there is refused', async () => {
  serve();
  const scada = await client();
  await expect(scada.writeRegister(0, 1)).rejects.toThrow(/exception 1|Illegal function/);
  await expect(scada.readHoldingRegisters(500, 2)).rejects.toThrow(/exception 2|Illegal data address/);
  await expect(scada.readCoils(0, 1)).rejects.toThrow(/exception 1|Illegal function/);
  scada.close(() => {});
  const file = join(folder, 'modbus_server/127.0.0.1', String(port), 'latest.csv');
  await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toMatch(/,3,3,2\n/), 4000);
}, 20_000);

test('who is not on the list gets no answer, and what is no Modbus ends the connection', async () => {
  serve('10.0.0.0/8');
  const ended = async (bytes: string) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(Buffer.from(bytes, 'hex'));
    await once(socket, 'close');
    return socket.bytesRead;
  };
  await vi.waitFor(async () => {
    const probe = connect(port, '127.0.0.1');
    await once(probe, 'connect');
    probe.destroy();
  }, 6000);
  expect(await ended('000100000006010300000001')).toBe(0);
  stop.abort();
  await running;
  stop = new AbortController();
  serve();
  await client().then((one) => one.close(() => {}));
  expect(await ended('474554202f20485454502f312e310d0a')).toBe(0);
  expect(await ended('0001000000010103')).toBe(0);
}, 20_000);

test('every fault of a configuration is named, and values outside of a format count as missing', () => {
  expect(() =>
    parseRegisterMap(
      'a, b, C, 0, float32\na, b, D, 1, int16\na, b, E, 65535, int32\n../a, b, F, 9, int16\na, b, G, 9, int8\n',
      'f',
    ),
  ).toThrow(
    /line 2: register 1 is already that of line 1\nf, line 3: register: "65535"[\s\S]*line 4: table[\s\S]*line 5: format/,
  );
  const [value] = parseRegisterMap('a, b, C, 0, int16\n', 'f');
  if (!value) throw new Error('no value');
  expect([32_767, 40_000, -0.4].map((one) => bytesOf(value, one).toString('hex'))).toEqual([
    '7fff',
    '8000',
    '0000',
  ]);
});
