import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCaptured } from '@albedo/plugin-kit/testing/run-captured';
import { ServerTCP } from 'modbus-serial';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { modbusPlugin } from './modbus.plugin.ts';

let folder = '';
let server: ServerTCP;
let port = '';
const asked: [unit: number, address: number, length: number][] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-modbus-'));
  asked.length = 0;
  server = new ServerTCP(
    {
      getMultipleHoldingRegisters: (address: number, length: number, unit: number) => {
        asked.push([unit, address, length]);
        if (address === 500) throw Object.assign(new Error('none'), { modbusErrorCode: 2 });
        if (address === 600) return [0xffff, 0xffff, 0xffff];
        return Array.from({ length }, (_, index) => unit * 100 + address + index);
      },
      getCoil: (address: number) => address === 2,
    },
    { host: '127.0.0.1', port: '0' as unknown as number },
  );
  await once(server, 'initialized');
  port = String(((server as unknown as { _server: Server })._server.address() as AddressInfo).port);
});
afterEach(async () => {
  await new Promise<void>((resolve) => server.close(() => resolve()));
  rmSync(folder, { recursive: true, force: true });
});

async function log(units: string, config: string, ...more: string[]): Promise<{ code: number; err: string }> {
  const file = join(folder, 'config.csv');
  writeFileSync(file, config);
  const args = ['log', '127.0.0.1', units, file, folder, '--port', port, '--delay', '0', ...more];
  const { code, err } = await runCaptured(modbusPlugin, args);
  return { code, err };
}

const values = (source: string) =>
  readFileSync(join(folder, 'meter', source, 'latest.csv'), 'utf8')
    .trimEnd()
    .split('\n')[1]
    ?.split(',')
    .slice(1);

test('each bus address is read by the same commands and gets a source of its own', async () => {
  const config = `_cmd, mbpoll -t 4 -r 11 -c 4 {ENDPOINT}
_cmd, mbpoll -t 0 -r 1 -c 4 {ENDPOINT} --translate 1000
meter, main, A, 11, 1, dec, W, , RO
meter, main, B, 13, 2, udec, Wh, , RO
meter, main, Hidden, 12, 1, dec, W, , INV
meter, main, C, 1003, 1, bit, ., , RO
`;
  expect(await log('3,4', config)).toEqual({ code: 0, err: '' });
  expect(asked).toEqual([
    [3, 10, 4],
    [4, 10, 4],
  ]);
  expect(values('main/3')).toEqual(['310', String(312 * 65_536 + 313), '1']);
  expect(values('main/4')?.[0]).toBe('410');
});

test('a command that fails leaves its own values empty, and is reported', async () => {
  const config = `_cmd, mbpoll -r 1 -c 2 {ENDPOINT}
_cmd, mbpoll -a 9 -r 501 -c 2 {ENDPOINT}
meter, {ENDPOINT}/unit-{BUS_ADDRESS}, A, 1, 1, dec
meter, {ENDPOINT}/unit-{BUS_ADDRESS}, B, 501, 1, dec
meter, other, C, 502, 1, dec
`;
  const { code, err } = await log('1', config);
  expect([code, err]).toEqual([
    1,
    `127.0.0.1:${port} unit 9, holding 500-501: exception 2 (illegal data address)\n`,
  ]);
  expect(values('127.0.0.1/unit-1')).toEqual(['100', '']);
  expect(() => values('other')).toThrow('ENOENT');
});

test('an inverter that answers nothing but ones at night leaves its cells empty, and discover says so', async () => {
  const config = `_cmd, mbpoll -r 601 -c 3 {ENDPOINT}
meter, main, AC Power, 601, 1, udec, W, , RO
meter, main, Total Energy, 602, 2, udec, kWh, 0.1, RO
meter, main, Mode, 601, 1, udec, ., , RO
`;
  expect(await log('1', config)).toEqual({ code: 0, err: '' });
  expect(values('main')).toEqual(['', '', '65535']);
  const file = join(folder, 'config.csv');
  const args = ['discover', '127.0.0.1', '1', file, '--port', port, '--delay', '0'];
  const { out } = await runCaptured(modbusPlugin, args);
  expect(out).toMatch(/AC Power\(integer:W\) +not measured\nTotal Energy\(decimal:kWh\) +not measured\n/);
});

test('a wrong configuration is refused before anything is asked', async () => {
  const { code, err } = await log('1', '_cmd, mbpoll -r 1 -c 2 h\nmeter, main, A, 9, 1, dec\n');
  expect(code).toBe(2);
  expect(err).toMatch(/modbus_albedo: .*config\.csv, line 2: A: no command gives register 9/);
  expect(asked).toEqual([]);
});
