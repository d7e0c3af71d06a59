import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { Bus } from '../bus/bus.ts';
import type { IncidentStep } from '../incidents/steps.topics.ts';
import { buildIncident, buildStep } from '../testing/incident-steps.ts';
import { mailsTo } from '../testing/outbox.ts';
import { auditOf, OWNER, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { type Delivered, notificationsDelivered } from './notifications.topics.ts';
import { ToldStore } from './told.store.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A Monday, so that no other day of the week or night is in the way. */
const MONDAY = Date.UTC(2026, 5, 1, 10);

let cloud: TestCloud;
let owner = '';
const told: Delivered[] = [];

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: MONDAY });
  cloud = await startTestCloud({ ALBEDO_OUTBOUND_NETWORKS: '127.0.0.0/8' });
  owner = (await cloud.cloud.features.sessions.verify(await cloud.owner()))._id;
  const publish = Bus.prototype.publish;
  vi.spyOn(Bus.prototype, 'publish').mockImplementation(function (this: Bus, topic, message) {
    if (topic.name === notificationsDelivered.name) told.push(message as Delivered);
    return publish.call(this, topic, message);
  });
}, 60_000);
afterAll(async () => {
  await cloud?.stop();
  vi.useRealTimers();
});
beforeEach(() => {
  told.length = 0;
});
const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  const { postgres } = cloud.cloud.features;
  for (const table of ['told_incidents', 'held_messages', 'notify_floods', 'escalations', 'rotas'])
    await postgres.exec(`delete from ${table}`);
  // So that what one test told is not counted against the next one.
  vi.setSystemTime(Date.now() + 2 * HOUR_MS);
});

/** As the owner, whose session is a new one: the clock runs away from older ones. */
const call = async (method: string, path: string, options: { body?: unknown } = {}) =>
  cloud.call(method, path, { ...options, token: await cloud.owner() });

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);

/** Writes steps as those who watch incidents do, and waits until what follows from them is done. */
async function happen(...steps: IncidentStep[]): Promise<void> {
  const { postgres, notifications } = cloud.cloud.features;
  await postgres.db.transaction((inside) => notifications.listener('main', steps, inside));
  await settle();
  // Mails are in the order of their time.
  later(1000);
}

async function settle(): Promise<void> {
  const { jobs, notifications, mailer } = cloud.cloud.features;
  await jobs.idle(notifications.announcer.announcing);
  await jobs.idle(notifications.deliveries.job);
  await jobs.idle(notifications.push.job);
  await mailer.idle();
}

async function look(): Promise<void> {
  await cloud.cloud.features.notifications.announcer.look();
  await settle();
}

const subjectsTo = async (to: string) => (await mailsTo(cloud, to)).map(({ subject }) => subject);
const newAddress = () => `${randomUUID()}@example.org`;

/** A member of the workgroup with an address of their own. */
async function newMember(devGroup?: string): Promise<{ id: string; email: string; token: string }> {
  const memberToken = await cloud.newUser({
    main: { role: 'power', permissions: ['read', 'coordinate'], ...(devGroup ? { devGroup } : {}) },
  });
  const { _id: id, email } = await cloud.cloud.features.sessions.verify(memberToken);
  return { id, email, token: memberToken };
}

interface Received {
  headers: IncomingMessage['headers'];
  bytes: Buffer;
  text: string;
}

/** A receiver of webhooks on this machine, which answers with these statuses, the last one again and again. */
async function receiver(...statuses: number[]): Promise<{ address: string; received: Received[] }> {
  const received: Received[] = [];
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const bytes = Buffer.concat(parts);
      received.push({ headers: request.headers, bytes, text: bytes.toString() });
      response.statusCode = (statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 200;
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => new Promise((resolve) => server.close(resolve)));
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received };
}

let names = 0;
async function newChannel(given: object): Promise<{ _id: string; secret: string }> {
  const body = { kind: 'webhook', name: `Channel ${names++}`, ...given };
  const reply = await call('POST', 'notifications/main/channels', { body });
  expect(reply.body, JSON.stringify(reply.body)).toHaveProperty('_id');
  return reply.body;
}

test('an incident is mailed to a person, an address and a channel, and each hears when it is over', async () => {
  const [email, list] = [newAddress(), newAddress()];
  const { _id } = await newChannel({ kind: 'email', emails: [list] });
  const incident = buildIncident();
  const notify = { users: [owner], emails: [email], channels: [_id] };
  await happen(buildStep(incident, 'opened', { notify }));
  const [mail] = (await mailsTo(cloud, OWNER.email)).slice(-1);
  expect(mail?.subject).toBe('Alert [High] Inverter gives nothing: Roof');
  expect(mail?.text).toContain('What to do: Look at the DC switch.');
  expect(mail?.text).toContain('3 W (limit 10 W)');
  expect(mail?.text).toContain(`/alerts?incident=${incident._id}`);
  for (const to of [email, list]) expect(await subjectsTo(to)).toHaveLength(1);
  expect(told.map(({ channel, ok }) => [channel, ok])).toEqual(
    expect.arrayContaining([
      [OWNER.email, true],
      [email, true],
      [list, true],
    ]),
  );
  await happen(buildStep(incident, 'returned', { notify }));
  expect(await subjectsTo(email)).toEqual([
    'Alert [High] Inverter gives nothing: Roof',
    'Over [High] Inverter gives nothing: Roof',
  ]);
  // Acknowledged as it is over: it stays cleared, and nobody hears anything.
  await happen(buildStep(incident, 'closed', { notify }));
  expect(await subjectsTo(email)).toHaveLength(2);
});

test('what a step is undone with is never told', async () => {
  const email = newAddress();
  const { postgres, notifications } = cloud.cloud.features;
  const undone = postgres.db.transaction(async (inside) => {
    await notifications.listener(
      'main',
      [buildStep(buildIncident(), 'opened', { notify: { emails: [email] } })],
      inside,
    );
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await settle();
  expect(await subjectsTo(email)).toEqual([]);
});

test('what is silent, unknown or there already is told to nobody, and what still holds after the shelf at once', async () => {
  const email = newAddress();
  const notify = { emails: [email] };
  const incident = buildIncident();
  await happen(buildStep(incident, 'opened', { notify, isSilent: true }));
  expect(await subjectsTo(email)).toEqual([]);
  await happen(buildStep(incident, 'reopened', { notify }));
  expect(await subjectsTo(email)).toHaveLength(1);
  await happen(buildStep(incident, 'unknown', { notify }), buildStep(incident, 'reopened', { notify }));
  expect(await subjectsTo(email)).toHaveLength(1);
  await happen(buildStep(incident, 'shelved', { notify, isSilent: true }));
  await happen(buildStep(incident, 'unshelved', { notify }));
  expect(await subjectsTo(email)).toHaveLength(2);
  // Over while it is shelved, and there again after: told.
  await happen(
    buildStep(incident, 'shelved', { notify, isSilent: true }),
    buildStep(incident, 'returned', { notify, isSilent: true }),
  );
  expect(await subjectsTo(email)).toHaveLength(2);
  await happen(buildStep(incident, 'reopened', { notify }));
  expect(await subjectsTo(email)).toHaveLength(3);
});

test('what comes and goes is told three times an hour, and what holds then is told all the same', async () => {
  const email = newAddress();
  const notify = { emails: [email], onResolve: false };
  const incident = buildIncident();
  for (let time = 0; time < 5; time++) {
    await happen(buildStep(incident, time === 0 ? 'opened' : 'reopened', { notify }));
    if (time < 4) await happen(buildStep(incident, 'returned', { notify }));
    later(MINUTE_MS);
  }
  expect(await subjectsTo(email)).toHaveLength(3);
  later(HOUR_MS);
  await look();
  expect(await subjectsTo(email)).toHaveLength(4);
});

test('what came and went too often begins its escalation when it is told after all', async () => {
  const [first, second] = [await newMember(), await newMember()];
  const { body: policy } = await call('POST', 'escalations/main', {
    body: {
      name: 'Flapping',
      steps: [
        { afterMinutes: 0, users: [first.id] },
        { afterMinutes: 10, users: [second.id] },
      ],
    },
  });
  const notify = { escalation: policy._id, onResolve: false };
  const incident = buildIncident();
  for (let time = 0; time < 4; time++) {
    await happen(buildStep(incident, time === 0 ? 'opened' : 'reopened', { notify }));
    if (time < 3) await happen(buildStep(incident, 'returned', { notify }));
  }
  later(HOUR_MS);
  await look();
  expect(await subjectsTo(first.email)).toHaveLength(4);
  expect(await subjectsTo(second.email)).toEqual([]);
  later(11 * MINUTE_MS);
  await look();
  expect(await subjectsTo(first.email)).toHaveLength(4);
  expect(await subjectsTo(second.email)).toHaveLength(1);
});

test('an escalation goes from step to step, and not after somebody answered between two of them', async () => {
  const [first, second, third] = [await newMember(), await newMember(), await newMember()];
  const { body: policy } = await call('POST', 'escalations/main', {
    body: {
      name: 'Night',
      steps: [
        { afterMinutes: 0, users: [first.id] },
        { afterMinutes: 10, users: [second.id] },
        { afterMinutes: 20, users: [third.id] },
      ],
      repeatMinutes: 30,
    },
  });
  const notify = { escalation: policy._id };
  const [answered, unanswered] = [buildIncident(), buildIncident({ subject: 'Barn' })];
  await happen(buildStep(answered, 'opened', { notify }), buildStep(unanswered, 'opened', { notify }));
  expect(await subjectsTo(first.email)).toHaveLength(2);
  expect(await subjectsTo(second.email)).toEqual([]);
  await happen(buildStep(answered, 'acknowledged', { notify }));
  later(11 * MINUTE_MS);
  await look();
  await look();
  expect(await subjectsTo(second.email)).toEqual([
    'Not acknowledged yet [High] Inverter gives nothing: Barn',
  ]);
  later(10 * MINUTE_MS);
  await look();
  expect(await subjectsTo(third.email)).toHaveLength(1);
  // It begins again half an hour after the last step, and ends with an answer.
  later(30 * MINUTE_MS);
  await look();
  expect(await subjectsTo(first.email)).toHaveLength(3);
  await happen(buildStep(unanswered, 'acknowledged', { notify }));
  later(HOUR_MS);
  await look();
  expect(await subjectsTo(second.email)).toHaveLength(1);
});

test('a step that somebody answers while it is written goes to nobody', async () => {
  const [first, second] = [await newMember(), await newMember()];
  const { body: policy } = await call('POST', 'escalations/main', {
    body: {
      name: 'Race',
      steps: [
        { afterMinutes: 0, users: [first.id] },
        { afterMinutes: 5, users: [second.id] },
      ],
    },
  });
  const incident = buildIncident();
  await happen(buildStep(incident, 'opened', { notify: { escalation: policy._id } }));
  later(6 * MINUTE_MS);
  const { due } = ToldStore.prototype;
  const answer = vi.spyOn(ToldStore.prototype, 'due').mockImplementationOnce(async function (
    this: ToldStore,
    now,
  ) {
    const rows = await due.call(this, now);
    await happen(buildStep(incident, 'acknowledged', { notify: { escalation: policy._id } }));
    return rows;
  });
  stops.push(() => answer.mockRestore());
  await look();
  expect(await subjectsTo(second.email)).toEqual([]);
});

test('who is on call hears of it, and the next one after the handover', async () => {
  const [ann, ben] = [await newMember(), await newMember()];
  const { body: rota } = await call('POST', 'rotas/main', {
    body: {
      name: 'On call',
      zone: 'Europe/London',
      members: [ann.id, ben.id],
      startsOn: new Date(Date.now() - 24 * HOUR_MS).toISOString().slice(0, 10),
      handover: '00:00',
      shiftDays: 1,
    },
  });
  expect(rota.now.user).toBe(ben.id);
  expect(rota.next.user).toBe(ann.id);
  const { body: policy } = await call('POST', 'escalations/main', {
    body: { name: 'Rota', steps: [{ afterMinutes: 0, rotas: [rota._id] }] },
  });
  const notify = { escalation: policy._id };
  await happen(buildStep(buildIncident(), 'opened', { notify }));
  later(24 * HOUR_MS);
  await happen(buildStep(buildIncident(), 'opened', { notify }));
  expect(await subjectsTo(ben.email)).toHaveLength(1);
  expect(await subjectsTo(ann.email)).toHaveLength(1);
  const refused = await call('DELETE', `rotas/main/${rota._id}`);
  expect([refused.status, refused.body.error]).toEqual([409, 'rota.in_use']);
});

test('what nobody acknowledges is told again after so many hours', async () => {
  const email = newAddress();
  const notify = { emails: [email], repeatHours: 2 };
  const incident = buildIncident();
  await happen(buildStep(incident, 'opened', { notify }));
  later(HOUR_MS);
  await look();
  expect(await subjectsTo(email)).toHaveLength(1);
  later(61 * MINUTE_MS);
  await look();
  await look();
  expect(await subjectsTo(email)).toHaveLength(2);
  await happen(buildStep(incident, 'acknowledged', { notify }));
  later(3 * HOUR_MS);
  await look();
  expect(await subjectsTo(email)).toHaveLength(2);
});

test('nobody learns what their device group hides, and who left hears nothing', async () => {
  const device = async (name: string) =>
    (await call('POST', 'devices/main', { body: { name } })).body.id as string;
  const [seen, hidden] = [await device('Seen'), await device('Hidden')];
  const { body: group } = await call('POST', 'orgs/main/device-groups', {
    body: { name: 'North', composition: { type: 'IN', devices: [seen] } },
  });
  const [bound, gone] = [await newMember(group._id), await newMember()];
  await call('DELETE', `orgs/main/members/${gone.id}`);
  const notify = { users: [bound.id, gone.id] };
  await happen(
    buildStep(buildIncident({ device: seen, subject: 'Seen' }), 'opened', { notify }),
    buildStep(buildIncident({ device: hidden, subject: 'Hidden' }), 'opened', { notify }),
    buildStep(buildIncident({ subject: 'Everything' }), 'opened', { notify }),
  );
  expect(await subjectsTo(bound.email)).toEqual(['Alert [High] Inverter gives nothing: Seen']);
  expect(await subjectsTo(gone.email)).toEqual([]);
});

test('a flood comes as one growing digest, the gravest singly, and is not repeated when it did not change', async () => {
  const person = await newMember();
  const notify = { users: [person.id], emails: [] };
  const low = (number: number) => buildIncident({ subject: `String ${number}`, name: 'String weak' }, 2);
  const flood = Array.from({ length: 30 }, (_, number) => buildStep(low(number), 'opened', { notify }));
  await happen(...flood, buildStep(buildIncident({ subject: 'Fire' }), 'opened', { notify }));
  expect(await subjectsTo(person.email)).toEqual(['Alert [High] Inverter gives nothing: Fire']);
  later(6_000);
  await look();
  const digest = (await mailsTo(cloud, person.email)).at(-1);
  expect(digest?.subject).toBe('30 incidents in Main');
  expect(digest?.text).toContain('String weak [Low]: 30: String 0, String 1, String 2');
  // One that comes and goes within it says nothing new.
  const [first] = flood;
  if (!first) throw new Error('there is none');
  later(11 * MINUTE_MS);
  // Still more than five within ten minutes, or the flood would be over.
  const more = Array.from({ length: 12 }, (_, number) => buildStep(low(50 + number), 'opened', { notify }));
  await happen(
    buildStep(first.incident, 'returned', { notify }),
    buildStep(first.incident, 'reopened', { notify }),
    ...more,
  );
  await look();
  const grown = (await mailsTo(cloud, person.email)).at(-1);
  expect(grown?.subject).toBe('42 incidents in Main');
  const count = (await subjectsTo(person.email)).length;
  later(11 * MINUTE_MS);
  await look();
  await look();
  expect(await subjectsTo(person.email)).toHaveLength(count);
  // Calm again: told singly.
  await happen(buildStep(low(99), 'opened', { notify }));
  expect((await subjectsTo(person.email)).at(-1)).toBe('Alert [Low] String weak: String 99');
}, 30_000);

test('two thousand at once are at most ten messages to a person', async () => {
  const person = await newMember();
  const notify = { users: [person.id] };
  const steps = Array.from({ length: 2_000 }, (_, number) =>
    buildStep(buildIncident({ subject: `Device ${number}`, name: 'Device offline' }), 'opened', { notify }),
  );
  await happen(...steps);
  later(6_000);
  await look();
  const subjects = await subjectsTo(person.email);
  expect(subjects.length).toBeLessThanOrEqual(10);
  expect(subjects.at(-1)).toBe(`${2_000 - (subjects.length - 1)} incidents in Main`);
}, 60_000);

test('steps of an escalation of hundreds at once are at most ten messages to a person', async () => {
  const [person, hook] = [await newMember(), await receiver(200)];
  const { _id } = await newChannel({ address: hook.address });
  const { body: policy } = await call('POST', 'escalations/main', {
    body: { name: 'Storm', steps: [{ afterMinutes: 15, users: [person.id], channels: [_id] }] },
  });
  const notify = { escalation: policy._id };
  const storm = (rank: number, number: number) =>
    buildStep(buildIncident({ subject: `Device ${number}` }, rank), 'opened', { notify });
  await happen(...Array.from({ length: 60 }, (_, number) => storm(number < 3 ? 0 : 1, number)));
  later(15 * MINUTE_MS);
  await look();
  expect(await subjectsTo(person.email)).toHaveLength(3);
  later(MINUTE_MS);
  await look();
  expect((await subjectsTo(person.email)).slice(3)).toEqual(['57 incidents in Main']);
  expect(hook.received).toHaveLength(60);
}, 30_000);

test('quiet hours hold back what is not grave until they end, and a digest gathers a day', async () => {
  const person = await newMember();
  const set = (key: string, value: unknown) =>
    cloud.cloud.features.postgres.query(
      'insert into user_settings (user_id, key, value) values ($1, $2, $3)',
      [person.id, key, JSON.stringify(value)],
    );
  const now = new Date(Date.now());
  const clock = (minutes: number) =>
    new Date(now.getTime() + minutes * MINUTE_MS).toISOString().slice(11, 16);
  await set('quietHours', {
    from: clock(-10),
    to: clock(60),
    zone: 'UTC',
    days: [1, 2, 3, 4, 5, 6, 7],
    throughRanks: 1,
  });
  await set('digest', { at: clock(180), zone: 'UTC', fromRank: 2 });
  const notify = { users: [person.id] };
  const passing = buildIncident({ subject: 'Short' }, 1);
  await happen(
    buildStep(buildIncident({ subject: 'Grave' }, 0), 'opened', { notify }),
    buildStep(passing, 'opened', { notify }),
  );
  await happen(buildStep(passing, 'returned', { notify }));
  expect(await subjectsTo(person.email)).toEqual(['Alert [High] Inverter gives nothing: Grave']);
  await look();
  expect(await subjectsTo(person.email)).toHaveLength(1);
  later(61 * MINUTE_MS);
  await look();
  const morning = (await mailsTo(cloud, person.email)).at(-1);
  expect(morning?.subject).toBe('1 incidents in Main');
  expect(morning?.text).toContain('1 (1 over): Short');
  await happen(buildStep(buildIncident({ subject: 'Small' }, 2), 'opened', { notify }));
  expect(await subjectsTo(person.email)).toHaveLength(2);
  later(2 * HOUR_MS);
  await look();
  expect((await mailsTo(cloud, person.email)).at(-1)?.text).toContain('Small');
});

test('whom a step of an escalation reaches hears at once, in quiet hours too', async () => {
  const [called, other] = [await newMember(), await newMember()];
  const now = Date.now();
  const clock = (hours: number) => new Date(now + hours * HOUR_MS).toISOString().slice(11, 16);
  const days = [1, 2, 3, 4, 5, 6, 7];
  const quietHours = { from: clock(-1), to: clock(1), zone: 'UTC', days, throughRanks: 0 };
  const digest = { at: clock(3), zone: 'UTC', fromRank: 0 };
  for (const { id } of [called, other])
    for (const [key, value] of Object.entries({ quietHours, digest }))
      await cloud.cloud.features.postgres.query(
        'insert into user_settings (user_id, key, value) values ($1, $2, $3)',
        [id, key, JSON.stringify(value)],
      );
  const { body: policy } = await call('POST', 'escalations/main', {
    body: { name: 'Duty', steps: [{ afterMinutes: 0, users: [called.id] }] },
  });
  const notify = { users: [other.id], escalation: policy._id };
  await happen(buildStep(buildIncident(), 'opened', { notify }));
  expect(await subjectsTo(called.email)).toHaveLength(1);
  expect(await subjectsTo(other.email)).toEqual([]);
});

test('what comes to wait while a digest is written is in the next one', async () => {
  const person = await newMember();
  const notify = { users: [person.id] };
  const low = (subject: string) => buildStep(buildIncident({ subject }, 2), 'opened', { notify });
  const late = low('Late');
  await happen(...Array.from({ length: 12 }, (_, number) => low(`String ${number}`)), late);
  const { postgres } = cloud.cloud.features;
  const lateIs = `where incident = '${late.incident._id}'`;
  await postgres.exec(`update held_messages set due_at = since + interval '1 hour' ${lateIs}`);
  later(6_000);
  const { heldFor } = ToldStore.prototype;
  const read = vi.spyOn(ToldStore.prototype, 'heldFor').mockImplementationOnce(async function (
    this: ToldStore,
    ...asked
  ) {
    const rows = await heldFor.apply(this, asked);
    const first = rows[0]?.held.incident;
    await postgres.exec(`update held_messages set what = 'resolved' where incident = '${first}'`);
    await postgres.exec(`update held_messages set due_at = since ${lateIs}`);
    return rows;
  });
  stops.push(() => read.mockRestore());
  await look();
  expect(await subjectsTo(person.email)).toEqual(['12 incidents in Main']);
  later(11 * MINUTE_MS);
  await look();
  const [, next] = await mailsTo(cloud, person.email);
  expect(next?.subject).toBe('13 incidents in Main');
  expect(next?.text).toContain('Late');
  expect(next?.text).toContain('1 over');
}, 30_000);

test('a webhook is signed, repeated under one id with a fresh time until it is taken, and told once', async () => {
  const { address, received } = await receiver(503, 200);
  const { _id, secret } = await newChannel({ address });
  const incident = buildIncident();
  await happen(buildStep(incident, 'opened', { notify: { channels: [_id] } }));
  expect(received).toHaveLength(1);
  expect(told).toEqual([expect.objectContaining({ incident: incident._id, ok: false })]);
  later(10_000);
  const { postgres, notifications } = cloud.cloud.features;
  const [row] = await postgres.query<{ id: string }>('select id from notify_deliveries where channel = $1', [
    _id,
  ]);
  await notifications.deliveries.attempt({ workgroup: 'main', id: row?.id ?? '' });
  await notifications.deliveries.attempt({ workgroup: 'main', id: row?.id ?? '' });
  expect(received).toHaveLength(2);
  const [first, second] = received;
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(Number(second?.headers['webhook-timestamp'])).toBeGreaterThan(
    Number(first?.headers['webhook-timestamp']),
  );
  const verified = new Webhook(secret).verify(second?.text ?? '', second?.headers as Record<string, string>);
  expect(verified).toMatchObject({ type: 'incident.firing', data: { incident: { incident: incident._id } } });
  expect(told.at(-1)).toMatchObject({ ok: true });
  await postgres.exec(`delete from pgboss.job where name = 'notify-webhook'`);
});

test('a webhook that took the end of an incident is not told after it that it fires', async () => {
  const { address, received } = await receiver(503, 200);
  const { _id } = await newChannel({ address, template: 'pagerduty', token: 'key' });
  const incident = buildIncident();
  const notify = { channels: [_id] };
  await happen(buildStep(incident, 'opened', { notify }));
  await happen(buildStep(incident, 'returned', { notify }));
  const { postgres, notifications } = cloud.cloud.features;
  const waiting = await postgres.query<{ id: string }>(
    `select id from notify_deliveries where channel = $1 and state = 'waiting'`,
    [_id],
  );
  expect(waiting).toHaveLength(1);
  for (const { id } of waiting) await notifications.deliveries.attempt({ workgroup: 'main', id });
  expect(received.map(({ text }) => JSON.parse(text).event_action)).toEqual(['trigger', 'resolve']);
  expect(told.at(-1)).toMatchObject({ ok: false, error: 'A later message was taken before it.' });
  await postgres.exec(`delete from pgboss.job where name = 'notify-webhook'`);
});

test('a webhook that is gone is turned off at once, one that fails is reported after a day and off after five', async () => {
  const gone = await receiver(410);
  const { _id: goneId } = await newChannel({ address: gone.address });
  await happen(buildStep(buildIncident(), 'opened', { notify: { channels: [goneId] } }));
  const channelNow = async (id: string) =>
    (await call('GET', 'notifications/main/channels')).body.find(({ _id }: { _id: string }) => _id === id);
  expect(await channelNow(goneId)).toMatchObject({ enabled: false, offReason: 'gone' });
  expect((await subjectsTo(OWNER.email)).at(-1)).toContain('says that it is gone');
  await happen(buildStep(buildIncident(), 'opened', { notify: { channels: [goneId] } }));
  expect(gone.received).toHaveLength(1);

  const failing = await receiver(500);
  const { _id } = await newChannel({ address: failing.address });
  await happen(buildStep(buildIncident(), 'opened', { notify: { channels: [_id] } }));
  const { postgres, notifications, mailer } = cloud.cloud.features;
  const [row] = await postgres.query<{ id: string }>('select id from notify_deliveries where channel = $1', [
    _id,
  ]);
  const attempt = async () => {
    await notifications.deliveries.attempt({ workgroup: 'main', id: row?.id ?? '' }).catch(() => {});
    await mailer.idle();
  };
  const before = (await subjectsTo(OWNER.email)).length;
  later(23 * HOUR_MS);
  await attempt();
  expect(await subjectsTo(OWNER.email)).toHaveLength(before);
  later(2 * HOUR_MS);
  await attempt();
  await attempt();
  expect((await subjectsTo(OWNER.email)).slice(before)).toEqual([
    expect.stringContaining('has failed for a day'),
  ]);
  later(4 * 24 * HOUR_MS);
  await attempt();
  expect(await channelNow(_id)).toMatchObject({ enabled: false, offReason: 'failed' });
  expect((await subjectsTo(OWNER.email)).at(-1)).toContain('was turned off');
  const count = failing.received.length;
  await attempt();
  expect(failing.received).toHaveLength(count);
  await postgres.exec(`delete from pgboss.job where name = 'notify-webhook'`);
});

test('a test that fails does not make a channel a failing one, and another address is not blamed for the last one', async () => {
  const [wrong, right] = [await receiver(500), await receiver(200)];
  const { _id } = await newChannel({ address: wrong.address, name: 'Corrected' });
  const channelNow = async () =>
    (await call('GET', 'notifications/main/channels')).body.find((one: { _id: string }) => one._id === _id);
  await call('POST', `notifications/main/channels/${_id}/test`);
  expect(await channelNow()).toMatchObject({
    failingSince: null,
    lastError: 'It answered with status 500.',
  });
  await happen(buildStep(buildIncident(), 'opened', { notify: { channels: [_id] } }));
  expect(await channelNow()).toMatchObject({ failingSince: expect.any(Number) });
  const body = { kind: 'webhook', name: 'Corrected', address: right.address };
  await call('PUT', `notifications/main/channels/${_id}`, { body });
  expect(await channelNow()).toMatchObject({ failingSince: null, lastError: null });
  await cloud.cloud.features.postgres.exec(`delete from pgboss.job where name = 'notify-webhook'`);
});

test('secrets of a channel are never read again, and its address leads nowhere inside', async () => {
  const { address } = await receiver(200);
  const { _id } = await newChannel({ address, template: 'pagerduty', token: 'key-of-the-service' });
  const { body } = await call('GET', 'notifications/main/channels');
  expect(JSON.stringify(body)).not.toMatch(/key-of-the-service|whsec_|\/hook/);
  const rows = await cloud.cloud.features.postgres.query('select * from notify_channels');
  expect(JSON.stringify(rows)).not.toMatch(/key-of-the-service|whsec_|\/hook/);
  expect(JSON.stringify(await auditOf(cloud, 'main'))).not.toMatch(/key-of-the-service|whsec_|\/hook/);
  for (const inside of [
    'http://169.254.169.254/latest',
    'ftp://example.org',
    'http://8.8.8.8/x',
    'https://user:pw@example.org/',
  ])
    expect(
      (
        await call('PUT', `notifications/main/channels/${_id}`, {
          body: { kind: 'webhook', name: 'Inside', address: inside, template: 'pagerduty', token: 'x' },
        })
      ).status,
      inside,
    ).toBe(400);
  const { body: test } = await call('POST', `notifications/main/channels/${_id}/test`);
  expect(test).toEqual({ ok: true, status: 200, error: null });
});

test('a channel or an escalation that an alert names stays until the alert lets go of it', async () => {
  const { _id: channel } = await newChannel({ kind: 'email', emails: [newAddress()] });
  const { body: policy } = await call('POST', 'escalations/main', {
    body: { name: 'Named', steps: [{ afterMinutes: 0, users: [owner] }] },
  });
  const notify = { channels: [channel], escalation: policy._id };
  const body = { name: 'Names both', kind: 'offline', notify };
  const { body: alert } = await call('POST', 'alerts/main', { body });
  const remove = async (path: string) => {
    const { status, body } = await call('DELETE', path);
    return [status, body?.error, JSON.stringify(body ?? '').includes('Names both')];
  };
  const [first, second] = [`notifications/main/channels/${channel}`, `escalations/main/${policy._id}`];
  expect(await remove(first)).toEqual([409, 'notify_channel.in_use', true]);
  expect(await remove(second)).toEqual([409, 'escalation.in_use', true]);
  await call('DELETE', `alerts/main/${alert._id}`);
  for (const path of [first, second]) expect((await remove(path))[0]).toBeLessThan(300);
});

test('the outbound heartbeat calls its address when it is due', async () => {
  const { address, received } = await receiver(200);
  const body = { enabled: true, everyMinutes: 5, address };
  await call('PUT', 'notifications/main/heartbeat', { body });
  const { setup } = cloud.cloud.features.notifications;
  await setup.beat();
  await setup.beat();
  expect(received).toHaveLength(1);
  later(5 * MINUTE_MS);
  await setup.beat();
  expect(received).toHaveLength(2);
  const { body: state } = await call('GET', 'notifications/main/heartbeat');
  expect(state).toMatchObject({ enabled: true, lastError: null });
  expect(JSON.stringify(state)).not.toContain('/hook');
  await call('PUT', 'notifications/main/heartbeat', {
    body: { enabled: false, everyMinutes: 5 },
  });
});

test('a rule that breaks is mailed within its transaction, and the timeline of the incident says to whom', async () => {
  const email = newAddress();
  const { body: device } = await call('POST', 'devices/main', { body: { name: 'Hill' } });
  const { body: rule } = await call('POST', 'alerts/main', {
    body: {
      name: 'Too little',
      kind: 'query',
      severity: 'high',
      table: 'inverter',
      conditions: [{ field: 'AC Power', operator: '<', value: 10 }],
      notify: { emails: [email] },
    },
  });
  for (const [part, value] of [
    ['channels', [randomUUID()]],
    ['escalation', randomUUID()],
  ] as const) {
    const notify = { [part]: value };
    const refused = await call('PUT', `alerts/main/${rule._id}`, {
      body: { name: 'Away', kind: 'offline', notify },
    });
    expect(refused.body.issues?.[0]?.path).toContain(`notify.${part}`);
  }
  const { alertEngine } = cloud.cloud.features;
  const arrive = async (value: number) => {
    const fields = [{ name: 'AC Power', type: 'decimal' as const, units: 'W' }];
    const rows: [number, number, number][] = [[1, Date.now(), value]];
    const streams = [{ table: 'inverter', source: 'inv-1', fields, rows }];
    alertEngine.arrived({ workgroup: 'main', device: device.id, streams });
    await alertEngine.settled();
    await settle();
  };
  await arrive(3);
  expect(await subjectsTo(email)).toEqual(['Alert [High] Too little: inv-1']);
  const { body: active } = await call('GET', 'incidents/main');
  const one = active.find(({ alert }: { alert: string }) => alert === rule._id);
  const timeline = async () => (await call('GET', `incidents/main/${one._id}`)).body.timeline;
  await vi.waitFor(async () =>
    expect(await timeline()).toContainEqual(expect.objectContaining({ action: 'delivered', text: email })),
  );
  await call('PUT', `incidents/main/${one._id}/acknowledge`);
  later(1000);
  await arrive(500);
  expect(await subjectsTo(email)).toEqual([
    'Alert [High] Too little: inv-1',
    'Over [High] Too little: inv-1',
  ]);
});

test('a push message is encrypted for the browser, and one that is gone is forgotten', async () => {
  const person = await newMember();
  const browser = createECDH('prime256v1');
  browser.generateKeys();
  const auth = randomBytes(16);
  const { address, received } = await receiver(201, 410);
  const body = {
    endpoint: address,
    keys: { p256dh: browser.getPublicKey('base64url'), auth: auth.toString('base64url') },
    label: 'Phone',
  };
  const as = (method: string, path: string, given?: unknown) =>
    cloud.call(method, path, { token: person.token, body: given });
  const { body: state } = await as('POST', 'me/push', body);
  expect(state.subscriptions).toEqual([expect.objectContaining({ label: 'Phone' })]);
  expect(JSON.stringify(state)).not.toContain('/hook');
  const incident = buildIncident({ name: 'Fire <b>' });
  await happen(buildStep(incident, 'opened', { notify: { users: [person.id] } }));
  expect(received).toHaveLength(1);
  const [message] = received;
  expect(message?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high' });
  expect(message?.headers.authorization).toContain(`k=${state.publicKey}`);
  const notice = JSON.parse(opened(message?.bytes ?? Buffer.alloc(0), browser, auth));
  expect(notice).toMatchObject({
    title: 'Alert [High] Fire <b>',
    url: `/alerts?incident=${incident._id}`,
    acknowledge: { workgroup: 'main', incident: incident._id },
  });
  await happen(buildStep(incident, 'returned', { notify: { users: [person.id] } }));
  expect(received).toHaveLength(2);
  const left = await cloud.cloud.features.postgres.query('select * from push_subscriptions');
  expect(left).toEqual([]);
});

/** What a browser does with a push message. Source: RFC 8188 and 8291. */
function opened(bytes: Buffer, browser: ECDH, auth: Buffer): string {
  const salt = bytes.subarray(0, 16);
  const size = bytes[20] ?? 0;
  const sender = bytes.subarray(21, 21 + size);
  const sealed = bytes.subarray(21 + size);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), sender]);
  const secret = Buffer.from(hkdfSync('sha256', browser.computeSecret(sender), auth, info, 32));
  const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16));
  const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12));
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  const text = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  // One byte of padding says that it is the last record.
  return text.subarray(0, text.lastIndexOf(2)).toString();
}
