import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deviceMeta, resolveFields } from '@albedo/contract/devices/meta.schema';
import { metaMessage, statusMessage } from '@albedo/contract/link/link.messages';
import { MqttClient } from 'mqtt';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Agent } from './agent.ts';
import { IdentityFiles } from './link/identity-files.ts';
import { createLog } from './log.ts';
import { rootAt } from './root.ts';
import { TestCloud } from './testing/test-cloud.ts';

const QUIET = 'machine: false\n';
const HEADER = '# Datetime(date),AC Power(decimal:W),Mode(keyword)\n';

let cloud: TestCloud;
let root: string;
let agent: Agent | null = null;
const lines: string[] = [];

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'albedo-agent-'));
  cloud = new TestCloud();
  await cloud.start();
  lines.length = 0;
});
afterEach(async () => {
  vi.restoreAllMocks();
  await agent?.stop();
  agent = null;
  await cloud.remove();
  rmSync(root, { recursive: true, force: true });
});

async function run(yaml = QUIET): Promise<void> {
  await cloud.provision(root, yaml);
  startAgent();
}

function startAgent(trial: { goBackMs?: number } = {}): void {
  agent = new Agent(
    rootAt(root),
    createLog('debug', (line) => lines.push(line)),
    undefined,
    trial,
  );
  agent.start();
}

function put(path: string, text: string): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const iso = (at: number) => new Date(at).toISOString().replace('Z', '+0000');
const line = (n: number, at = Date.now()) => `${iso(at)},${n},run\n`;

test('what it is asked at the very moment it begins to listen is answered, however slow the broker is', async () => {
  const { subscribe } = MqttClient.prototype;
  // Each word that a channel is listened to comes late.
  vi.spyOn(MqttClient.prototype, 'subscribe').mockImplementation(function (
    this: MqttClient,
    ...given: unknown[]
  ) {
    const told = given.pop() as (...words: unknown[]) => void;
    const late = (...words: unknown[]) => setTimeout(() => told(...words), 300);
    return subscribe.apply(this, [...given, late] as never);
  } as never);
  await run();
  expect(await cloud.askAtOnce('config.read', {})).toMatchObject({ t: 'done' });
});

/** Applies from the cloud what leads nowhere: the port of the broker one too high. */
async function applyWrongPort(): Promise<{ before: string; wrong: string }> {
  const file = join(root, 'etc/albedo/albedo.yaml');
  const before = readFileSync(file, 'utf8');
  const wrong = before.replace(/port: (\d+)/, (_, port: string) => `port: ${Number(port) + 1}`);
  expect(await cloud.askAtOnce('config.apply', { text: wrong, over: null })).toMatchObject({ t: 'done' });
  expect(readFileSync(file, 'utf8')).toBe(wrong);
  return { before, wrong };
}

test('a wrong port that was applied is put back when no connection follows, and the device says so', async () => {
  await cloud.provision(root, QUIET);
  startAgent({ goBackMs: 1500 });
  const { before, wrong } = await applyWrongPort();
  const file = join(root, 'etc/albedo/albedo.yaml');
  const told = () => statusMessage.safeParse(cloud.last('status')).data?.wentBack;
  await cloud.until(() => told() !== undefined, 'the word of it', 20_000);
  expect(readFileSync(file, 'utf8')).toBe(before);
  const hash = createHash('sha256').update(wrong).digest('hex');
  expect(told()).toMatchObject({ kind: 'config', name: '/etc/albedo/albedo.yaml', hash });
  expect(told()?.why).toMatch(/^no connection followed within 2 s \(.*ECONNREFUSED/);
  await cloud.until(
    () => cloud.rows('agent_errors').some(({ values }) => String(values.message).includes('no connection')),
    'the event',
  );
});

test('an agent that is ended while it tries a wrong port goes back after its next start', async () => {
  await cloud.provision(root, QUIET);
  startAgent({ goBackMs: 60_000 });
  const { before } = await applyWrongPort();
  await agent?.stop();
  startAgent({ goBackMs: 1500 });
  const told = () => statusMessage.safeParse(cloud.last('status')).data?.wentBack;
  await cloud.until(() => told() !== undefined, 'the word of it', 20_000);
  expect(readFileSync(join(root, 'etc/albedo/albedo.yaml'), 'utf8')).toBe(before);
});

/** A device whose certificate was taken not long ago: the one before still lies beside it. */
async function withPairBefore() {
  await cloud.provision(root, QUIET);
  const key = (name: string) => join(root, 'etc/albedo/keys', name);
  const { certPem, keyPem, serial } = await cloud.reissue();
  for (const name of ['client.crt', 'client.key']) renameSync(key(name), key(`${name}.before`));
  writeFileSync(key('client.crt'), certPem);
  writeFileSync(key('client.key'), keyPem);
  return { key, certPem, serial: serial.toLowerCase() };
}

test('a certificate that was taken and is refused since gives its place to the one before, and the device says so', async () => {
  const { key, serial } = await withPairBefore();
  cloud.revoked.add(serial);
  const first = readFileSync(key('client.crt.before'), 'utf8');
  startAgent();
  const told = () => statusMessage.safeParse(cloud.last('status')).data?.wentBack;
  await cloud.until(() => told() !== undefined, 'the word of it', 20_000);
  expect(told()).toMatchObject({ kind: 'certificate', why: expect.stringContaining('does not take') });
  expect(readFileSync(key('client.crt'), 'utf8')).toBe(first);
  expect(existsSync(key('client.crt.before'))).toBe(false);
});

test('a cloud that nobody reaches costs a new certificate nothing', async () => {
  const { key, certPem } = await withPairBefore();
  await cloud.stop();
  const read = vi.spyOn(IdentityFiles.prototype, 'read');
  startAgent();
  await vi.waitUntil(() => read.mock.calls.length > 2, 20_000);
  await cloud.start();
  await cloud.until(() => cloud.last('status') !== undefined, 'the connection', 20_000);
  expect(new Set(read.mock.results.map(({ value }) => value.place))).toEqual(new Set(['own']));
  expect(readFileSync(key('client.crt'), 'utf8')).toBe(certPem);
  expect(existsSync(key('client.crt.before'))).toBe(true);
});

test('a line of latest.csv reaches the cloud typed, and is forgotten when it is stored', async () => {
  await run();
  put('opt/albedo/logs/solar/10.0.0.5/502/latest.csv', HEADER + line(1.5, 1_700_000_000_123));
  await cloud.until(() => cloud.rows('solar').length === 1, 'the event');
  expect(cloud.rows('solar')).toEqual([
    {
      table: 'solar',
      source: '10.0.0.5/502',
      eventAt: 1_700_000_000_123,
      values: { 'AC Power': 1.5, Mode: 'run' },
    },
  ]);
  expect(cloud.batches[0]?.streams[0]?.fields).toEqual([
    { name: 'AC Power', type: 'decimal', units: 'W' },
    { name: 'Mode', type: 'keyword' },
  ]);
});

test('meta and status follow the contract, and equal field lists are references', async () => {
  put('opt/albedo/logs/solar/inv-1/latest.csv', HEADER + line(1));
  put('opt/albedo/logs/solar/inv-2/latest.csv', HEADER + line(2));
  await run(`${QUIET}shared: &list [{name: x, expect: decimal}]
tail:
  - {table: meter, source: grid, file: /var/meter.csv, expect: csv, fields: *list}`);
  const found = () => deviceMeta.parse((cloud.last('meta') as { meta?: unknown })?.meta ?? {});
  await cloud.until(() => found().dynamic.length === 2, 'the meta');
  const { meta } = metaMessage.parse(cloud.last('meta'));
  expect(meta.dynamic.map((one) => typeof one.fields)).toEqual(['object', 'string']);
  const [, second] = meta.dynamic;
  expect(resolveFields(meta, 'dynamic', second ?? { table: '', source: '' }).map((one) => one.name)).toEqual([
    'Datetime',
    'AC Power',
    'Mode',
  ]);
  expect(meta.tail[0]).toMatchObject({ fieldAnchor: 'list' });
  expect(resolveFields(meta, 'tail', meta.tail[0] ?? { table: '', source: '' })).toEqual([
    { name: 'x', expect: 'decimal' },
  ]);
  const status = statusMessage.parse(cloud.last('status'));
  expect(status.os).toBeTruthy();
  expect(status.outboxLimitBytes).toBe(256 * 1024 * 1024);
});

test('what happened while the cloud was away arrives later, each event once', async () => {
  const file = put('opt/albedo/logs/solar/inv/latest.csv', HEADER);
  await run();
  appendFileSync(file, line(0));
  await cloud.until(() => cloud.rows('solar').length === 1, 'the first event');
  await cloud.stop();
  for (let n = 1; n < 50; n++) appendFileSync(file, line(n));
  await cloud.start();
  await cloud.until(() => cloud.rows('solar').length === 50, 'the others');
  const values = cloud.rows('solar').map((row) => row.values['AC Power']);
  expect(values).toEqual(Array.from({ length: 50 }, (_, n) => n));
  expect(new Set(values).size).toBe(50);
});

test('a batch that was not acknowledged is sent again as the same batch after a reconnection', async () => {
  cloud.acknowledges = false;
  const file = put('opt/albedo/logs/solar/inv/latest.csv', HEADER);
  await run();
  appendFileSync(file, line(1));
  await cloud.until(() => cloud.batches.length > 0, 'a batch');
  const [first] = cloud.batches;
  await cloud.stop();
  cloud.acknowledges = true;
  await cloud.start();
  await cloud.until(() => cloud.rows('solar').length === 1, 'the event');
  expect(cloud.batches[1]).toEqual(first);
});

test('a batch that the cloud was too busy to take goes again when the pause ends', async () => {
  cloud.isBusy = true;
  put('opt/albedo/logs/solar/inv/latest.csv', HEADER + line(0));
  await run();
  await cloud.until(() => cloud.batches.length > 0, 'the batch that is refused');
  cloud.isBusy = false;
  await cloud.until(() => cloud.rows('solar').length === 1, 'the same batch again', 5000);
});

test('a new listener is sent again what nobody acknowledged, and the meta that it may have missed', async () => {
  cloud.acknowledges = false;
  put('opt/albedo/logs/solar/inv/latest.csv', HEADER + line(0));
  await run();
  await cloud.until(() => cloud.batches.length > 0, 'the batch');
  const metas = () => cloud.received.filter(({ channel }) => channel === 'meta').length;
  const [before, batches] = [metas(), cloud.batches.length];
  cloud.acknowledges = true;
  await cloud.newListener();
  await cloud.until(() => cloud.rows('solar').length === 1, 'the same batch again', 5000);
  await cloud.until(() => metas() > before, 'the meta again', 5000);
  expect(cloud.batches[batches]).toEqual(cloud.batches[0]);
});

test('live events overtake a year of back-fill, which comes newest first', async () => {
  const yearAgo = Date.now() - 365 * 86_400_000;
  const history = Array.from({ length: 20_000 }, (_, n) => line(n, yearAgo + n * 60_000)).reverse();
  put('opt/albedo/history/solar/inv/latest.csv', HEADER + history.join(''));
  const file = put('opt/albedo/logs/solar/inv/latest.csv', HEADER);
  cloud.pauseMs = 300;
  await run(`${QUIET}dynamic_tail:
  - {directory: /opt/albedo/logs}
  - {directory: /opt/albedo/history}`);
  await cloud.until(() => cloud.stored.size > 1000, 'the beginning of the back-fill');
  appendFileSync(file, line(-1));
  await cloud.until(() => cloud.rows('solar').some((row) => row.values['AC Power'] === -1), 'the live event');
  expect(cloud.stored.size).toBeLessThan(20_001);
  cloud.pauseMs = undefined;
  await cloud.until(() => cloud.stored.size === 20_001, 'all of it', 20_000);
  const firstBatch = cloud.batches.find((batch) => batch.streams.some((one) => one.rows.length > 100));
  const times = firstBatch?.streams.flatMap((one) => one.rows.map((row) => row[1])) ?? [];
  expect(times).toEqual([...times].sort((a, b) => b - a));
}, 30_000);

test('a live feed shows events as they arrive, until it is stopped', async () => {
  const file = put('opt/albedo/logs/solar/inv/latest.csv', HEADER + line(0));
  await run();
  await cloud.until(() => cloud.rows('solar').length === 1, 'the link');
  cloud.acknowledges = false;
  await cloud.request({ action: 'feed', feedId: 'f1', table: 'solar', source: 'inv', ttlS: 60 });
  await cloud.request({ action: 'refreshMeta', correlationId: 'r1' });
  await cloud.until(() => cloud.last('reply')?.correlationId === 'r1', 'the reply');
  const at = Date.now();
  appendFileSync(file, line(7, at));
  await cloud.until(() => cloud.last('live') !== undefined, 'a sample');
  expect(cloud.last('live')).toEqual({
    feedId: 'f1',
    table: 'solar',
    source: 'inv',
    events: [[at, { 'AC Power': 7, Mode: 'run' }]],
  });
  await cloud.request({ action: 'feedStop', feedId: 'f1' });
  await cloud.request({ action: 'refreshMeta', correlationId: 'r2' });
  await cloud.until(() => cloud.last('reply')?.correlationId === 'r2', 'the reply');
  const count = cloud.batches.length;
  appendFileSync(file, line(8));
  await cloud.until(() => cloud.batches.length > count, 'the batch');
  expect(cloud.received.filter((one) => one.channel === 'live').length).toBe(1);
});

test('a command answers with both outputs and its code; one that takes too long is killed with its children', async () => {
  await run();
  await cloud.until(() => cloud.last('status') !== undefined, 'the link');
  const reply = (id: string) =>
    cloud.received.find((one) => one.channel === 'reply' && one.message.correlationId === id)?.message;
  const ask = (correlationId: string, cmd: string, more = {}) =>
    cloud.request({ action: 'cmd', correlationId, cmd, timeoutS: 10, disown: false, ...more });
  await ask('a', 'echo out; echo err >&2; exit 3');
  await ask('b', 'sleep 100 & echo $!; wait', { timeoutS: 1 });
  await ask('c', 'head -c 3000000 /dev/zero | tr "\\0" x');
  await cloud.until(() => Boolean(reply('a') && reply('b') && reply('c')), 'the replies');
  expect(reply('a')).toMatchObject({ complete: true, stdout: 'out\n', stderr: 'err\n', returnCode: 3 });
  expect(reply('b')).toMatchObject({ killed: true, returnCode: null });
  const child = Number(String(reply('b')?.stdout).trim());
  await cloud.until(() => !existsSync(`/proc/${child}`) || isZombie(child), 'the child to be gone');
  expect(String(reply('c')?.stdout)).toMatch(/x\n\[cut: \d+ more/);
});

test('a disowned command answers its process id at once and lives on without the agent', async () => {
  await run();
  await cloud.until(() => cloud.last('status') !== undefined, 'the link');
  const flag = join(root, 'go');
  const cmd = `while [ ! -e ${flag} ]; do sleep 0.05; done; echo done > ${flag}.done`;
  await cloud.request({ action: 'cmd', correlationId: 'd', cmd, timeoutS: 10, disown: true });
  await cloud.until(() => cloud.last('reply')?.correlationId === 'd', 'the reply');
  expect(cloud.last('reply')).toMatchObject({ complete: true, pid: expect.any(Number), returnCode: null });
  await agent?.stop();
  agent = null;
  writeFileSync(flag, '');
  await cloud.until(() => existsSync(`${flag}.done`), 'the command to end');
});

test('run, tail, watch, unix_socket and task folders all become events', async () => {
  put('var/meter.log', '');
  put('etc/plant.conf', 'a = 1');
  await run(`${QUIET}run:
  - {table: site, source: door, command: 'echo 21.5; echo wrong >&2; exit 4', frequency: 3600, expect: decimal, meta: {units: °C}}
  - {table: site, source: pair, command: 'printf "1,x\\n2,y\\n"', frequency: 3600, expect: csv, fields: [{name: n, expect: integer}, {name: s, expect: keyword}]}
tail:
  - {table: notes, source: log, file: /var/meter.log, expect: log}
watch:
  - {table: files, source: conf, file: /etc/plant.conf, send_file: true}
unix_socket:
  - {table: fast, source: sock, socket: fast.sock, expect: integer}
run_dir:
  - {directory: /opt/tasks, frequency: 1}`);
  await cloud.until(() => cloud.rows('site').length === 3, 'the commands');
  expect(cloud.rows('site', 'door')[0]?.values).toEqual({ value: 21.5 });
  expect(cloud.rows('site', 'pair').map((row) => row.values)).toEqual([
    { n: 1, s: 'x' },
    { n: 2, s: 'y' },
  ]);
  await cloud.until(() => cloud.rows('files').length === 1, 'the watched file');
  appendFileSync(join(root, 'var/meter.log'), 'hello\nhalf');
  const socket = connect(join(root, 'run/albedo/fast.sock'));
  socket.write('41\n4');
  socket.end('2\n');
  writeFileSync(join(root, 'etc/plant.conf'), 'a = 2');
  const task = put('opt/tasks/hello', '#!/bin/sh\necho "from $ALBEDO_ROOT"\n');
  put('opt/tasks/ignored', 'echo never\n');
  chmodSync(task, 0o755);
  await cloud.until(() => cloud.rows('fast').length === 2, 'the socket');
  await cloud.until(() => cloud.rows('files').length === 2, 'the watched file');
  await cloud.until(() => cloud.rows('run').length > 0, 'the task');
  await cloud.until(() => cloud.rows('notes').length === 1, 'the tail');
  await cloud.until(() => cloud.rows('agent_errors', 'door').length === 2, 'the errors');
  expect(cloud.rows('fast').map((row) => row.values)).toEqual([{ value: 41 }, { value: 42 }]);
  expect(cloud.rows('notes').map((row) => row.values)).toEqual([{ value: 'hello' }]);
  expect(cloud.rows('files').map((row) => [row.values.change, row.values.content])).toEqual([
    ['found', 'a = 1'],
    ['changed', 'a = 2'],
  ]);
  expect(cloud.rows('run')[0]).toMatchObject({ source: '1s/hello', values: { value: `from ${root}` } });
  expect(cloud.rows('run').every((row) => row.source === '1s/hello')).toBe(true);
  expect(cloud.rows('agent_errors', 'door').map((row) => row.values.message)).toEqual([
    'wrong',
    'the command ended with code 4',
  ]);
});

test('this machine is measured', async () => {
  await run('');
  await cloud.until(() => cloud.rows('machine').length > 0 && cloud.rows('data').length > 0, 'measurements');
  expect(cloud.rows('machine')[0]?.values).toMatchObject({
    cpu_usage: expect.any(Number),
    memory_usage: expect.any(Number),
    disk_usage: expect.any(Number),
    load: expect.any(Number),
  });
  expect(cloud.rows('data')[0]).toMatchObject({
    source: 'agent',
    values: { cpu_usage: expect.any(Number) },
  });
});

test('a changed configuration is taken up, a spoilt one is reported and the one before stays', async () => {
  await run();
  await cloud.until(() => cloud.last('status') !== undefined, 'the link');
  await cloud.provision(
    root,
    `${QUIET}run:\n  - {table: a, source: b, command: echo 1, frequency: 3600, expect: integer}`,
  );
  await cloud.until(() => cloud.rows('a').length === 1, 'the new scenario');
  writeFileSync(join(root, 'etc/albedo/albedo.yaml'), 'mqtt: [');
  await cloud.until(() => cloud.rows('agent_errors').length === 1, 'the report');
  expect(cloud.rows('agent_errors')[0]?.values.message).toMatch(/albedo\.yaml, line 1: .*stays in force/s);
  const told = () => (cloud.last('status') as { fallbackError?: string }).fallbackError;
  await cloud.until(() => told()?.includes('line 1') === true, 'the reason in what it says of itself');
  await agent?.stop();
  startAgent();
  expect(lines.join('')).toMatch('goes on with the last good configuration');
  await cloud.until(() => cloud.rows('a').length === 2, 'the scenario after a restart');
  await cloud.until(() => told()?.includes('line 1') === true, 'the reason after a restart');
  await cloud.provision(root, QUIET);
  await cloud.until(() => told() === undefined, 'that all is well again');
});

test('an agent without any good configuration says what is wrong', () => {
  expect(
    () =>
      new Agent(
        rootAt(root),
        createLog('error', () => {}),
      ),
  ).toThrow(/albedo\.yaml cannot be read: ENOENT/);
});

test('a bad scenario is reported and the others run', async () => {
  await run(`${QUIET}colour: blue
run:
  - {table: a.b, source: c, command: echo 1, frequency: 1, expect: decimal}
  - {table: a, source: d, command: echo 1, frequency: 3600, expect: decimal}`);
  await cloud.until(() => cloud.rows('a').length === 1, 'the good one');
  await cloud.until(() => cloud.rows('agent_errors').length === 2, 'the reports');
  const messages = cloud.rows('agent_errors').map((row) => row.values.message);
  expect(messages[0]).toMatch(/unknown key "colour"/);
  expect(messages[1]).toMatch(/run entry 1 key "table" is left out/);
});

test('a broker that is not trusted, and keys that are missing, are named', async () => {
  await cloud.provision(root, QUIET);
  const other = new TestCloud();
  await other.start();
  const key = join(root, 'etc/albedo/keys/ca-chain.crt');
  const good = readFileSync(key);
  const elsewhere = mkdtempSync(join(tmpdir(), 'albedo-agent-'));
  await other.provision(elsewhere);
  renameSync(join(elsewhere, 'etc/albedo/keys/ca-chain.crt'), key);
  startAgent();
  await cloud.until(() => lines.some((one) => one.includes('is not trusted')), 'the message');
  rmSync(key);
  await cloud.until(() => lines.some((one) => one.includes('mqtt.cacertfile cannot be read')), 'the message');
  writeFileSync(key, good);
  await cloud.until(() => cloud.last('status') !== undefined, 'the link');
  await other.remove();
  rmSync(elsewhere, { recursive: true });
});

test('a device certificate that the broker does not know is named', async () => {
  const other = new TestCloud();
  await other.start();
  await other.provision(root, QUIET);
  const foreign = ['crt', 'key'].map((end) => readFileSync(join(root, `etc/albedo/keys/client.${end}`)));
  await cloud.provision(root, QUIET);
  ['crt', 'key'].forEach((end, at) => {
    writeFileSync(join(root, `etc/albedo/keys/client.${end}`), foreign[at] ?? '');
  });
  startAgent();
  await cloud.until(
    () => lines.some((one) => /refused (this device's|the) certificate/.test(one)),
    'the message',
  );
  await other.remove();
});

function isZombie(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    // Gone between two looks.
    return true;
  }
}
