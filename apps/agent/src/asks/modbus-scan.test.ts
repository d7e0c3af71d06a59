import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { modbusScan } from './modbus-scan.ts';

/** What units say to a function: registers, the code of an exception, or nothing. */
type Unit = (code: number, address: number) => number[] | { exception: number } | null;

const UNITS = new Map<number, Unit>([
  [1, () => [7, 7]],
  // It has none of these registers, and says so.
  [2, () => ({ exception: 2 })],
  // A gateway's words for nobody.
  [3, () => ({ exception: 0x0a })],
  [4, () => ({ exception: 0x0b })],
  // A server's word for nobody, or for a device that has failed.
  [5, () => ({ exception: 4 })],
  // Its holding registers fail, and it has others.
  [6, (code) => (code === 4 ? [9] : { exception: 4 })],
  [7, (code) => (code === 0x2b ? { exception: 1 } : { exception: 4 })],
  [8, () => null],
  [9, () => ({ exception: 6 })],
]);
let server: Server;
let port = 0;

beforeEach(async () => {
  server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (request) => {
      const unit = request[6] ?? 0;
      const code = request[7] ?? 0;
      const said = UNITS.get(unit)?.(code, request.readUInt16BE(8)) ?? null;
      if (said === null) return;
      const pdu = Array.isArray(said)
        ? [code, said.length * 2, ...said.flatMap((word) => [word >> 8, word & 0xff])]
        : [code | 0x80, said.exception];
      const head = Buffer.from([request[0] ?? 0, request[1] ?? 0, 0, 0, 0, pdu.length + 1, unit]);
      socket.write(Buffer.concat([head, Buffer.from(pdu)]));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as { port: number }).port;
});
afterEach(() => void server.close());

test('only units that give a value or a true exception are listed, each by what it gave', async () => {
  const { signal } = new AbortController();
  const found = await modbusScan({ ip: '127.0.0.1', port, units: [...UNITS.keys()], signal });
  expect(found.map(({ unit, answer }) => [unit, answer])).toEqual([
    [1, 'value'],
    [2, 'exception'],
    [6, 'value'],
    [9, 'exception'],
  ]);
});
