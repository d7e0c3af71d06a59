/** What people do to devices from the cloud, with the real agent as a process of its own. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { BrowserSocket } from '../apps/cloud/src/testing/browser-socket.ts';
import { auditOf, OWNER } from '../apps/cloud/src/testing/test-cloud.ts';
import { confirmed } from './harness/confirmed.ts';
import { agent, ask, browser, cloud, onDevice, token, withDevice } from './harness/owners-device.ts';
import { startRealAgent } from './harness/real-agent.ts';

withDevice('Hilltop');

test('a configuration is read, tested, applied with what stands on the disk then, and taken up', async () => {
  const read = await cloud.call('GET', onDevice('config'), { token });
  expect(read).toMatchObject({ status: 200, body: { problems: [] } });
  const entry = 'run:\n  - {table: board, source: load, command: "echo 7", frequency: 1, expect: integer}\n';
  const tested = await ask('device:testConfig', { config: `${read.body.text}run: [{}]\n` });
  expect(tested.data).toMatchObject({
    isUsable: true,
    problems: [{ isFatal: false, line: expect.any(Number) }],
  });

  const captured = browser.event<{ meta: { run: object[] } }>(
    'device:metaChange',
    ({ meta }) => meta.run.length > 0,
  );
  const config = `${read.body.text}timezone: UTC\ndynamic: []\n${entry}`;
  const applied = await ask('device:applyConfig', { config, over: read.body.hash });
  expect(applied.data).toMatchObject({ isApplied: true });
  const onDisk = readFileSync(join(agent.root, 'etc/albedo/albedo.yaml'), 'utf8');
  expect(applied.data).toMatchObject({ config: { text: onDisk } });
  expect(onDisk).toContain('table: board');
  expect(onDisk).not.toMatch(/timezone|dynamic/);
  expect((await captured).meta.run).toContainEqual(expect.objectContaining({ table: 'board' }));
  const fresh = await ask('device:refreshMeta', {});
  expect(fresh.data).toMatchObject({
    run: expect.arrayContaining([expect.objectContaining({ table: 'board' })]),
  });
  expect(await auditOf(cloud, 'main')).toContainEqual(
    expect.objectContaining({ controller: 'device_config', action: 'update', device: agent.device.id }),
  );

  const late = await ask('device:applyConfig', { config: onDisk, over: read.body.hash });
  expect(late.error).toMatchObject({ error: 'device.changed' });
  const broken = await ask('device:applyConfig', { config: 'mqtt: [' });
  expect(broken.data).toMatchObject({
    isApplied: false,
    isUsable: false,
    problems: [{ line: 1, isFatal: true }],
  });
});

test('what stands on the device is compared with what it should have, since when, and taken as it is', async () => {
  const file = join(agent.root, 'etc/albedo/albedo.yaml');
  const twin = async () => (await cloud.call('GET', onDevice('twin'), { token })).body;
  expect(await twin()).toMatchObject({ desired: { by: OWNER.email }, differsSince: null });
  const own = `${readFileSync(file, 'utf8')}# changed in the plant\n`;
  writeFileSync(file, own);
  await expect.poll(twin, { timeout: 20_000 }).toMatchObject({ reported: { text: own } });
  const { desired, differsSince } = await twin();
  expect(desired.text).not.toContain('changed in the plant');
  const seen = async () => {
    const { body } = await cloud.call('GET', 'devices/main', { token });
    return body.find(({ id }: { id: string }) => id === agent.device.id).facts.configDiffersSince;
  };
  expect(differsSince).toBeGreaterThan(Date.now() - 60_000);
  expect(await seen()).toBe(differsSince);
  const kept = await cloud.call('PUT', onDevice('twin'), { token, body: { text: own } });
  expect(kept).toMatchObject({ status: 200, body: { differsSince: null, desired: { text: own } } });
  expect(await seen()).toBeNull();
  const connection = await cloud.call('GET', onDevice('connection'), { token });
  expect(connection).toMatchObject({ status: 200, body: { days: 7, drops: 0, lastDropAt: null } });
});

test('who may not control devices reads and writes no configuration', async () => {
  const reader = await cloud.newUser({ main: { role: 'readonly', permissions: ['read'] } });
  expect((await cloud.call('GET', onDevice('config'), { token: reader })).status).toBe(403);
  const socket = await new BrowserSocket(cloud, { token: reader, orgName: 'main' }).connected();
  const reply = await socket.call('device:applyConfig', { deviceId: agent.device.id, config: '' });
  expect(reply.error?.error).toBe('access.permission_missing');
  socket.close();
});

test('a command is there and back well under 300 ms', async () => {
  const times: number[] = [];
  for (let round = 0; round < 20; round++) {
    const beganAt = performance.now();
    const { data } = await ask('device:cmd', { cmd: 'true' });
    expect(data).toMatchObject({ returnCode: 0 });
    times.push(performance.now() - beganAt);
  }
  const median = times.toSorted((a, b) => a - b)[10] ?? 0;
  console.log(`command round trip, median: ${median.toFixed(1)} ms`);
  expect(median).toBeLessThan(300);
});

/** Opens a terminal; `text` is what was on its screen so far. */
async function openShell(fresh: string) {
  const opened = await cloud.call('POST', onDevice('shells'), { token: fresh });
  expect(opened.status).toBe(200);
  const socket = await new BrowserSocket(cloud, { token: fresh, orgName: 'main' }).connected();
  const of = { deviceId: agent.device.id, shellId: opened.body.id as string };
  let text = '';
  const ready = Promise.withResolvers<void>();
  const end = socket.call('device:shell', { ...of, cols: 80, rows: 24 }, ({ data }) => {
    ready.resolve();
    const { output = '' } = (data ?? {}) as { output?: string };
    text += Buffer.from(output, 'base64').toString();
  });
  const say = (what: object) => socket.call('device:shell:say', { ...of, ...what });
  const seen = (wanted: string) =>
    expect.poll(() => text, { timeout: 30_000, interval: 2 }).toContain(wanted);
  await ready.promise;
  return { id: of.shellId, socket, end, say, seen };
}

test('a terminal takes a confirmation of its own, is in the audit log before it is there, and can be played again', async () => {
  const stale = await confirmed(cloud, 600);
  expect(await cloud.call('POST', onDevice('shells'), { token: stale })).toMatchObject({
    body: { error: 'session.not_fresh' },
  });
  const fresh = await confirmed(cloud, 0);
  const shell = await openShell(fresh);
  expect(await auditOf(cloud, 'main')).toContainEqual(
    expect.objectContaining({
      controller: 'remote_shell',
      action: 'open',
      entity: shell.id,
      user_id: OWNER.email,
    }),
  );
  // The same confirmation opens no second one.
  expect(await cloud.call('POST', onDevice('shells'), { token: fresh })).toMatchObject({
    body: { error: 'session.not_fresh' },
  });
  await shell.say({ keys: 'echo "sum $((20+22))"\r' });
  await shell.seen('sum 42');
  await shell.say({ size: { cols: 101, rows: 33 }, keys: 'stty size; exit 3\r' });
  await shell.seen('33 101');
  expect((await shell.end).data).toEqual({ end: 'exit', exitCode: 3 });
  expect((await shell.say({ keys: 'x' })).error?.error).toBe('shell.over');
  const list = await cloud.call('GET', onDevice('shells'), { token });
  expect(list.body[0]).toMatchObject({ id: shell.id, by: OWNER.email, end: 'exit' });
  const { body } = await cloud.call('GET', onDevice(`shells/${shell.id}/recording`), { token });
  const shown = (body.parts as { output: string | null }[]).map(({ output }) =>
    Buffer.from(output ?? '', 'base64'),
  );
  expect(Buffer.concat(shown).toString()).toContain('sum 42');
  expect(body.parts).toContainEqual(expect.objectContaining({ size: { cols: 101, rows: 33 } }));
  shell.socket.close();
}, 90_000);

test('a key is echoed well under 100 ms', async () => {
  const shell = await openShell(await confirmed(cloud));
  // Until the program runs, the terminal belongs to the shell, which does not echo what comes meanwhile.
  await shell.say({ keys: "echo rea''dy; cat >/dev/null\r" });
  await shell.seen('ready');
  const times: number[] = [];
  for (let round = 0; round < 20; round++) {
    const key = `k${round}.`;
    const beganAt = performance.now();
    void shell.say({ keys: key });
    await shell.seen(key);
    times.push(performance.now() - beganAt);
  }
  const median = times.toSorted((a, b) => a - b)[10] ?? 0;
  console.log(`keystroke echo, median: ${median.toFixed(1)} ms`);
  expect(median).toBeLessThan(100);
  shell.socket.close();
  await expect
    .poll(async () => (await cloud.call('GET', onDevice('shells'), { token })).body[0].end)
    .toBe('left');
}, 90_000);

test('more output than anybody reads waits on the device', async () => {
  const shell = await openShell(await confirmed(cloud));
  let bytes = 0;
  shell.socket.socket.on('device:shell', ({ data }) => {
    bytes += Buffer.from(data?.output ?? '', 'base64').length;
  });
  await shell.say({ keys: 'yes aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r' });
  await expect.poll(() => bytes).toBeGreaterThan(256 * 1024);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const before = bytes;
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(bytes).toBe(before);
  await shell.say({ shown: bytes });
  await expect.poll(() => bytes).toBeGreaterThan(before);
  shell.socket.close();
}, 90_000);

test('an owner ends and forbids all remote access with one switch', async () => {
  const shell = await openShell(await confirmed(cloud));
  const admin = await cloud.newUser({ main: { role: 'admin', permissions: ['manageAccess'] } });
  const forbid = (by: string, isAllowed = false) =>
    cloud.call('PUT', 'orgs/main/remote-access', { token: by, body: { isAllowed } });
  expect(await forbid(admin)).toMatchObject({ status: 403, body: { error: 'remote_access.owners_only' } });
  expect((await forbid(token)).status).toBe(200);
  expect((await shell.end).data).toMatchObject({ end: 'switched_off' });
  expect(await cloud.call('POST', onDevice('shells'), { token: await confirmed(cloud) })).toMatchObject({
    body: { error: 'remote_access.off' },
  });
  expect((await forbid(await confirmed(cloud, 0), true)).body).toMatchObject({
    isAllowed: true,
    changedBy: OWNER.email,
  });
  shell.socket.close();
}, 90_000);

test('a saved command runs on many devices, each value one word to the shell, and nothing runs where nobody is', async () => {
  const { devices } = cloud.cloud.features;
  const away = await devices.create('main', { name: 'Away', arch: 'amd64', ced: false }, null);
  const body = {
    name: 'Say',
    command: 'echo "got" {what}; exit {code}',
    parameters: [{ name: 'what' }, { name: 'code', type: 'number', default: '0' }],
  };
  const saved = await cloud.call('POST', onDevice('commands'), { token, body });
  expect(saved).toMatchObject({ status: 200, body: { device: null, name: 'Say' } });
  for (const path of [onDevice('commands'), 'devices/main/device/commands'])
    expect((await cloud.call('GET', path, { token })).body).toContainEqual(saved.body);
  expect(await cloud.call('POST', onDevice('commands'), { token, body })).toMatchObject({
    body: { error: 'device_command.name_taken' },
  });
  const run = (values: object, of = [agent.device.id, away.id]) =>
    cloud.call('POST', `devices/main/device/commands/${saved.body._id}/run`, {
      token,
      body: { devices: of, values },
    });
  expect(await run({})).toMatchObject({ status: 400, body: { error: 'device_command.value_missing' } });
  const begun = await run({ what: "it's; id" });
  expect(begun.status).toBe(200);
  const outcomes = async () =>
    (await cloud.call('GET', `command-runs/main/${begun.body.id}`, { token })).body;
  await expect.poll(outcomes, { timeout: 15_000 }).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        deviceId: agent.device.id,
        state: 'done',
        stdout: "got it's; id\n",
        returnCode: 0,
      }),
      expect.objectContaining({ deviceId: away.id, state: 'offline', stdout: '' }),
    ]),
  );
  expect(await auditOf(cloud, 'main')).toContainEqual(
    expect.objectContaining({
      controller: 'device_command',
      action: 'run',
      device: agent.device.id,
      user_id: OWNER.email,
    }),
  );
  const bad = await run({ what: 'x', code: '3' }, [agent.device.id]);
  const failed = async () => (await cloud.call('GET', `command-runs/main/${bad.body.id}`, { token })).body;
  await expect.poll(failed, { timeout: 15_000 }).toMatchObject([{ state: 'failed', returnCode: 3 }]);
  const reader = await cloud.newUser({ main: { role: 'readonly', permissions: ['read'] } });
  const refused = { token: reader, body: { devices: [away.id] } };
  expect(
    (await cloud.call('POST', `devices/main/device/commands/${saved.body._id}/run`, refused)).status,
  ).toBe(403);
}, 60_000);

test('the device tells its network, and finds what listens in it', async () => {
  const network = await cloud.call('GET', onDevice('interfaces'), { token });
  expect(network.body.interfaces).toContainEqual(expect.objectContaining({ name: 'lo', isInternal: true }));
  const mqtt = cloud.cloud.mqttPort ?? 0;
  const services = await cloud.call('POST', onDevice('openServices'), { token });
  expect(services.body).toContainEqual(expect.objectContaining({ protocol: 'tcp', port: mqtt }));
  expect((await cloud.call('GET', onDevice('nmapscan'), { token })).body).toBeNull();
  const wrong = { targets: 'example.org; id', ports: '1' };
  expect((await cloud.call('PUT', onDevice('nmapscan'), { token, body: wrong })).status).toBe(400);
  const body = { targets: '127.0.0.1', ports: `1,${mqtt}` };
  expect((await cloud.call('PUT', onDevice('nmapscan'), { token, body })).status).toBe(200);
  const newest = async () => (await cloud.call('GET', onDevice('nmapscan'), { token })).body;
  await expect
    .poll(newest, { timeout: 15_000 })
    .toMatchObject({ by: OWNER.email, found: [{ ip: '127.0.0.1', port: mqtt }] });
}, 90_000);

test.each([
  ['modbus', { targets: '127.0.0.1', port: 1, units: '1' }],
  ['arpscan', { targets: '127.0.0.1' }],
])(
  'a scan by %s is a long action, and its findings are kept',
  async (scan, body) => {
    expect((await cloud.call('GET', onDevice(scan), { token })).body).toBeNull();
    expect(await cloud.call('PUT', onDevice(scan), { token, body })).toMatchObject({ status: 200 });
    const newest = async () => (await cloud.call('GET', onDevice(scan), { token })).body;
    await expect.poll(newest, { timeout: 30_000 }).toMatchObject({ by: OWNER.email, input: body, found: [] });
  },
  60_000,
);

test('files go both ways, a large one in slices that go on where it was cut', async () => {
  const folder = join(agent.root, 'tmp');
  mkdirSync(folder);
  const form = (fields: object, bytes: Buffer, name = 'a.bin') => {
    const data = new FormData();
    for (const [key, value] of Object.entries(fields)) data.append(key, String(value));
    data.append('files', new Blob([bytes]), name);
    return data;
  };
  const small = await cloud.call('PUT', onDevice('files'), {
    token,
    body: form({ folder }, Buffer.from('hello'), 'hello.txt'),
  });
  expect(small).toMatchObject({ status: 200, body: { isComplete: true, bytes: 5 } });
  expect(readFileSync(join(folder, 'hello.txt'), 'utf8')).toBe('hello');
  const large = randomBytes(3_000_000);
  const path = join(folder, 'large.bin');
  const hash = createHash('sha256').update(large).digest('hex');
  const slice = (from: number, to: number) =>
    cloud.call('PUT', onDevice('large-files'), {
      token,
      body: form({ path, hash, size: large.length, from }, large.subarray(from, to)),
    });
  expect((await slice(0, 1_000_000)).body).toEqual({ isComplete: false, bytes: 1_000_000 });
  const part = await cloud.call('GET', onDevice(`large-files?path=${path}&hash=${hash}`), { token });
  expect(part.body).toEqual({ bytes: 1_000_000 });
  expect((await slice(1_000_000, large.length)).body).toEqual({ isComplete: true, bytes: large.length });
  const got = await cloud.call('GET', onDevice(`files?path=${path}`), { token });
  expect(got.bytes.equals(large)).toBe(true);
  const rest = await cloud.call('GET', onDevice(`files?path=${path}&from=2000000`), { token });
  expect(rest.bytes.equals(large.subarray(2_000_000))).toBe(true);
  expect(await cloud.call('GET', onDevice(`files?path=${path}x`), { token })).toMatchObject({ status: 409 });
  expect(
    await cloud.call('GET', onDevice(`folders?path=${folder}`), { token: await confirmed(cloud, 600) }),
  ).toMatchObject({
    body: { error: 'session.not_fresh' },
  });
  const list = await cloud.call('GET', onDevice(`folders?path=${folder}`), {
    token: await confirmed(cloud, 0),
  });
  expect(list.body.entries).toMatchObject([
    { name: 'hello.txt', kind: 'file', size: 5 },
    { name: 'large.bin', size: large.length },
  ]);
  expect(await auditOf(cloud, 'main')).toContainEqual(
    expect.objectContaining({ controller: 'device', entity: 'file', action: 'send', new_value: path }),
  );
}, 90_000);

test('a backup is made, fetched, and restored on the device and on the one that replaces it', async () => {
  const config = join(agent.root, 'etc/albedo/albedo.yaml');
  const task = join(agent.root, 'opt/albedo/run/1d/task');
  mkdirSync(dirname(task), { recursive: true });
  writeFileSync(task, 'echo 1\n');
  const body = { name: 'Only here', command: 'true', isForAll: false };
  expect((await cloud.call('POST', onDevice('commands'), { token, body })).status).toBe(200);
  const kept = readFileSync(config, 'utf8');
  const made = await cloud.call('POST', onDevice('backups'), { token });
  expect(made).toMatchObject({
    status: 200,
    body: { reason: 'asked', by: OWNER.email, files: 2, commands: 1 },
  });
  const file = await fetch(`${cloud.cloud.url}/api/v1/${onDevice(`backups/${made.body.id}/file`)}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(file.headers.get('content-disposition')).toMatch(/filename="Hilltop-.*\.json\.gz"/);
  const bytes = Buffer.from(await file.arrayBuffer());
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(made.body.hash);
  expect(gunzipSync(bytes).toString()).not.toContain('client.key');
  // What lies in the cloud is sealed, and opens for this backup alone.
  const { postgres, files } = cloud.cloud.features;
  const [row] = await postgres.query<{ file_key: string }>('select file_key from device_backups');
  const stored = await files.get(row?.file_key ?? '');
  if (!stored) throw new Error('the backup is not stored');
  const sealed = await buffer(stored);
  expect(sealed.length).toBeGreaterThan(bytes.length);
  expect(sealed.includes(bytes.subarray(0, 10))).toBe(false);

  writeFileSync(config, `${kept}# broken by somebody\n`);
  rmSync(task);
  const restore = (path: string, fresh: string) =>
    cloud.call('POST', `${path}/backups/${made.body.id}/restore`, { token: fresh });
  expect((await restore(onDevice('x').slice(0, -2), await confirmed(cloud, 600))).body.error).toBe(
    'session.not_fresh',
  );
  const own = await restore(onDevice('x').slice(0, -2), await confirmed(cloud));
  expect(own).toMatchObject({ status: 200, body: { files: 2 } });
  expect(readFileSync(task, 'utf8')).toBe('echo 1\n');
  expect(readFileSync(config, 'utf8')).not.toContain('broken by somebody');
  const { backups } = (await cloud.call('GET', onDevice('backups'), { token })).body;
  expect(backups[0]).toMatchObject({ reason: 'before' });
  expect((await cloud.call('GET', onDevice('twin'), { token })).body.differsSince).toBeNull();

  const other = await startRealAgent(cloud, 'Replacement');
  try {
    const there = `devices/main/${other.device.id}`;
    const keys = join(other.root, 'etc/albedo/keys/client.key');
    const key = readFileSync(keys, 'utf8');
    const restored = await restore(there, await confirmed(cloud));
    // The command has its name on the old device still.
    expect(restored).toMatchObject({ status: 200, body: { files: 2 } });
    expect(readFileSync(join(other.root, 'opt/albedo/run/1d/task'), 'utf8')).toBe('echo 1\n');
    expect(readFileSync(keys, 'utf8')).toBe(key);
    expect(
      (await cloud.call('GET', `${there}/backups?of=${agent.device.id}`, { token })).body.backups,
    ).toHaveLength(backups.length);
  } finally {
    await other.stop();
  }
  expect((await cloud.call('PUT', onDevice('backup-plan'), { token, body: { every: 'day' } })).status).toBe(
    200,
  );
  expect((await cloud.call('GET', onDevice('backups'), { token })).body.plan).toEqual({ every: 'day' });
  const foreign = await cloud.call('DELETE', `devices/main/${agent.device.id}/backups/${agent.device.id}`, {
    token,
  });
  expect(foreign.status).toBe(404);
  expect(await auditOf(cloud, 'main')).toContainEqual(
    expect.objectContaining({ controller: 'device_backup', action: 'restore', user_id: OWNER.email }),
  );
}, 60_000);

test('a device that is away says so at once', async () => {
  await agent.program.end('SIGTERM');
  await expect.poll(() => cloud.cloud.features.health.of(agent.device.id).online).toBe(false);
  const beganAt = performance.now();
  expect(await cloud.call('GET', onDevice('config'), { token })).toMatchObject({
    status: 409,
    body: { error: 'device.offline' },
  });
  expect(performance.now() - beganAt).toBeLessThan(1000);
  agent.program.start();
  await agent.online();
});
