import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { AskKind } from '@albedo/contract/link/link.asks';
import { ExchangeEnd } from '@albedo/contract/link/link.exchange';
import { decodeFrame, encodeFrame, FRAME_LIMITS } from '@albedo/contract/link/link.frames';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RemoteConfig } from '../config/config.schema.ts';
import { createLog } from '../log.ts';
import { PhotoShelf } from '../photos/photo-shelf.ts';
import { rootAt } from '../root.ts';
import { ScheduleKeeper } from '../schedules/schedule-keeper.ts';
import { Services } from '../services/services.ts';
import { TaskLog } from '../tasks/task-log.ts';
import { Asks } from './asks.ts';
import { demandAllowed, deviceAskHandlers } from './device-asks.ts';
import { hostsOf } from './scan.asks.ts';

const ALLOWED: RemoteConfig = {
  shell: true,
  commands: true,
  files: true,
  tunnels: true,
  upgrades: true,
  plugins: true,
};
const CONFIG = `mqtt:
  hostname: localhost
  cacertfile: /etc/albedo/keys/ca.crt
  certfile: /etc/albedo/keys/client.crt
  keyfile: /etc/albedo/keys/client.key
`;
let folder = '';
let asks: Asks;
let remote = ALLOWED;
const open = new Map<string, (payload: Buffer) => void>();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-asks-'));
  mkdirSync(join(folder, 'etc/albedo/keys'), { recursive: true });
  writeFileSync(join(folder, 'etc/albedo/keys/client.key'), 'secret');
  writeFileSync(join(folder, 'etc/albedo/albedo.yaml'), CONFIG, { mode: 0o640 });
  remote = ALLOWED;
  asks = new Asks({
    handlers: deviceAskHandlers(
      rootAt(folder),
      {
        program: null,
        version: '1.0.0',
        launch: { byService: false, command: [], pidFile: '' },
        trust: () => ({ caFile: '', certFile: '' }),
        restart: () => {},
      },
      () => remote,
      new Services(rootAt(folder), createLog('error')),
      new TaskLog(),
      new PhotoShelf({ directory: join(folder, 'photos'), limitBytes: 1e6, log: createLog('error') }),
      {
        files: () => {
          throw new Error('no test of this file asks for it');
        },
        current: () => null,
        waiting: () => 0,
        reconnect: () => {},
      },
      { begin: () => () => {} },
      new ScheduleKeeper({
        stateFolder: join(folder, 'var/lib/albedo/schedules'),
        schedules: () => join(folder, 'schedules'),
        log: createLog('error'),
        tell: () => {},
      }),
    ),
    demand: (kind) => demandAllowed(remote, kind),
    publish: (frame) => {
      const id = decodeFrame(frame)?.header.id;
      queueMicrotask(() => open.get(id ?? '')?.(frame));
      return true;
    },
    backlogBytes: () => 0,
    log: createLog('error'),
  });
});
afterEach(() => {
  asks.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The cloud's end, with what came of it. */
function ask(kind: AskKind, input: unknown) {
  const id = crypto.randomUUID();
  const got: Buffer[] = [];
  const tells: unknown[] = [];
  const result = Promise.withResolvers<Record<string, never>>();
  const send = (header: Parameters<typeof encodeFrame>[0], bytes?: Uint8Array) => {
    asks.receive(Buffer.from(encodeFrame(header, bytes)));
    return true;
  };
  const end = new ExchangeEnd({
    id,
    send,
    onFrame: (header, bytes) => {
      if (header.t === 'data') {
        got.push(Buffer.from(bytes));
        end.taken(bytes.length);
      } else if (header.t === 'tell') tells.push(header.value);
      else if (header.t === 'done') result.resolve(header.result as Record<string, never>);
    },
    onBroken: (why) => result.reject(new Error(why)),
  });
  open.set(id, (payload) => {
    const frame = decodeFrame(payload);
    if (!frame) throw new Error('no frame');
    if (frame.header.t === 'failed')
      result.reject(new Error(`${frame.header.error}: ${frame.header.message}`));
    else end.receive(frame);
  });
  result.promise.catch(() => {});
  send({ t: 'open', id, kind, input, limitMs: 20_000 });
  const text = () => Buffer.concat(got).toString();
  return { id, end, send, tells, text, result: result.promise, bytes: () => Buffer.concat(got) };
}

const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((next) => setTimeout(next, 5));
};

const hasEnded = (pid: number): boolean => {
  try {
    return process.kill(pid, 0) !== true;
  } catch {
    return true;
  }
};

test('a configuration is read, tested with the line at fault, applied and read back', async () => {
  const read = await ask('config.read', {}).result;
  expect(read).toMatchObject({ text: CONFIG, problems: [] });
  expect(await ask('config.test', { text: `${CONFIG}machine: [` }).result).toMatchObject({
    isUsable: false,
    problems: [{ line: 6, isFatal: true }],
  });
  const entry = `${CONFIG}hello: 1\n`;
  const applied = await ask('config.apply', { text: entry, over: read.hash }).result;
  expect(applied).toMatchObject({
    isApplied: true,
    problems: [{ line: 6, isFatal: false, message: 'unknown key "hello"' }],
    config: { text: entry },
  });
  const file = join(folder, 'etc/albedo/albedo.yaml');
  expect(readFileSync(file, 'utf8')).toBe(entry);
  expect(statSync(file).mode & 0o777).toBe(0o640);
  // Somebody else was faster.
  await expect(ask('config.apply', { text: CONFIG, over: read.hash }).result).rejects.toThrow('changed: ');
  expect(await ask('config.apply', { text: 'mqtt: 1', over: null }).result).toMatchObject({
    isApplied: false,
  });
  expect(readFileSync(file, 'utf8')).toBe(entry);
});

test('the plant decides about remote access, and nobody changes that from outside', async () => {
  remote = { ...ALLOWED, shell: false, files: false };
  await expect(ask('shell', { cols: 80, rows: 24 }).result).rejects.toThrow(
    'refused: The configuration of this device',
  );
  await expect(ask('files.list', { path: '/' }).result).rejects.toThrow('refused: ');
  writeFileSync(join(folder, 'etc/albedo/albedo.yaml'), `${CONFIG}remote: false\n`);
  for (const text of [CONFIG, `${CONFIG}remote: true\n`]) {
    await expect(ask('config.apply', { text, over: null }).result).rejects.toThrow(
      'on the device itself only',
    );
  }
  expect(
    await ask('config.apply', { text: `${CONFIG}remote: false\ndebug: 1\n`, over: null }).result,
  ).toMatchObject({
    isApplied: true,
  });
});

test('what is not there, is no folder or is a folder is told in a sentence', async () => {
  const said = (kind: 'files.list' | 'files.read', path: string) =>
    ask(kind, kind === 'files.read' ? { path, from: 0 } : { path }).result;
  await expect(said('files.list', '/none/here')).rejects.toThrow(
    'unable: /none/here does not exist on the device.',
  );
  const file = join(folder, 'etc/albedo/albedo.yaml');
  await expect(said('files.list', file)).rejects.toThrow(
    `unable: ${file} does not exist on the device: a part`,
  );
});

test('a terminal takes keys, tells its output and knows its size', async () => {
  const shell = ask('shell', { cols: 91, rows: 31 });
  await shell.end.write(Buffer.from('stty size; echo "it is $((40+2))"\r'));
  await until(() => shell.text().includes('it is 42'));
  expect(shell.text()).toContain('31 91');
  await shell.end.say({ t: 'tell', value: { cols: 70, rows: 20 } });
  await shell.end.write(Buffer.from('stty size; exit 7\r'));
  expect(await shell.result).toEqual({ exitCode: 7 });
  expect(shell.text()).toContain('20 70');
});

test('a terminal ends with everything in it when nobody waits any more', async () => {
  const shell = ask('shell', { cols: 80, rows: 24 });
  await shell.end.write(Buffer.from(`sleep 1000 & echo $! > ${folder}/pid; echo ready''now\r`));
  await until(() => shell.text().includes('readynow'));
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
  shell.send({ t: 'cancel', id: shell.id });
  await until(() => hasEnded(pid));
});

test('what runs in a terminal that is hung up has time to leave', async () => {
  const shell = ask('shell', { cols: 80, rows: 24 });
  const leave = `trap "sleep 1; echo saved > ${folder}/saved; exit" HUP; echo ready""now; while :; do sleep 0.1; done`;
  await shell.end.write(Buffer.from(`exec bash -c '${leave}'\r`));
  await until(() => shell.text().includes('readynow'));
  shell.send({ t: 'cancel', id: shell.id });
  await until(() => existsSync(join(folder, 'saved')));
});

test('what runs in a terminal that is cut off ends at once, whatever it does about that', async () => {
  const shell = ask('shell', { cols: 80, rows: 24 });
  await shell.end.write(Buffer.from(`(trap '' HUP; echo $BASHPID > ${folder}/pid; sleep 1000)\r`));
  await until(
    () => existsSync(join(folder, 'pid')) && readFileSync(join(folder, 'pid'), 'utf8').endsWith('\n'),
  );
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
  await shell.end.say({ t: 'tell', value: { isCutOff: true } });
  await until(() => hasEnded(pid));
});

test('a file goes both ways, on from where it was cut, and nothing stands under its name before it is whole', async () => {
  const bytes = Buffer.alloc(3 * FRAME_LIMITS.windowBytes + 17, 'abcdefg');
  const hash = createHash('sha256').update(bytes).digest('hex');
  const path = join(folder, 'big.bin');
  const first = ask('files.write', { path, hash, size: bytes.length, from: 0 });
  await first.end.write(bytes.subarray(0, 700_000));
  await first.end.say({ t: 'end' });
  expect(await first.result).toEqual({ isComplete: false, bytes: 700_000 });
  expect(() => statSync(path)).toThrow();
  const { bytes: from } = await ask('files.part', { path, hash }).result;
  expect(from).toBe(700_000);
  const rest = ask('files.write', { path, hash, size: bytes.length, from });
  await rest.end.write(bytes.subarray(from));
  await rest.end.say({ t: 'end' });
  expect(await rest.result).toEqual({ isComplete: true, bytes: bytes.length });
  const read = ask('files.read', { path, from: 100 });
  expect(await read.result).toEqual({ bytes: bytes.length });
  expect(read.bytes().equals(bytes.subarray(100))).toBe(true);
  expect(read.tells).toEqual([expect.objectContaining({ size: bytes.length })]);
  const wrong = ask('files.write', { path, hash: '0'.repeat(64), size: 1, from: 0 });
  await wrong.end.write(Buffer.from('x'));
  await wrong.end.say({ t: 'end' });
  await expect(wrong.result).rejects.toThrow('changed: What arrived');
});

test('keys are not shown and the configuration is not written over, whatever the path says', async () => {
  const keys = join(folder, 'etc/albedo/keys');
  for (const path of [keys, `${folder}/etc/../etc/albedo/keys`]) {
    await expect(ask('files.list', { path }).result).rejects.toThrow('refused: The keys');
  }
  await expect(ask('files.read', { path: `${keys}/client.key`, from: 0 }).result).rejects.toThrow('refused');
  const write = { path: join(folder, 'etc/albedo/albedo.yaml'), hash: '0'.repeat(64), size: 1, from: 0 };
  await expect(ask('files.write', write).result).rejects.toThrow('refused');
  await expect(ask('files.list', { path: 'etc' }).result).rejects.toThrow(
    'invalid: A path begins with a slash.',
  );
});

test('the network is read and scanned without a program of the machine', async () => {
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  await until(() => server.listening);
  const { port } = server.address() as { port: number };
  const network = await ask('network.read', {}).result;
  expect(network.interfaces).toContainEqual(expect.objectContaining({ name: 'lo', isInternal: true }));
  const { services } = await ask('network.services', {}).result;
  expect(services).toContainEqual(expect.objectContaining({ protocol: 'tcp', address: '127.0.0.1', port }));
  const scan = await ask('scan.ports', { targets: '127.0.0.1', ports: `${port},1` }).result;
  expect(scan).toEqual({ hosts: 1, ports: [{ ip: '127.0.0.1', port, service: null }] });
  server.close();
});

test('addresses of a scan are what people write', () => {
  expect(hostsOf('192.168.1.0/30, 10.0.0.9-11 10.0.0.10')).toEqual([
    '192.168.1.1',
    '192.168.1.2',
    '10.0.0.9',
    '10.0.0.10',
    '10.0.0.11',
  ]);
  for (const wrong of ['10.0.0.256', '10.0.0.9-1', '10.0.0.0/8']) expect(() => hostsOf(wrong)).toThrow();
});

test('what overtakes is put in order, what comes twice counts once, and rubbish disturbs nobody', async () => {
  const shell = ask('shell', { cols: 80, rows: 24 });
  asks.receive(Buffer.from('rubbish'));
  asks.receive(Buffer.from([0xff, 0x0a]));
  const say = (n: number, text: string) => shell.send({ t: 'data', id: shell.id, n }, Buffer.from(text));
  say(2, '"a b"\r');
  say(2, 'never');
  say(1, 'echo got ');
  say(1, 'never');
  await until(() => /got a b/.test(shell.text()));
  expect(shell.text()).not.toContain('never');
});

test('a reader that takes nothing stops the writer at the window', async () => {
  const path = join(folder, 'big.bin');
  writeFileSync(path, Buffer.alloc(4 * FRAME_LIMITS.windowBytes));
  const id = crypto.randomUUID();
  let got = 0;
  open.set(id, (payload) => {
    got += decodeFrame(payload)?.bytes.length ?? 0;
  });
  const header = { t: 'open', id, kind: 'files.read', input: { path, from: 0 }, limitMs: 20_000 } as const;
  asks.receive(Buffer.from(encodeFrame(header)));
  await until(() => got >= FRAME_LIMITS.windowBytes);
  await new Promise((next) => setTimeout(next, 100));
  expect(got).toBe(FRAME_LIMITS.windowBytes);
});

test('no file, service or backup from the cloud is a way round the signature of orders', async () => {
  const own = join(folder, 'opt/albedo/plugins-config/pv-control');
  const elsewhere = join(folder, 'srv/plant');
  const services = join(folder, 'etc/albedo/services');
  for (const place of [join(own, 'schedules/operator'), join(elsewhere, 'schedules/operator'), services])
    mkdirSync(place, { recursive: true });
  const rows = (config: string, more = ['', '']) =>
    `_plugin,config_file${more[0]}\npv-control,${config}${more[1]}\n`;
  // Somebody has it like this on the device itself.
  writeFileSync(join(services, 'plant'), rows(join(elsewhere, 'control.yaml')));
  const hash = '0'.repeat(64);
  const kept = ['schedules/operator/setpoint_activepower.csv', 'state.json', 'status.json'];
  for (const path of [own, elsewhere].flatMap((place) => kept.map((name) => join(place, name))))
    await expect(ask('files.write', { path, hash, size: 1, from: 0 }).result).rejects.toThrow(
      'refused: Schedules of setpoints reach this device by a signed order alone',
    );
  // What a control.yaml says is edited in its form.
  await expect(ask('files.part', { path: join(own, 'control.yaml'), hash }).result).resolves.toEqual({
    bytes: 0,
  });
  const put = { plugin: 'pv-control', name: 'other', isDisabled: false, files: {} };
  for (const file of [
    rows(join(folder, 'tmp/control.yaml')),
    rows(join(services, 'files/other.config_file'), [',folder', `,${join(folder, 'tmp')}`]),
    rows(join(services, 'files/other.config_file'), [',folder', `,${own}/../x`]),
  ]) {
    const refusal = `refused: Schedules of PV control lie in ${own}`;
    await expect(ask('services.put', { ...put, file }).result).rejects.toThrow(refusal);
    const activity = { type: 'service', name: 'other', isDisabled: false, file, files: {} };
    await expect(
      ask('activities.put', { plugin: 'pv-control', activity, replaces: null }).result,
    ).rejects.toThrow(refusal);
    const written = ask('files.write', {
      ...{ path: join(services, 'other'), size: Buffer.byteLength(file), from: 0 },
      hash: createHash('sha256').update(file).digest('hex'),
    });
    await written.end.write(Buffer.from(file));
    await written.end.say({ t: 'end' });
    await expect(written.result).rejects.toThrow(refusal);
    const path = '/etc/albedo/services/other';
    const backup = {
      v: 1,
      at: 0,
      files: [{ path, mode: 0o640, content: Buffer.from(file).toString('base64') }],
    };
    const bytes = gzipSync(JSON.stringify({ ...backup, plugins: [] }));
    const restore = ask('backup.restore', {
      hash: createHash('sha256').update(bytes).digest('hex'),
      size: bytes.length,
    });
    await restore.end.write(bytes);
    await restore.end.say({ t: 'end' });
    await expect(restore.result).rejects.toThrow(refusal);
  }
  const unsigned = await ask('schedules.order', { order: 'e30.e30.e30' }).result.catch(String);
  expect(unsigned).toMatch(/Error: /);
  expect([existsSync(join(own, kept[0] as string)), existsSync(join(services, 'other'))]).toEqual([
    false,
    false,
  ]);
});
