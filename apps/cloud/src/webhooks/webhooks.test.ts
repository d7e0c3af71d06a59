import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NewWebhook } from '@albedo/contract/webhooks/webhooks.schema';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { IncidentStep } from '../incidents/steps.topics.ts';
import { block } from '../telemetry/telemetry.test-store.ts';
import { buildIncident, buildStep } from '../testing/incident-steps.ts';
import { mailsTo } from '../testing/outbox.ts';
import { auditOf, OWNER, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { ofIncident } from './webhook-data.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.UTC(2026, 5, 1, 10);
const INSIDE = { ALBEDO_OUTBOUND_NETWORKS: '127.0.0.0/8' };

let cloud: TestCloud;
let device = '';
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  cloud = await startTestCloud(INSIDE);
  device = (await call('POST', 'devices/main', { body: { name: 'Roof' } })).body.id;
}, 60_000);
const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const { _id } of (await call('GET', 'webhooks/main')).body)
    await call('DELETE', `webhooks/main/${_id}`);
  for (const stop of stops.splice(0)) await stop();
});
afterAll(async () => {
  await cloud?.stop();
  vi.useRealTimers();
});

/** As the owner, whose session is a new one: the clock runs away from older ones. */
const call = async (method: string, path: string, options: { body?: unknown } = {}, of = cloud) =>
  of.call(method, path, { ...options, token: await of.owner() });

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);

interface Received {
  headers: IncomingMessage['headers'];
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of all shapes
  payload: any;
}

/** A receiver on this machine, which answers with these statuses, the last one again and again. */
async function receiver(...statuses: number[]) {
  const received: Received[] = [];
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      received.push({ headers: request.headers, text, payload: JSON.parse(text) });
      response.statusCode = (statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 200;
      if (response.statusCode === 302) response.setHeader('location', 'http://127.0.0.1:1/');
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => new Promise((resolve) => server.close(resolve)));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return {
    address,
    received,
    answers: (...next: number[]) => void statuses.splice(0, statuses.length, ...next),
  };
}

let names = 0;
async function subscribe(wanted: Partial<NewWebhook> & { address: string }) {
  const body = { name: `Hook ${names++}`, events: ['device.online', 'device.offline'], ...wanted };
  const reply = await call('POST', 'webhooks/main', { body });
  expect(reply.body, JSON.stringify(reply.body)).toHaveProperty('_id');
  return reply.body as { _id: string; secret: string; name: string };
}

const shown = async (id: string) =>
  (await call('GET', 'webhooks/main')).body.find(({ _id }: { _id: string }) => _id === id);
const deliveriesOf = async (id: string) => (await call('GET', `webhooks/main/${id}/deliveries`)).body;

/** Waits until what was told is written, and what is due is sent. */
async function settle(of = cloud): Promise<void> {
  const { jobs, webhooks } = of.cloud.features;
  await webhooks.events.settled();
  await webhooks.queue.look();
  await jobs.idle(webhooks.queue.sending);
}

const turn = (isOnline: boolean, of = cloud): void =>
  of.cloud.features.health.setPresence(device, isOnline, Date.now());

async function happen(...steps: IncidentStep[]): Promise<void> {
  const { postgres, webhooks } = cloud.cloud.features;
  const happenings = steps.flatMap((step) => ofIncident(step, 'https://albedo.example.org') ?? []);
  await postgres.db.transaction((inside) => webhooks.events.write('main', happenings, inside));
  await settle();
}

test('a device that comes and goes is told in that order, signed so that others can verify it', async () => {
  const { address, received } = await receiver(200);
  const { _id, secret } = await subscribe({ address });
  expect(secret).toMatch(/^whsec_/);
  turn(true);
  turn(false);
  await settle();
  expect(received.map(({ payload }) => payload.type)).toEqual(['device.online', 'device.offline']);
  const [first] = received as [Received];
  const id = first.headers['webhook-id'];
  expect(first.payload).toEqual({
    version: 1,
    id,
    type: 'device.online',
    time: new Date(NOW).toISOString(),
    workgroup: 'main',
    data: { device, deviceName: 'Roof' },
  });
  // Refuses also what is signed right and changed after.
  const verifier = new Webhook(secret);
  expect(verifier.verify(first.text, first.headers as Record<string, string>)).toEqual(first.payload);
  expect(() => verifier.verify(`${first.text} `, first.headers as Record<string, string>)).toThrow();
  const deliveries = await deliveriesOf(_id);
  expect(deliveries.map(({ event }: { event: string }) => event)).toEqual([
    'device.offline',
    'device.online',
  ]);
  expect(deliveries[1]).toMatchObject({ id, state: 'delivered', attempts: 1, status: 200, error: null });
  expect(deliveries[1].tookMs).toBeGreaterThanOrEqual(0);
});

test('incidents are told with what they are about, and undone steps never', async () => {
  const { address, received } = await receiver(200);
  await subscribe({ address, events: ['incident.opened', 'incident.cleared', 'incident.acknowledged'] });
  const incident = buildIncident();
  await happen(
    buildStep(incident, 'opened', {}),
    buildStep(incident, 'acknowledged', {}),
    buildStep(incident, 'returned', {}),
    buildStep(incident, 'unknown', {}),
  );
  expect(received.map(({ payload }) => payload.type)).toEqual([
    'incident.opened',
    'incident.acknowledged',
    'incident.cleared',
  ]);
  expect(received[0]?.payload.data).toMatchObject({
    id: incident._id,
    subject: 'Roof',
    severity: { name: 'High', rank: 0 },
    isSilent: false,
    link: expect.stringContaining(incident._id),
  });
  const { postgres, webhooks } = cloud.cloud.features;
  const undone = postgres.db.transaction(async (inside) => {
    const step = ofIncident(buildStep(buildIncident(), 'opened', {}), '');
    await webhooks.events.write('main', step ? [step] : [], inside);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await settle();
  expect(received).toHaveLength(3);
});

test('new rows come by the minute with their count, late ones as well, and each once', async () => {
  const { address, received } = await receiver(200);
  const { _id, name } = await subscribe({ address, events: ['table.rows'], tables: ['inverter'] });
  const { telemetry, webhooks } = cloud.cloud.features;
  const insertInto = async (table: string, ...rows: [number, number, number][]) => {
    const stored = block(table, { power: 'decimal' }, rows);
    await telemetry
      .asSystem('ingest')
      .insert([{ ...stored, workgroup: 'main', device }], crypto.randomUUID());
  };
  const insert = (...rows: [number, number, number][]) => insertInto('inverter', ...rows);
  const look = async () => {
    await webhooks.rows.look();
    await settle();
  };
  await insert([1, Date.now() - DAY_MS, 5], [2, Date.now(), 6]);
  await look();
  // The minute is not over.
  expect(received).toHaveLength(0);
  later(MINUTE_MS);
  await look();
  await look();
  expect(received).toHaveLength(1);
  const { data } = received[0]?.payload ?? {};
  expect(data).toMatchObject({ table: 'inverter', count: 2, isWhole: true });
  expect(data.sources).toEqual([expect.objectContaining({ device, deviceName: 'Roof', count: 2 })]);
  expect(data.rows.map(({ power }: { power: number }) => power)).toEqual([5, 6]);
  // An insert that took long has its time of storing from before.
  vi.setSystemTime(Date.now() - MINUTE_MS);
  await insert([3, Date.now(), 7]);
  later(2 * MINUTE_MS);
  await look();
  expect(received).toHaveLength(2);
  expect(received[1]?.payload.data).toMatchObject({ count: 3 });
  // A burst is one message.
  await insert(
    ...Array.from({ length: 2000 }, (_, i): [number, number, number] => [100 + i, Date.now() + i, i]),
  );
  later(MINUTE_MS);
  await look();
  expect(received[2]?.payload.data).toMatchObject({ count: 2000, isWhole: false });
  expect(received[2]?.payload.data.rows).toHaveLength(500);
  // A table that is added begins then, and the others go on.
  await insertInto('meter', [1, Date.now(), 1]);
  later(MINUTE_MS);
  const tables = ['meter', 'inverter'];
  await call('PUT', `webhooks/main/${_id}`, { body: { name, events: ['table.rows'], tables } });
  await insertInto('meter', [2, Date.now(), 2]);
  later(MINUTE_MS);
  await look();
  expect(received.slice(3).map(({ payload }) => payload.data)).toEqual([
    expect.objectContaining({ table: 'meter', count: 1 }),
  ]);
});

test('rows are caught up on in steps, a day back, and a table that cannot be read holds up no other', async () => {
  const [broken, fine] = [await receiver(200), await receiver(200)];
  await subscribe({ address: broken.address, events: ['table.rows'], tables: ['broken'] });
  await subscribe({ address: fine.address, events: ['table.rows'], tables: ['broken', 'late'] });
  const { telemetry, webhooks, workgroups } = cloud.cloud.features;
  const insert = async (...values: number[]) => {
    const rows = values.map((value, i): [number, number, number] => [value, Date.now() + i, value]);
    const stored = block('late', { power: 'decimal' }, rows);
    await telemetry
      .asSystem('ingest')
      .insert([{ ...stored, workgroup: 'main', device }], crypto.randomUUID());
  };
  const asSystem = telemetry.asSystem.bind(telemetry);
  const spans: number[] = [];
  const spy = vi.spyOn(telemetry, 'asSystem').mockImplementation(((caller: 'webhooks') => {
    const asked = asSystem(caller);
    if (caller !== 'webhooks') return asked;
    return {
      newly: asked.newly.bind(asked),
      countNewly: async (...given: Parameters<typeof asked.countNewly>) => {
        if (given[0].table === 'broken') throw new Error('It took too long.');
        spans.push(given[0].to - given[0].from);
        return asked.countNewly(...given);
      },
    };
  }) as typeof telemetry.asSystem);
  stops.push(() => spy.mockRestore());
  const told = async () => {
    // A look ends where its time is over; the next one goes on.
    let before: number;
    do {
      before = spans.length;
      await webhooks.rows.look();
    } while (spans.length > before + 1);
    await settle();
    return fine.received.splice(0).map(({ payload }) => payload.data.count);
  };
  await insert(1);
  later(26 * HOUR_MS);
  await insert(2, 3);
  later(2 * HOUR_MS);
  await insert(4, 5, 6);
  later(MINUTE_MS);
  expect(await told()).toEqual([2, 3]);
  expect(spans.length).toBeGreaterThan(40);
  expect(Math.max(...spans)).toBe(30 * MINUTE_MS);
  expect(await told()).toEqual([]);
  // What comes while the workgroup is suspended is passed over.
  workgroups.applySuspension({ workgroup: 'main', isSuspended: true });
  stops.push(() => workgroups.applySuspension({ workgroup: 'main', isSuspended: false }));
  await insert(7);
  later(HOUR_MS);
  expect(await told()).toEqual([]);
  workgroups.applySuspension({ workgroup: 'main', isSuspended: false });
  expect(await told()).toEqual([]);
  await insert(8);
  later(MINUTE_MS);
  expect(await told()).toEqual([1]);
});

test('a message of rows has as many as fit, and says that some are left out', async () => {
  const { address, received } = await receiver(200);
  await subscribe({ address, events: ['table.rows'], tables: ['wordy'] });
  const { telemetry, webhooks } = cloud.cloud.features;
  const rows = Array.from({ length: 100 }, (_, i): [number, number, string] => [
    i,
    Date.now() + i,
    'é'.repeat(5000),
  ]);
  const stored = block('wordy', { text: 'keyword' }, rows);
  await telemetry.asSystem('ingest').insert([{ ...stored, workgroup: 'main', device }], crypto.randomUUID());
  later(MINUTE_MS);
  await webhooks.rows.look();
  await settle();
  expect(received[0]?.payload.data).toMatchObject({ count: 100, isWhole: false });
  expect(received[0]?.payload.data.rows).toHaveLength(25);
  expect(Buffer.byteLength(received[0]?.text ?? '')).toBeLessThan(260_000);
});

test('what fails is sent again under its id, in order, later and later', async () => {
  const { address, received, answers } = await receiver(500);
  const { _id } = await subscribe({ address });
  turn(true);
  turn(false);
  await settle();
  await settle();
  expect(received).toHaveLength(1);
  expect(await shown(_id)).toMatchObject({ waiting: 2, lastError: 'It answered with status 500.' });
  later(30_000);
  await settle();
  expect(received).toHaveLength(2);
  later(30_000);
  await settle();
  // The second wait is a minute.
  expect(received).toHaveLength(2);
  answers(200);
  later(30_000);
  await settle();
  expect(received.map(({ payload }) => payload.type)).toEqual([
    'device.online',
    'device.online',
    'device.online',
    'device.offline',
  ]);
  expect(new Set(received.slice(0, 3).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(await shown(_id)).toMatchObject({ waiting: 0, failingSince: null, lastError: null, nextAt: null });
  expect((await deliveriesOf(_id))[1]).toMatchObject({ state: 'delivered', attempts: 3, status: 200 });
});

test('a message that is refused again and again for what it says holds up the others only for a while', async () => {
  const { address, received } = await receiver(422, 422, 422, 422, 422, 200);
  const { _id } = await subscribe({ address });
  turn(true);
  turn(false);
  for (let time = 0; time < 5; time++) {
    await settle();
    later(HOUR_MS);
  }
  const [second, first] = await deliveriesOf(_id);
  expect(first).toMatchObject({ state: 'dropped', attempts: 5, status: 422 });
  expect(second).toMatchObject({ state: 'delivered', status: 200 });
  expect(received).toHaveLength(6);
});

test('one that fails for days is told of, turned off, and sends what waits once it is on again', async () => {
  const { address, received, answers } = await receiver(500);
  const { _id, name } = await subscribe({ address });
  const events = ['device.online', 'device.offline'];
  const subjects = async () =>
    (await mailsTo(cloud, OWNER.email))
      .map(({ subject }) => subject)
      .filter((subject) => subject.includes(name));
  turn(true);
  for (let hour = 0; hour <= 5 * 24 + 1; hour += 6) {
    await settle();
    later(6 * HOUR_MS);
  }
  await cloud.cloud.features.mailer.idle();
  expect(await subjects()).toEqual([
    expect.stringContaining('has failed for a day'),
    expect.stringContaining('was turned off'),
  ]);
  expect(await shown(_id)).toMatchObject({ enabled: false, offReason: 'failed', waiting: 1 });
  answers(200);
  received.length = 0;
  const body = { name, events, enabled: true };
  expect((await call('PUT', `webhooks/main/${_id}`, { body })).body).toMatchObject({ offReason: null });
  await settle();
  expect(received).toHaveLength(1);
  answers(410);
  turn(false);
  await settle();
  expect(await shown(_id)).toMatchObject({ enabled: false, offReason: 'gone' });
});

test('one that refuses message after message for days is told of and turned off; one that accepts some is not', async () => {
  const { address, answers } = await receiver(400);
  const fussy = await receiver(400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 200);
  const { _id, name } = await subscribe({ address, events: ['device.online'] });
  const { _id: fussyId } = await subscribe({ address: fussy.address, events: ['device.offline'] });
  const finding = async () =>
    (await call('GET', 'diagnostics/main/findings')).body.findings.find(
      ({ kind }: { kind: string }) => kind === 'webhooks',
    );
  const refuseOne = async () => {
    turn(true);
    turn(false);
    for (let time = 0; time < 5; time++) {
      await settle();
      later(HOUR_MS);
    }
  };
  await refuseOne();
  const since = Date.now() - 5 * HOUR_MS;
  await refuseOne();
  // Two refusals may be the fault of the messages.
  expect(await shown(_id)).toMatchObject({ enabled: true, failingSince: null });
  await refuseOne();
  expect(await shown(_id)).toMatchObject({ enabled: true, failingSince: since });
  expect(await finding()).toMatchObject({ count: 1, examples: [{ name, at: since }] });
  for (let day = 0; day < 5; day++) {
    later(20 * HOUR_MS);
    await refuseOne();
  }
  await cloud.cloud.features.mailer.idle();
  expect(
    (await mailsTo(cloud, OWNER.email))
      .map(({ subject }) => subject)
      .filter((subject) => subject.includes(`${name} `)),
  ).toEqual([expect.stringContaining('has failed for a day'), expect.stringContaining('was turned off')]);
  expect(await shown(_id)).toMatchObject({ enabled: false, offReason: 'failed' });
  expect(await shown(fussyId)).toMatchObject({ enabled: true, failingSince: null });
  answers(200);
  const body = { name, events: ['device.online'], enabled: true };
  expect((await call('PUT', `webhooks/main/${_id}`, { body })).body).toMatchObject({ failingSince: null });
});

test('after a new secret both are good for a day, and neither is ever read', async () => {
  const { address, received } = await receiver(200);
  const { _id, secret } = await subscribe({ address });
  const renewed = (await call('POST', `webhooks/main/${_id}/secret`)).body;
  expect(renewed.secret).not.toBe(secret);
  const verify = (with_: string) =>
    new Webhook(with_).verify(
      received.at(-1)?.text ?? '',
      received.at(-1)?.headers as Record<string, string>,
    );
  turn(true);
  await settle();
  expect([verify(secret), verify(renewed.secret)]).toHaveLength(2);
  later(DAY_MS + 1);
  turn(false);
  await settle();
  verify(renewed.secret);
  expect(() => verify(secret)).toThrow();
  const everything = JSON.stringify([
    await shown(_id),
    await deliveriesOf(_id),
    (await auditOf(cloud, 'main')).filter(({ controller }) => controller === 'webhook'),
    await cloud.cloud.features.postgres.query('select * from webhooks', []),
  ]);
  for (const hidden of [secret, renewed.secret, new URL(address).pathname])
    expect(everything).not.toContain(hidden);
});

test('a test says how it went, a message can be sent again, and a redirect is not followed', async () => {
  const { address, received, answers } = await receiver(200);
  const { _id } = await subscribe({ address });
  expect((await call('POST', `webhooks/main/${_id}/test`)).body).toMatchObject({ ok: true, status: 200 });
  expect(received[0]?.payload).toMatchObject({ type: 'test', workgroup: 'main' });
  turn(true);
  await settle();
  const [{ id }] = await deliveriesOf(_id);
  const again = await call('POST', `webhooks/main/${_id}/deliveries/${id}/again`);
  expect(again.body).toMatchObject({ id, state: 'waiting' });
  await settle();
  expect(received.slice(1).map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);
  answers(302);
  expect((await call('POST', `webhooks/main/${_id}/test`)).body).toMatchObject({
    ok: false,
    status: null,
    error: 'It leads to another address; enter that one.',
  });
  const unknown = await call('POST', `webhooks/main/${_id}/deliveries/${device}/again`);
  expect(unknown).toMatchObject({ status: 404, body: { error: 'webhook.delivery_not_found' } });
});

test('addresses inside are refused, and so are tables that the cloud writes and a hook without tables', async () => {
  const refused = (given: object) =>
    call('POST', 'webhooks/main', { body: { name: 'Inside', events: ['device.online'], ...given } });
  for (const address of [
    'https://10.1.2.3/hook',
    'http://169.254.169.254/latest',
    'https://[::1]:8443/',
    'ftp://example.org',
  ])
    expect(await refused({ address })).toMatchObject({ status: 400 });
  const address = 'https://hooks.example.org/';
  const tables = await refused({ address, events: ['table.rows'], tables: ['audit_logs'] });
  expect(tables.body.message).toContain('its rows are not sent');
  expect((await refused({ address, events: ['table.rows'] })).body.message).toContain('Choose the tables');
  expect((await refused({})).status).toBe(400);
});

test('members of a device group neither see webhooks nor make them, and nobody sees those of others', async () => {
  const { address, received } = await receiver(200);
  const { _id } = await subscribe({ address });
  const group = await call('POST', 'orgs/main/device-groups', {
    body: { name: 'Roofs', composition: { type: 'IN', devices: [device] } },
  });
  const permissions = ['read' as const, 'coordinate' as const];
  const bound = await cloud.newUser({ main: { role: 'power', permissions, devGroup: group.body._id } });
  const stranger = await cloud.newUser({ other: { role: 'owner', permissions } });
  for (const path of ['webhooks/main', `webhooks/main/${_id}/deliveries`]) {
    expect(await cloud.call('GET', path, { token: bound })).toMatchObject({
      status: 403,
      body: { error: 'device_group.bound' },
    });
    expect((await cloud.call('GET', path, { token: stranger })).status).toBe(403);
  }
  const body = { name: 'Mine', address, events: ['device.online'] };
  expect((await cloud.call('POST', 'webhooks/main', { token: bound, body })).status).toBe(403);
  const elsewhere = await cloud.call('GET', `webhooks/other/${_id}/deliveries`, { token: stranger });
  expect(elsewhere.body.error).toBe('webhook.not_found');
  // What happens in another workgroup does not reach this one.
  await cloud.cloud.features.webhooks.events.write('other', [
    { event: 'device.online', at: Date.now(), data: {} },
  ]);
  await settle();
  expect(received).toHaveLength(0);
});

test('ten thousand events at once are few statements, keep their order, and hold up nobody else', async () => {
  const { address, received } = await receiver(500);
  const other = await receiver(200);
  const { _id } = await subscribe({ address, events: ['device.online'] });
  const { webhooks } = cloud.cloud.features;
  for (let i = 0; i < 10_050; i++)
    webhooks.events.tell('main', { event: 'device.online', at: Date.now(), data: { i } });
  await subscribe({ address: other.address, events: ['device.offline'] });
  webhooks.events.tell('main', { event: 'device.offline', at: Date.now(), data: {} });
  await settle();
  expect(other.received).toHaveLength(1);
  // The oldest went: so many may wait.
  expect(await shown(_id)).toMatchObject({ waiting: 10_000 });
  expect(received).toHaveLength(1);
  expect(received[0]?.payload.data).toEqual({ i: 50 });
});

test('what was told before the process died is sent after the start', async () => {
  const { address, received } = await receiver(200);
  const first = await startTestCloud(INSIDE);
  try {
    const body = { name: 'Kept', address, events: ['incident.opened'] };
    expect((await call('POST', 'webhooks/main', { body }, first)).status).toBe(200);
    // Nothing is sent any more, as if it had died here.
    await first.standStill();
    const step = ofIncident(buildStep(buildIncident(), 'opened', {}), '');
    await first.cloud.features.webhooks.events.write('main', step ? [step] : []);
    await first.cloud.stop();
    expect(received).toHaveLength(0);
    const second = await startTestCloud({ ...INSIDE, ALBEDO_DATA: first.dataDir });
    await settle(second);
    await second.cloud.stop();
  } finally {
    await first.stop();
  }
  expect(received).toHaveLength(1);
  expect(received[0]?.payload.type).toBe('incident.opened');
});
