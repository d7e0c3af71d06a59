import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { runCaptured } from '@albedo/plugin-kit/testing/run-captured';
import { afterEach, expect, test } from 'vitest';
import { sunspecPlugin } from './sunspec.plugin.ts';

const MARKER = [0x5375, 0x6e53];
const text = (said: string, words: number) => {
  const bytes = Buffer.alloc(words * 2);
  bytes.write(said);
  return Array.from({ length: words }, (_, at) => bytes.readUInt16BE(at * 2));
};
const COMMON = [
  ...[1, 65],
  ...[...text('Field', 16), ...text('F-10', 16), ...text('', 8), ...text('1.0', 8), ...text('S1', 16), 1],
];

/** A single-phase inverter that makes so many watts, and says nothing else. */
function inverter(powerW: number): number[] {
  const body = Array.from({ length: 50 }, () => 0x8000);
  body.splice(12, 2, powerW, 0);
  body.splice(36, 1, 4);
  return [101, 50, ...body];
}

let server: Server | null = null;
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  server?.close();
});

const EXCEPTION = 2;
/** Serves holding registers from 40000 on; what is not there is refused, or met with silence. */
async function discover(registers: (number | undefined)[], isSilent = false, ...more: string[]) {
  server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.on('data', (request) => {
      const [from, count] = [request.readUInt16BE(8) - 40_000, request.readUInt16BE(10)];
      const words = registers.slice(Math.max(from, 0), from + count);
      const isThere = from >= 0 && words.length === count && !words.includes(undefined);
      if (!isThere && isSilent) return;
      const answer = isThere
        ? [3, count * 2, ...words.flatMap((word = 0) => [word >> 8, word & 0xff])]
        : [0x83, EXCEPTION];
      const head = [...request.subarray(0, 4), 0, answer.length + 1, request[6] ?? 0];
      socket.write(Buffer.from([...head, ...answer]));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = String((server.address() as AddressInfo).port);
  const args = ['discover', '127.0.0.1', '1', '--port', port, '--delay', '0', '--timeout', '0.1', ...more];
  return { port, ...(await runCaptured(sunspecPlugin, args)) };
}

test('a chain that ends where the device has no registers gives what it has', async () => {
  const { code, out, err } = await discover([...MARKER, ...COMMON, ...inverter(2300)]);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^AC Power\(decimal:W\) +2300$/m);
  expect(out).toMatch(/^Models +1 101 \(nothing in place of the end model, at 40121\)$/m);
});

test('an end model of which only the number is there is an end, and so is one 0 or more', async () => {
  for (const end of [[0xffff], [0], [0, 0, 0, 0]]) {
    const { code, out, err } = await discover([...MARKER, ...COMMON, ...inverter(2300), ...end]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^AC Power\(decimal:W\) +2300$/m);
  }
});

test('a last model that is shorter than it says leaves the others alone, and is reported', async () => {
  const cut = [160, 48, ...Array.from({ length: 30 }, () => 7)];
  const missing = Array.from({ length: 18 }, () => undefined);
  const { code, out, err, port } = await discover([
    ...[...MARKER, ...COMMON, ...inverter(1111), ...cut, ...missing, 0xffff, 0],
  ]);
  expect(code).toBe(1);
  expect(err).toBe(
    `127.0.0.1:${port} unit 1, holding 40121-40170: exception 2 (illegal data address); the other models are read\n`,
  );
  expect(out).toMatch(/^AC Power\(decimal:W\) +1111$/m);
  // What was not read is nothing, never a zero.
  expect(out).not.toContain('DC');
});

test('a device that keeps silent behind its last model gives what it has, and that is reported', async () => {
  const { code, out, err } = await discover([...MARKER, ...COMMON, ...inverter(2300)], true);
  expect([code, err]).toEqual([1, expect.stringContaining('no answer; models from there on are left out')]);
  expect(out).toMatch(/^AC Power\(decimal:W\) +2300$/m);
});

test('where the first failure is to end the run, a model that is refused gives nothing', async () => {
  const registers = [...MARKER, ...COMMON, ...inverter(1111), 160, 48];
  const { code, out } = await discover(registers, false, '--stop_on_any_command_fail');
  expect([code, out]).toEqual([1, '']);
});
