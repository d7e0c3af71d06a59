import { createServer } from 'node:net';
import type { Permission } from '@albedo/contract/access/permissions';
import {
  type SecurityJob,
  securityJob,
  securityResult,
} from '@albedo/contract/security-services/security-services.schema';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { ALL_DEVICES } from '../access/device-scope.ts';
import { Bus } from '../bus/bus.ts';
import { BrowserSocket } from '../testing/browser-socket.ts';
import { type Answers, connectAgent, type FakeAgent } from '../testing/fake-agent.ts';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { ExternalScan } from './external-scan.ts';
import { InternalScan } from './internal-scan.ts';
import type { ScanEnd, Scanner } from './scan-end.ts';
import { SecurityServices } from './security-services.service.ts';
import { SecurityServicesStore } from './security-services.store.ts';
import { type SecurityFound, securityFound } from './security-services.topics.ts';

let cloud: TestCloud;
let token = '';
const agents: FakeAgent[] = [];
beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
});
afterAll(() => cloud.stop());
afterEach(async () => {
  vi.restoreAllMocks();
  for (const agent of agents.splice(0)) await agent.leave();
});

const TASK = 'process/main/task';
type Kind = 'external' | 'internal';
const call = (method: string, path: string, body?: unknown, by = token) =>
  cloud.call(method, `${TASK}${path}`, { token: by, body });
const newDevice = async (name: string, more: object = {}): Promise<string> =>
  (await cloud.call('POST', 'devices/main', { token, body: { name, ...more } })).body.id;
/** The job of a device, which is not scanned by itself. */
const newJob = async (device: string, kind: Kind = 'internal', enabled = false): Promise<SecurityJob> =>
  (await call('POST', `/${kind}/jobs`, { devices: [device], enabled })).body[0];
const jobOf = async (id: string, kind: Kind = 'internal'): Promise<SecurityJob> =>
  (await call('GET', `/${kind}/jobs/${id}`)).body.job;
const ended = async (id: string, kind: Kind = 'internal'): Promise<SecurityJob> => {
  await vi.waitFor(async () => expect((await jobOf(id, kind)).state).toBe('idle'), { timeout: 10_000 });
  return jobOf(id, kind);
};

const host = (key: string, ip: string) => ({ key, addresses: [ip], description: 'Acme' });
const looked = (...seen: ReturnType<typeof host>[]): ScanEnd => ({
  ...{ seen, isComplete: true, covers: () => true, target: '192.168.1.0/24', reason: null },
});
const [METER, LAPTOP] = ['00:1b:21:00:00:01', '00:1b:21:00:00:02'] as const;

/** What devices find from here on, one scan after the other. */
function finds(...ends: (ScanEnd | Promise<ScanEnd>)[]) {
  const spy = vi.spyOn(InternalScan.prototype, 'scan');
  for (const end of ends) spy.mockImplementationOnce(async () => end);
  return spy;
}

async function scanned(job: SecurityJob, end: ScanEnd): Promise<SecurityJob> {
  const spy = finds(end);
  await call('POST', `/internal/jobs/${job._id}/run`, { jobIds: [job._id] });
  await vi.waitFor(() => expect(spy).toHaveBeenCalled(), { timeout: 10_000 });
  const over = await ended(job._id);
  spy.mockRestore();
  return over;
}

test('a workgroup has both kinds of scans, and no other', async () => {
  expect((await call('GET', '')).body).toEqual([
    { _id: 'external', task: 'external' },
    { _id: 'internal', task: 'internal' },
  ]);
  expect((await call('POST', '', { task: 'external' })).body).toEqual({ _id: 'external', task: 'external' });
  expect(await call('POST', '', { task: 'sideways' })).toMatchObject({ status: 400 });
  expect(await call('GET', '/sideways/jobs')).toMatchObject({ status: 400 });
});

test('bodies with a field too much, without one, or with nothing in them are refused', async () => {
  const { _id } = await newJob(await newDevice('Strict'));
  const device = await newDevice('Strict too');
  for (const [method, path, body] of [
    ['POST', '', { task: 'internal', host: '10.0.0.1' }],
    ['POST', '/internal/jobs', { devices: [] }],
    ['POST', '/internal/jobs', { devices: [device], address: '203.0.113.9' }],
    ['PUT', `/internal/jobs/${_id}`, {}],
    ['PUT', `/internal/jobs/${_id}`, { enabled: true, target: '10.0.0.0/8' }],
    ['POST', `/internal/jobs/${_id}/run`, { jobIds: [_id], address: '203.0.113.9' }],
    ['POST', `/internal/jobs/${_id}/run`, { jobIds: [] }],
    ['PUT', `/internal/jobs/${_id}/findings`, { keys: [METER], note: '' }],
  ] as const)
    expect(await call(method, path, body), path).toMatchObject({
      ...{ status: 400, body: { error: 'request.invalid' } },
    });
  expect(await call('GET', '/internal/jobs')).not.toMatchObject({ body: [{ deviceName: 'Strict too' }] });
});

test('many devices are switched on and off at once, and who did it is in the log', async () => {
  const devices = [await newDevice('B'), await newDevice('A')];
  const on = await call('POST', '/external/jobs', { devices });
  expect(on.body).toMatchObject([
    ...devices.map((deviceId) => ({ deviceId, enabled: true, state: 'idle', task: 'external' })),
  ]);
  for (const job of on.body) expect(new Date(job.nextAt).toUTCString()).toMatch(/^Sat, .* 00:00:00 GMT$/);
  await call('POST', '/external/jobs', { devices, enabled: true });
  await call('POST', '/external/jobs', { devices: devices.slice(0, 1), enabled: false });
  const list = (await call('GET', '/external/jobs')).body.filter((job: SecurityJob) =>
    devices.includes(job.deviceId),
  );
  expect(
    list.map(({ deviceName, enabled, nextAt }: SecurityJob) => [deviceName, enabled, nextAt !== null]),
  ).toEqual([
    ['A', true, true],
    ['B', false, false],
  ]);
  const log = (await auditOf(cloud, 'main')).filter(
    ({ controller, device }) => controller === 'security-services' && device === devices[0],
  );
  expect(log.map(({ action, attribute, new_value }) => [action, attribute, new_value])).toEqual([
    ['create', 'external.enabled', 'true'],
    ['update', 'external.enabled', 'false'],
  ]);
});

test('the jobs of a device name each other, and one is switched by itself', async () => {
  const device = await newDevice('Both');
  const external = await newJob(device, 'external');
  const internal = await newJob(device);
  expect(internal.jobIds).toEqual({ external: external._id, internal: internal._id });
  const on = await call('PUT', `/internal/jobs/${internal._id}`, { enabled: true });
  expect(on.body).toMatchObject({ _id: internal._id, enabled: true });
  expect((await call('PUT', `/internal/jobs/${internal._id}`, { enabled: true })).body).toEqual(on.body);
  const other = await call('PUT', `/external/jobs/${internal._id}`, { enabled: false });
  expect(other).toMatchObject({ status: 404, body: { error: 'security_service.job_not_found' } });
  expect((await jobOf(internal._id)).enabled).toBe(true);
});

test('a cloud device is on no site, so it is not scanned', async () => {
  const { id } = await cloud.cloud.features.devices.create(
    'main',
    { name: 'In the cloud', arch: 'amd64', ced: true },
    null,
  );
  const reply = await call('POST', '/internal/jobs', { devices: [id] });
  expect(reply).toMatchObject({ status: 409, body: { error: 'security_service.cloud_device' } });
});

test('scans join the end of the queue, wait there once, and four of a workgroup run at a time', async () => {
  const jobs = await Promise.all(
    ['Q1', 'Q2', 'Q3', 'Q4', 'Q5', 'Q6'].map(async (name) => newJob(await newDevice(name))),
  );
  const ids = jobs.map(({ _id }) => _id);
  const gate = Promise.withResolvers<void>();
  const began: string[] = [];
  vi.spyOn(InternalScan.prototype, 'scan').mockImplementation(async ({ device }) => {
    began.push(device);
    await gate.promise;
    return looked();
  });
  const reply = await call('POST', `/internal/jobs/${ids[0]}/run`, { jobIds: ids });
  expect(reply.body).toEqual({ message: 'Scan scheduled', jobIds: ids });
  await vi.waitFor(() => expect(began).toHaveLength(4), { timeout: 10_000 });
  const states = async () => Promise.all(ids.map(async (id) => (await jobOf(id)).state));
  expect((await states()).toSorted()).toEqual([...Array(4).fill('running'), ...Array(2).fill('scheduled')]);
  // Pressed again they keep their places.
  expect((await call('POST', `/internal/jobs/${ids[5]}/run`, { jobIds: ids })).status).toBe(200);
  gate.resolve();
  for (const id of ids) await ended(id);
  expect(began).toHaveLength(6);
  const log = await auditOf(cloud, 'main');
  expect(log.filter(({ action, device }) => action === 'run' && began.includes(`${device}`))).toHaveLength(6);
});

test('results are kept: new, known since, changed, gone, and who accepted what', async () => {
  const job = await newJob(await newDevice('History'));
  const first = await scanned(job, looked(host(METER, '192.168.1.7'), host(LAPTOP, '192.168.1.8')));
  expect(first).toMatchObject({
    unaccepted: 2,
    lastScan: { outcome: 'complete', new: 2, known: 0, gone: 0 },
  });
  const accept = (note: string | null, keys: string[] = [METER]) =>
    call('PUT', `/internal/jobs/${job._id}/findings`, { keys, note });
  const accepted = await accept('The meter of the landlord.');
  expect(accepted.body.job.unaccepted).toBe(1);
  expect(accepted.body.findings[0].accepted).toMatchObject({
    ...{ note: 'The meter of the landlord.', by: 'owner@example.org' },
  });
  const none = await accept('Nobody', [METER, 'ff:00']);
  expect(none).toMatchObject({ status: 404, body: { error: 'security_service.finding_not_found' } });

  const partial: ScanEnd = {
    ...looked(host(LAPTOP, '192.168.1.9')),
    isComplete: false,
    reason: 'lost',
  } as ScanEnd;
  const second = await scanned(job, partial);
  expect(second.lastScan).toMatchObject({ outcome: 'partial', reason: 'lost', changed: 1, gone: 0 });
  const third = await scanned(job, looked(host(LAPTOP, '192.168.1.9')));
  expect(third.lastScan).toMatchObject({ outcome: 'complete', known: 1, gone: 1 });
  const fourth = await scanned(job, { failed: 'offline', target: '' });
  expect(fourth).toMatchObject({
    unaccepted: 1,
    lastScan: { outcome: 'failed', reason: 'offline', gone: 0 },
  });

  const { findings, scans } = securityResult.parse((await call('GET', `/internal/jobs/${job._id}`)).body);
  expect(findings).toMatchObject([
    { key: METER, state: 'gone', goneAt: scans[1]?.endedAt, accepted: { by: 'owner@example.org' } },
    { key: LAPTOP, state: 'known', knownSince: scans[3]?.endedAt, lastSeenAt: scans[1]?.endedAt },
  ]);
  expect(scans.map(({ outcome }) => outcome)).toEqual(['failed', 'complete', 'partial', 'complete']);
  expect((await accept(null)).body.findings[0].accepted).toBe(null);
  const log = (await auditOf(cloud, 'main')).filter(({ device }) => device === job.deviceId);
  expect(log.map(({ action, new_value }) => [action, new_value])).toEqual(
    expect.arrayContaining([
      ['accept', 'The meter of the landlord.'],
      ['unaccept', null],
    ]),
  );
});

test('what is new and accepted by nobody is told to the other features, once', async () => {
  const job = await newJob(await newDevice('Told'));
  const publish = vi.spyOn(Bus.prototype, 'publish');
  const told = () =>
    publish.mock.calls.flatMap(([topic, message]) =>
      topic === securityFound ? [message as SecurityFound] : [],
    );
  await scanned(job, looked(host(METER, '192.168.1.7')));
  expect(told()).toMatchObject([
    {
      ...{ workgroup: 'main', device: job.deviceId, kind: 'internal', job: job._id, isFirst: true },
      findings: [{ key: METER, description: 'Acme', addresses: ['192.168.1.7'] }],
    },
  ]);
  await scanned(job, looked(host(METER, '192.168.1.7'), host(LAPTOP, '192.168.1.8')));
  expect(told()[1]).toMatchObject({ isFirst: false, findings: [{ key: LAPTOP }] });
  await call('PUT', `/internal/jobs/${job._id}/findings`, { keys: [LAPTOP], note: 'Of the installer' });
  await scanned(job, looked());
  await scanned(job, looked(host(LAPTOP, '192.168.1.8')));
  expect(told()).toHaveLength(2);
});

test('the event job tells of every step, to those who may read it and see the device', async () => {
  const [shown, hidden] = [await newJob(await newDevice('Shown')), await newJob(await newDevice('Hidden'))];
  const group = { name: 'Shown alone', composition: { type: 'IN', devices: [shown.deviceId] } };
  const { _id: devGroup } = (await cloud.call('POST', 'orgs/main/device-groups', { token, body: group }))
    .body;
  const permissions: Permission[] = ['read', 'manageDevices'];
  const by = {
    manager: await cloud.newUser({ main: { role: 'power', permissions } }),
    reader: await cloud.newUser({ main: { role: 'readonly', permissions: ['read'] } }),
    bound: await cloud.newUser({ main: { role: 'power', permissions, devGroup } }),
  };
  const heard: [string, SecurityJob][] = [];
  const sockets: BrowserSocket[] = [];
  for (const [name, of] of Object.entries(by)) {
    const socket = await new BrowserSocket(cloud, { token: of, orgName: 'main' }).connected();
    socket.socket.on('job', (job: unknown) => heard.push([name, securityJob.parse(job)]));
    sockets.push(socket);
  }
  await scanned(hidden, looked());
  await scanned(shown, looked(host(METER, '192.168.1.7')));
  const steps = (name: string, id: string) =>
    heard.flatMap(([to, job]) => (to === name && job._id === id ? [job.state] : []));
  await vi.waitFor(() => expect(steps('bound', shown._id)).toEqual(['scheduled', 'running', 'idle']));
  expect(steps('manager', shown._id)).toEqual(['scheduled', 'running', 'idle']);
  expect(steps('manager', hidden._id)).toEqual(['scheduled', 'running', 'idle']);
  expect(steps('bound', hidden._id)).toEqual([]);
  expect(heard.filter(([name]) => name === 'reader')).toEqual([]);
  for (const socket of sockets) socket.close();

  const list = (await call('GET', '/internal/jobs', undefined, by.bound)).body;
  expect(list.map(({ _id }: SecurityJob) => _id)).toEqual([shown._id]);
  const gone = { status: 404, body: { error: 'security_service.job_not_found' } };
  for (const [method, path, body] of [
    ['GET', `/internal/jobs/${hidden._id}`, undefined],
    ['PUT', `/internal/jobs/${hidden._id}`, { enabled: true }],
    ['POST', `/internal/jobs/${hidden._id}/run`, { jobIds: [hidden._id] }],
    ['POST', `/internal/jobs/${shown._id}/run`, { jobIds: [shown._id, hidden._id] }],
    ['PUT', `/internal/jobs/${hidden._id}/findings`, { keys: [METER], note: 'Mine' }],
  ] as const)
    expect(await call(method, path, body, by.bound), path).toMatchObject(gone);
  const enable = { devices: [shown.deviceId, hidden.deviceId], enabled: true };
  expect(await call('POST', '/internal/jobs', enable, by.bound)).toMatchObject({
    ...{ status: 404, body: { error: 'device.not_found' } },
  });
  expect(await jobOf(shown._id)).toMatchObject({ state: 'idle', enabled: false });
});

/** The services on the records of the cloud, with scanners and a clock of their own, and a queue that only remembers. */
function servicesWith(of: { scanners?: Partial<Record<Kind, Scanner>>; now?: () => number }) {
  const { postgres, registry, audit, workgroups, deviceLink, deviceAsks, health } = cloud.cloud.features;
  const sent: { job: string }[] = [];
  const asks = { deviceAsks, modelsAt: async () => new Map<string, string>(), settleMs: 0 };
  const services = new SecurityServices({
    ...{ registry, audit, tell: () => {}, bus: { publish: async () => {} } as never },
    store: new SecurityServicesStore(postgres),
    scanners: {
      external: new ExternalScan({
        addressOf: (device) => deviceLink.addressOf(device),
        isOnline: (device) => health.of(device).online,
      }),
      internal: new InternalScan(asks),
      ...of.scanners,
    },
    jobs: {
      send: async (_job: unknown, payload: { job: string }) => {
        sent.push(payload);
        return payload.job;
      },
      wake: () => {},
    } as never,
    isSuspended: (workgroup) => workgroups.isSuspended(workgroup),
    ...(of.now ? { now: of.now } : {}),
  });
  /** As the queue runs it. */
  const run = async (kind: Kind, id: string) => {
    await services.scanJobs[kind].run({
      ...{ id, attempt: 1, payload: { workgroup: 'main', job: id }, sentAt: new Date() },
      signal: AbortSignal.timeout(30_000),
      finish: async (effect) => void (await postgres.db.transaction(effect)),
    });
    return services.result({ workgroup: 'main', scope: ALL_DEVICES }, kind, id);
  };
  return { services, sent, run };
}

test('on Saturday at 00:00 UTC everything that is enabled is put into the queue, but for closed workgroups', async () => {
  const { postgres, workgroups } = cloud.cloud.features;
  const schedules = await postgres.query<{ cron: string; timezone: string }>(
    "select cron, timezone from pgboss.schedule where name = 'security-weekly'",
    [],
  );
  expect(schedules).toEqual([{ cron: '0 0 * * 6', timezone: 'UTC' }]);

  await postgres.query('update security_jobs set enabled = false', []);
  const owner = await cloud.newUser({ closed: { role: 'owner' } });
  const device = await newDevice('Weekly');
  const on = [await newJob(device, 'external', true), await newJob(device, 'internal', true)];
  await newJob(await newDevice('Never'));
  const theirs = (await cloud.call('POST', 'devices/closed', { token: owner, body: { name: 'Closed' } }))
    .body;
  await cloud.call('POST', 'process/closed/task/internal/jobs', {
    token: owner,
    body: { devices: [theirs.id] },
  });
  vi.spyOn(workgroups, 'isSuspended').mockImplementation((name) => name === 'closed');

  const saturday = Date.parse('2026-12-05T00:00:00Z');
  let now = saturday;
  const { services, sent } = servicesWith({ now: () => now });
  const signal = AbortSignal.timeout(30_000);
  await services.scheduleWeekly(signal);
  const wanted = on.map(({ _id }) => _id).toSorted();
  expect(sent.map(({ job }) => job).toSorted()).toEqual(wanted);
  const within = { workgroup: 'main', scope: ALL_DEVICES };
  const [job] = (await services.list(within, 'internal')).filter(({ _id }) => wanted.includes(_id));
  expect(job).toMatchObject({ state: 'scheduled', nextAt: Date.parse('2026-12-12T00:00:00Z') });
  // What still waits keeps its place; what was lost is taken up a week later.
  now = saturday + 3600_000;
  await services.scheduleWeekly(signal);
  expect(sent).toHaveLength(2);
  now = saturday + 7 * 86_400_000;
  await services.scheduleWeekly(signal);
  expect(sent).toHaveLength(4);
  await postgres.query("update security_jobs set enabled = false, state = 'idle'", []);
});

test('ports of the address that the device link sees are scanned, and only of one of the internet', async () => {
  const agent = await connectAgent(cloud, 'main', 'Public');
  agents.push(agent);
  const { health, deviceLink } = cloud.cloud.features;
  await vi.waitFor(() => expect(health.of(agent.id).online).toBe(true));
  const address = (await deviceLink.addressOf(agent.id)) ?? '';
  expect(['127.0.0.1', '::1']).toContain(address);
  const server = createServer().listen(0, address);
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as { port: number };
  const { _id } = await newJob(agent.id, 'external');
  const refused = await servicesWith({}).run('external', _id);
  expect(refused.scans).toMatchObject([{ outcome: 'failed', reason: 'address_not_public', target: address }]);
  const scanner = new ExternalScan({
    ...{ addressOf: (device) => deviceLink.addressOf(device), isOnline: () => true },
    ...{ mayScan: () => true, ports: [port] },
  });
  const { run } = servicesWith({ scanners: { external: scanner } });
  const open = await run('external', _id);
  expect(open.findings).toMatchObject([{ key: String(port), state: 'new', addresses: [] }]);
  await new Promise((done) => server.close(done));
  const closed = await run('external', _id);
  expect(closed.findings).toMatchObject([{ key: String(port), state: 'gone' }]);
  await agent.leave();
  await vi.waitFor(() => expect(health.of(agent.id).online).toBe(false));
  const offline = await servicesWith({}).run('external', _id);
  expect(offline.scans[0]).toMatchObject({ outcome: 'failed', reason: 'offline' });
  expect(offline.findings).toMatchObject([{ state: 'gone' }]);
});

test('a device looks into its own network, and what it sees is kept by MAC address', async () => {
  const neighbours = [{ ip: '192.168.7.20', mac: '00:1B:21:3A:4F:10', interface: 'eth0' }];
  const answers: Answers = (kind) => {
    if (kind === 'scan.arp') return { neighbours };
    return {
      ...{ hostname: 'plc', gateway: null, nameServers: [], neighbours },
      interfaces: [
        {
          ...{ name: 'eth0', mac: '00:1b:21:00:00:00', isUp: true, isInternal: false },
          addresses: [{ address: '192.168.7.5', prefix: 24 }],
        },
      ],
    };
  };
  const agent = await connectAgent(cloud, 'main', 'Private', { answers });
  agents.push(agent);
  await vi.waitFor(() => expect(cloud.cloud.features.health.of(agent.id).online).toBe(true));
  const { _id } = await newJob(agent.id);
  const { findings, scans } = await servicesWith({}).run('internal', _id);
  expect(scans).toMatchObject([{ outcome: 'complete', target: '192.168.7.0/24', new: 1 }]);
  expect(findings).toMatchObject([{ key: '00:1b:21:3a:4f:10', addresses: ['192.168.7.20'], state: 'new' }]);
  expect(findings[0]?.description).toMatch(/intel/i);
});

test('the scans of a device go with it, also while one is running', async () => {
  const job = await newJob(await newDevice('Removed'));
  const gate = Promise.withResolvers<ScanEnd>();
  const spy = finds(gate.promise);
  await call('POST', `/internal/jobs/${job._id}/run`, { jobIds: [job._id] });
  await vi.waitFor(() => expect(spy).toHaveBeenCalled(), { timeout: 10_000 });
  await cloud.call('DELETE', `devices/main/${job.deviceId}`, { token });
  gate.resolve(looked(host(METER, '192.168.1.7')));
  await cloud.cloud.features.jobs.idle({ name: 'security-scan-internal' });
  expect((await call('GET', `/internal/jobs/${job._id}`)).status).toBe(404);
  expect(await cloud.cloud.features.jobs.dead()).toEqual([]);
});
