import type { BulkAction, BulkPreview, BulkTarget } from '@albedo/contract/bulk-actions/bulk-actions.schema';
import type { SignedManifest, UpgradeManifest } from '@albedo/contract/upgrades/upgrades.schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Busy, connectAgent, type FakeAgent } from '../testing/fake-agent.ts';
import { auditOf, buildAgent, OWNER, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let token = '';
const agents: FakeAgent[] = [];
const upgraded: string[] = [];
const ran: string[] = [];
/** Of the devices that are upgraded after so many, the agent crashes. */
let goodUpgrades = Number.POSITIVE_INFINITY;
/** These have too much to do, or lose their connection, the next time that they are asked. */
const busyOnce = new Set<string>();
const lostOnce = new Set<string>();

beforeAll(async () => {
  cloud = await startTestCloud();
  buildAgent(cloud);
  token = await cloud.owner();
}, 60_000);
afterAll(async () => {
  await Promise.all(agents.map((agent) => agent.leave()));
  await cloud.stop();
});

/** Whether the daemon of `at` runs on the devices. */
let hasAtd = true;

/** A device that takes upgrades as an agent does; a bad new version crashes and comes back. */
async function simulate(name: string, device?: string): Promise<FakeAgent> {
  let version = '1.0.0';
  let trial: string | null = null;
  let last: object | null = null;
  let crashes = 2;
  const checks = () =>
    ['bash', 'unzip', 'curl', 'root', 'atd'].map((check) => ({ check, isMet: check !== 'atd' || hasAtd }));
  const status = () =>
    agent.publish('status', {
      at: Date.now(),
      version,
      starts: crashes + 1,
      crashes,
      outbox: 'a',
      os: null,
      sourceLastDataAt: null,
      pendingEvents: 0,
      pendingBytes: 0,
      outboxLimitBytes: 1,
      unreadBytes: 0,
      droppedEvents: 0,
      lastMsgId: 0,
      streams: [],
    });
  const agent: FakeAgent = await connectAgent(cloud, 'main', name, {
    ...(device ? { device } : {}),
    answers: (kind, input) => {
      if (busyOnce.delete(name)) throw new Busy('not now');
      if (lostOnce.delete(name)) return void agent.leave();
      if (kind === 'upgrade.check') return { version, checks: checks(), obstacle: null, trial, last };
      if (kind === 'upgrade.install') {
        const manifest = JSON.parse((input as SignedManifest).manifest) as UpgradeManifest;
        expect(manifest).toMatchObject({ device: agent.id, version: '9.9.9' });
        trial = manifest.id;
        version = manifest.version;
        if (upgraded.push(name) > goodUpgrades) crashes += 3;
        setTimeout(() => void status(), 10);
        return { version };
      }
      if (kind === 'upgrade.confirm') {
        last = { id: trial, from: '1.0.0', to: version, outcome: 'done', at: Date.now() };
        trial = null;
        return { isConfirmed: true };
      }
      throw new Error(`nobody knows ${kind}`);
    },
  });
  agent.onRequest((request) => {
    if (request.action !== 'cmd') return;
    ran.push(`${name}: ${request.cmd}`);
    const { correlationId } = request;
    void agent.publish('reply', { correlationId, complete: true, stdout: 'ok\n', returnCode: 0 });
  });
  await status();
  agents.push(agent);
  return agent;
}

const newDevice = async (name: string): Promise<string> =>
  (await cloud.cloud.features.devices.create('main', { name, arch: 'arm64', ced: false }, null)).id;
const call = (method: string, path: string, body?: object, by = token) =>
  cloud.call(method, `bulk-actions/main${path}`, { token: by, ...(body ? { body } : {}) });
type Whole = BulkAction & { targets: BulkTarget[] };
const get = async (id: string): Promise<Whole> => (await call('GET', `/${id}`)).body;
const begin = async (kind: string, body: object): Promise<string> => {
  const begun = await call('POST', `/${kind}`, body);
  expect(begun).toMatchObject({ status: 200 });
  return begun.body.action._id;
};

test('a rollout over 50 devices stops by itself when the agents of its second wave crash', async () => {
  const fleet = await Promise.all(Array.from({ length: 50 }, (_, i) => simulate(`Plant ${i}`)));
  const { health } = cloud.cloud.features;
  await expect
    .poll(() => fleet.every(({ id }) => health.of(id).version === '1.0.0'), { timeout: 60_000 })
    .toBe(true);
  goodUpgrades = 5;
  const plan = { firstWave: 5, waveSize: 10, gates: {} };
  const devices = fleet.map(({ id }) => id);
  const dry = await call('POST', '/upgrade', { devices, plan, isDryRun: true });
  expect(dry.body.action).toBeNull();
  expect(dry.body.preview).toHaveLength(50);
  expect(dry.body.preview[0]).toMatchObject({ before: '1.0.0', after: '9.9.9', problem: null });
  expect(upgraded).toEqual([]);

  const id = await begin('upgrade', { devices, plan });
  const state = async () => (await get(id)).state;
  await expect.poll(state, { timeout: 150_000 }).toBe('stopped');
  const action = await get(id);
  expect(action).toMatchObject({
    about: '9.9.9',
    wave: 2,
    waves: 6,
    stop: { gate: 'crashes', wave: 2, rest: 0, limit: 0.5 },
    counts: { waiting: 35, failed: 0, queued: 0 },
  });
  expect(action.stop?.touched).toBeGreaterThan(0.5);
  await expect.poll(async () => (await get(id)).counts.done, { timeout: 60_000 }).toBe(15);
  expect(upgraded).toHaveLength(15);
  expect(action.targets.filter(({ wave }) => wave === 1).every((one) => one.state === 'done')).toBe(true);

  // What has the version already needs nothing, whatever it could not do.
  hasAtd = false;
  const again = await call('POST', '/upgrade', { devices, plan, isDryRun: true });
  hasAtd = true;
  const found = (state: string) => {
    const target = action.targets.find((one) => one.state === state);
    return again.body.preview.find((row: BulkPreview) => row.deviceId === target?.deviceId);
  };
  expect(found('done')).toMatchObject({ before: '9.9.9', after: '9.9.9', problem: null });
  expect(found('waiting')?.problem).toMatchObject({ error: 'upgrade.check_failed' });
  expect(await auditOf(cloud, 'main')).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        controller: 'bulk_action',
        action: 'begin',
        entity: id,
        user_id: OWNER.email,
      }),
      expect.objectContaining({ controller: 'bulk_action', action: 'stop', entity: id }),
    ]),
  );

  // Somebody decides to go on: what happened so far counts no more, and a good version gets through.
  goodUpgrades = Number.POSITIVE_INFINITY;
  expect((await call('POST', `/${id}/resume`)).body.stop).toBeNull();
  await expect.poll(state, { timeout: 150_000 }).toBe('done');
  expect(upgraded).toHaveLength(50);
  expect((await call('POST', `/${id}/cancel`)).body.error).toBe('bulk_action.over');
}, 400_000);

test('a device that is away has its turn when it is back, and a pause holds what has not begun', async () => {
  const [here, away] = [await simulate('Here'), await newDevice('Away')];
  await expect.poll(() => cloud.cloud.features.health.of(here.id).online).toBe(true);
  const saved = await cloud.call('POST', `devices/main/${here.id}/commands`, {
    token,
    body: { name: 'Say', command: 'echo {what}', parameters: [{ name: 'what' }] },
  });
  const work = { command: saved.body._id, values: { what: "it's" } };
  const devices = [away, here.id];
  const dry = await call('POST', '/command', { ...work, devices, isDryRun: true });
  expect(dry.body.preview).toEqual([
    {
      deviceId: away,
      before: null,
      after: null,
      problem: expect.objectContaining({ error: 'device.offline' }),
    },
    { deviceId: here.id, before: '', after: "echo 'it'\\''s'", problem: null },
  ]);
  expect(ran).toEqual([]);
  const id = await begin('command', { ...work, devices });
  const targets = async () =>
    Object.fromEntries((await get(id)).targets.map((one) => [one.deviceId, one.state]));
  await expect.poll(targets, { timeout: 60_000 }).toEqual({ [here.id]: 'done', [away]: 'queued' });
  expect((await get(id)).targets.find(({ deviceId }) => deviceId === here.id)?.message).toBe('ok');
  expect((await call('POST', `/${id}/pause`)).body.state).toBe('paused');
  await simulate('Away', away);
  await expect.poll(() => cloud.cloud.features.health.of(away).online).toBe(true);
  expect(ran).toHaveLength(1);
  await call('POST', `/${id}/resume`);
  await expect.poll(async () => (await get(id)).state, { timeout: 60_000 }).toBe('done');
  expect(ran.map((one) => one.split(':')[0])).toEqual(['Here', 'Away']);

  const gone = await newDevice('Gone');
  const impatient = await begin('command', { ...work, devices: [gone], plan: { queueHours: 0 } });
  await expect.poll(async () => (await get(impatient)).targets[0]?.state, { timeout: 60_000 }).toBe('failed');
  const waiting = await begin('command', { ...work, devices: [gone] });
  await expect.poll(async () => (await get(waiting)).targets[0]?.state, { timeout: 60_000 }).toBe('queued');
  expect((await call('POST', `/${waiting}/cancel`)).body).toMatchObject({
    state: 'cancelled',
    counts: { cancelled: 1 },
  });
}, 300_000);

test('a device that is lost in the middle has its turn when it is back, and a busy one is asked again', async () => {
  const [lost, busy] = [await simulate('Lost'), await simulate('Busy')];
  const { health } = cloud.cloud.features;
  await expect.poll(() => [lost, busy].every(({ id }) => health.of(id).version === '1.0.0')).toBe(true);
  lostOnce.add('Lost');
  busyOnce.add('Busy');
  const id = await begin('upgrade', { devices: [lost.id, busy.id], plan: { firstWave: 2, gates: null } });
  const targets = async () =>
    Object.fromEntries((await get(id)).targets.map((one) => [one.deviceId, one.state]));
  await expect.poll(targets, { timeout: 60_000 }).toEqual({ [lost.id]: 'queued', [busy.id]: 'done' });
  expect(busyOnce.size + lostOnce.size).toBe(0);
  expect((await get(id)).state).toBe('running');
  await simulate('Lost', lost.id);
  await expect.poll(async () => (await get(id)).state, { timeout: 60_000 }).toBe('done');
  expect((await get(id)).counts).toMatchObject({ done: 2, failed: 0 });
}, 200_000);

test('metadata and groups of many devices change at once, after a look at what would be', async () => {
  const devices = await Promise.all(['One', 'Two', 'Three'].map(newDevice));
  const { features } = cloud.cloud;
  const first = devices[0] as string;
  await cloud.call('PUT', `devices/main/${first}/settings/info`, {
    token,
    body: { value: { Site: 'Valley', Old: 'x' } },
  });
  const labels = { labels: { Site: 'Hill', Old: null }, devices };
  const dry = await call('POST', '/labels', { ...labels, isDryRun: true });
  expect(dry.body.preview[0]).toMatchObject({ before: 'Old: x\nSite: Valley', after: 'Site: Hill' });
  const set = await begin('labels', labels);
  await expect.poll(async () => (await get(set)).state, { timeout: 60_000 }).toBe('done');
  for (const id of devices) expect(features.registry.known(id)?.info).toEqual({ Site: 'Hill' });

  const made = await cloud.call('POST', 'orgs/main/device-groups', {
    token,
    body: { name: 'North', composition: { type: 'IN', devices: [first] } },
  });
  const group = { group: made.body._id, isIn: true, devices };
  const joined = await begin('groups', group);
  await expect.poll(async () => (await get(joined)).state, { timeout: 60_000 }).toBe('done');
  const scope = features.deviceGroups.scopeOfGroup('main', made.body._id);
  expect(scope.ids().toSorted()).toEqual(devices.toSorted());
  const left = await begin('groups', { ...group, isIn: false, devices: [first] });
  await expect.poll(async () => (await get(left)).state, { timeout: 60_000 }).toBe('done');
  expect(scope.has(first)).toBe(false);

  // A member of a group who may control devices does so with theirs alone.
  const member = await cloud.newUser({
    main: { role: 'power', permissions: ['read', 'controlDevices'], devGroup: made.body._id },
  });
  expect((await call('GET', '', undefined, member)).body).toEqual([]);
  expect((await call('GET', `/${set}`, undefined, member)).status).toBe(404);
  expect((await call('POST', '/config', { part: 'debug: 1', devices: [first] }, member)).status).toBe(404);
  const own = await call('POST', '/config', { part: 'debug: 1', devices: [devices[1]] }, member);
  expect(own.status).toBe(200);
  expect((await call('GET', '', undefined, member)).body).toHaveLength(1);
}, 300_000);

test('what cannot be meant is refused before anything begins', async () => {
  const [device] = [await newDevice('Alone')];
  const config = (part: string, devices = [device]) =>
    call('POST', '/config', { part, devices, isDryRun: true });
  expect((await config('mqtt: {hostname: other}')).body.message).toContain('mqtt');
  expect((await config('a: [')).status).toBe(400);
  expect((await config('debug: 1', [crypto.randomUUID()])).status).toBe(404);
  expect((await call('POST', '/labels', { labels: {}, devices: [device] })).status).toBe(400);
  expect((await call('POST', '/upgrade', { devices: [] })).status).toBe(400);
  const reader = await cloud.newUser({ main: { role: 'readonly', permissions: ['read'] } });
  expect((await call('POST', '/upgrade', { devices: [device] }, reader)).status).toBe(403);
});
