import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServerSerial, ServerTCP } from 'modbus-serial';
import { afterEach, expect, test, vi } from 'vitest';
import { ModbusClient, type ModbusManners, type ModbusTarget } from './modbus-client.ts';

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const never = new AbortController().signal;
const vector = {
  getHoldingRegister: (address: number) => {
    if (address >= 1000) throw Object.assign(new Error('no such register'), { modbusErrorCode: 2 });
    return address;
  },
  getInputRegister: (address: number, unit: number) => unit * 1000 + address,
  getCoil: (address: number) => address % 2 === 1,
};

function client(
  endpoint: string,
  port: number,
  manners: Partial<ModbusManners> = {},
  mode: ModbusTarget['mode'] = 'tcp',
) {
  const target = { endpoint, port, mode, baudRate: 9600, parity: 'none', dataBits: 8, stopBits: 1 } as const;
  const made = new ModbusClient(target, {
    timeoutMs: 300,
    attempts: 1,
    delayMs: 0,
    serialLock: false,
    ...manners,
  });
  endings.push(() => made.close());
  return made;
}

async function modbusServer(port = 0): Promise<number> {
  const server = new ServerTCP(vector, { host: '127.0.0.1', port: String(port) as unknown as number });
  await once(server, 'initialized');
  endings.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return ((server as unknown as { _server: Server })._server.address() as AddressInfo).port;
}

/** A peer that takes requests and does what a test wants with them. */
async function rawServer(take: (socket: Socket, request: Buffer) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (request) => take(socket, request));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  endings.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

test('registers, input registers and coils are read, and long reads are split', async () => {
  const modbus = client('127.0.0.1', await modbusServer());
  expect(await modbus.read(1, 'holding', 10, 300, never)).toEqual(
    Array.from({ length: 300 }, (_, at) => 10 + at),
  );
  expect(await modbus.read(7, 'input', 2, 1, never)).toEqual([7002]);
  expect(await modbus.read(1, 'coil', 0, 5, never)).toEqual([0, 1, 0, 1, 0]);
});

test('an exception names device, registers and reason, and the connection stays', async () => {
  const modbus = client('127.0.0.1', await modbusServer());
  await expect(modbus.read(3, 'holding', 1000, 2, never)).rejects.toThrow(
    /^127\.0\.0\.1:\d+ unit 3, holding 1000-1001: exception 2 \(illegal data address\)$/,
  );
  expect(await modbus.read(3, 'holding', 1, 1, never)).toEqual([1]);
});

test('a silent device is tried as often as wanted, each time on a new connection, then reported', async () => {
  const peers = new Set<Socket>();
  const port = await rawServer((socket) => peers.add(socket));
  await expect(
    client('127.0.0.1', port, { timeoutMs: 60, attempts: 3 }).read(1, 'holding', 0, 1, never),
  ).rejects.toThrow('unit 1, holding 0: no answer');
  expect(peers.size).toBe(3);
});

test('a late answer never becomes that of the next request', async () => {
  let requests = 0;
  const answer = (request: Buffer, value: number) =>
    Buffer.concat([
      request.subarray(0, 4),
      Buffer.from([0, 5]),
      request.subarray(6, 8),
      Buffer.from([2, 0, value]),
    ]);
  const port = await rawServer((socket, request) => {
    requests++;
    if (requests === 1) setTimeout(() => socket.write(answer(request, 111)), 150);
    else setTimeout(() => socket.write(answer(request, 42)), 120);
  });
  const modbus = client('127.0.0.1', port, { timeoutMs: 100 });
  await expect(modbus.read(1, 'holding', 0, 1, never)).rejects.toThrow('no answer');
  const patient = client('127.0.0.1', port, { timeoutMs: 1000 });
  expect(await patient.read(1, 'holding', 0, 1, never)).toEqual([42]);
});

/** Answers holding registers with their own addresses, or with the exceptions that `codes` has for the next requests. */
const busyServer = (codes: number[], seen: number[] = []) =>
  rawServer((socket, request) => {
    const code = codes.shift();
    const [address, count, body] = [request.readUInt16BE(8), request.readUInt16BE(10), request[7] ?? 0];
    seen.push(body);
    const answer = code
      ? [body | 0x80, code]
      : body === 3
        ? [3, count * 2, ...Array.from({ length: count }, (_, at) => [0, address + at]).flat()]
        : [...request.subarray(7, 12)];
    socket.write(Buffer.from([...request.subarray(0, 4), 0, answer.length + 1, request[6] ?? 0, ...answer]));
  });

test.each([5, 6])('a read that a device answers with exception %i is asked again', async (code) => {
  const modbus = client('127.0.0.1', await busyServer([code, code]));
  expect(await modbus.read(1, 'holding', 7, 2, never)).toEqual([7, 8]);
});

test('a device that stays busy is reported, and an abort does not wait for it', async () => {
  const seen: number[] = [];
  const modbus = client('127.0.0.1', await busyServer([6, 6, 6, 6], seen));
  await expect(modbus.read(1, 'holding', 7, 1, never)).rejects.toThrow('exception 6 (device busy)');
  expect(seen).toHaveLength(4);
  const stop = new AbortController();
  const port = await rawServer((socket, request) => {
    socket.write(Buffer.from([...request.subarray(0, 4), 0, 3, 1, 0x83, 6]));
    setTimeout(() => stop.abort(), 20);
  });
  await expect(client('127.0.0.1', port).read(1, 'holding', 7, 1, stop.signal)).rejects.toThrow('time is up');
});

test('a write that a busy device refused is written again, one that it acknowledged is not', async () => {
  const seen: number[] = [];
  const modbus = client('127.0.0.1', await busyServer([6, 0, 5], seen));
  await modbus.write(1, 7, [3], 6, never);
  expect(seen).toEqual([6, 6]);
  await expect(modbus.write(1, 7, [3], 6, never)).rejects.toThrow('exception 5 (acknowledge)');
  expect(seen).toHaveLength(3);
});

test('a gateway that counts transactions for itself is named, and read where that is wanted', async () => {
  const port = await rawServer((socket, request) =>
    socket.write(Buffer.from([0, 200, 0, 0, 0, 5, ...request.subarray(6, 8), 2, 0, request[9] ?? 0])),
  );
  await expect(client('127.0.0.1', port, { timeoutMs: 60 }).read(1, 'holding', 9, 1, never)).rejects.toThrow(
    'holding 9: answered with transaction id 200 in place of 1; any_transaction_id takes such answers',
  );
  const generous = client('127.0.0.1', port, { anyTransactionId: true });
  expect(await generous.read(1, 'holding', 9, 1, never)).toEqual([9]);
  expect(await generous.read(1, 'holding', 11, 1, never)).toEqual([11]);
});

test('an answer that comes twice, or in pieces, gives each request its own', async () => {
  let last: Buffer = Buffer.alloc(0);
  const port = await rawServer((socket, request) => {
    const answer = Buffer.from([
      ...request.subarray(0, 4),
      ...[0, 5, ...request.subarray(6, 8), 2, 0, request[9] ?? 0],
    ]);
    socket.write(Buffer.concat([last, answer.subarray(0, 4)]));
    setTimeout(() => socket.write(answer.subarray(4)), 5);
    last = answer;
  });
  const modbus = client('127.0.0.1', port);
  for (const at of [3, 4, 5]) expect(await modbus.read(1, 'holding', at, 1, never)).toEqual([at]);
});

test('a device that was away is read again when it is back', async () => {
  const port = await modbusServer();
  const modbus = client('127.0.0.1', port);
  expect(await modbus.read(1, 'holding', 5, 1, never)).toEqual([5]);
  await endings.splice(0, 1)[0]?.();
  await expect(modbus.read(1, 'holding', 5, 1, never)).rejects.toThrow(/unit 1, holding 5/);
  await modbusServer(port);
  expect(await modbus.read(1, 'holding', 5, 1, never)).toEqual([5]);
});

test('an abort ends a request at once', async () => {
  const stop = new AbortController();
  const port = await rawServer(() => stop.abort());
  await expect(
    client('127.0.0.1', port, { timeoutMs: 20_000 }).read(1, 'holding', 0, 1, stop.signal),
  ).rejects.toThrow('time is up');
});

test('rubbish from a peer is an error, not a value', async () => {
  const port = await rawServer((socket) => socket.write(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')));
  await expect(client('127.0.0.1', port, { timeoutMs: 100 }).read(1, 'holding', 0, 1, never)).rejects.toThrow(
    /holding 0/,
  );
});

test('requests of several callers take turns', async () => {
  const modbus = client('127.0.0.1', await modbusServer());
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, at) => modbus.read(1, 'holding', at, 2, never)),
  );
  expect(all).toEqual(Array.from({ length: 20 }, (_, at) => [at, at + 1]));
});

/** Two ends of a serial line that exists in the kernel only. */
async function serialLine(): Promise<[string, string]> {
  const folder = mkdtempSync(join(tmpdir(), 'albedo-line-'));
  const ends: [string, string] = [join(folder, 'a'), join(folder, 'b')];
  const socat: ChildProcess = spawn(
    'socat',
    ends.map((path) => `pty,raw,echo=0,link=${path}`),
  );
  endings.push(() => {
    socat.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  const missing = once(socat, 'error').then(() => {
    throw new Error('the tests of serial lines need socat: apt-get install socat');
  });
  await Promise.race([vi.waitFor(() => expect(ends.every((path) => existsSync(path))).toBe(true)), missing]);
  return ends;
}

test('a device on a serial line is read, an absent one times out, and the line is free afterwards', async () => {
  const [near, far] = await serialLine();
  const server = new ServerSerial(vector, { port: far, baudRate: 9600, unitID: 4 } as never);
  await once(server, 'initialized');
  endings.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const modbus = client(near, 0, { timeoutMs: 1500 }, 'rtu');
  expect(modbus.name).toBe(near);
  expect(await modbus.read(4, 'holding', 20, 3, never)).toEqual([20, 21, 22]);
  await expect(modbus.read(5, 'holding', 20, 1, never)).rejects.toThrow(
    `${near} unit 5, holding 20: no answer`,
  );
  expect(await modbus.read(4, 'input', 1, 1, never)).toEqual([4001]);

  const other = client(near, 0, { timeoutMs: 400 }, 'rtu');
  await expect(other.read(4, 'holding', 1, 1, AbortSignal.timeout(200))).rejects.toThrow();
  await modbus.rest();
  expect(await other.read(4, 'holding', 1, 1, never)).toEqual([1]);
});

test('RTU inside TCP is read', async () => {
  const port = await rawServer((socket, request) =>
    socket.write(rtuFrame(Buffer.from([request[0] ?? 0, 3, 2, 1, 2]))),
  );
  expect(await client('127.0.0.1', port, {}, 'enc').read(9, 'holding', 0, 1, never)).toEqual([0x102]);
});

/** A frame with its checksum. Source: Modbus over Serial Line 1.02, section 6.2. */
function rtuFrame(body: Buffer): Buffer {
  let crc = 0xffff;
  for (const byte of body) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
  }
  return Buffer.concat([body, Buffer.from([crc & 0xff, crc >> 8])]);
}
