import { completenessApi } from '@albedo/contract/completeness/completeness.api';
import type { Findings as Answer, Finding } from '@albedo/contract/diagnostics/diagnostics.schema';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { ALL_DEVICES } from '../access/device-scope.ts';
import type { Guard } from '../access/guard.ts';
import { foundOf } from '../house/finding.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { Findings } from './findings.service.ts';

const DAY_MS = 86_400_000;
let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.stop());

/** Each test has a workgroup of its own. */
let wg = '';
let tests = 0;
let owner = '';
beforeEach(async () => {
  wg = `wg-${++tests}`;
  owner = await cloud.newUser({ [wg]: { role: 'owner' } });
});

const call = (method: string, path: string, body?: unknown, token = owner) =>
  cloud.call(method, path, { token, ...(body === undefined ? {} : { body }) });
const look = async (token = owner): Promise<Answer> =>
  (await call('GET', `diagnostics/${wg}/findings`, undefined, token)).body;
const found = async (kind: Finding['kind'], token = owner) =>
  (await look(token)).findings.find((finding) => finding.kind === kind);
const sql = (text: string, values: unknown[] = []) => cloud.cloud.features.postgres.query(text, values);

async function addDevice(name: string): Promise<string> {
  const { devices } = cloud.cloud.features;
  return (await devices.create(wg, { name, arch: 'arm64', ced: false }, null)).id;
}
const addGap = (
  device: string,
  { source = 'inv-01', events = 5 as number | null, at = Date.now(), cause = 'outbox_full', from = 1 } = {},
) =>
  sql(
    `insert into completeness_gaps (device_id, from_id, to_id, tbl, source, cause, events, reported_at)
      values ($1, $2, $2, 'solar', $3, $4, $5, $6)`,
    [device, from, source, cause, events, at],
  );
const setAside = (device: string, at = new Date()) =>
  sql(
    `insert into completeness_quarantine (device_id, received_at, topic, reason, msg_ids, sample)
      values ($1, $2, 'batch', 'not a number', '[1, 2]', 'x')`,
    [device, at],
  );
const group = async (composition: object) =>
  (
    await call('POST', `orgs/${wg}/device-groups`, {
      name: `G${crypto.randomUUID().slice(0, 8)}`,
      composition,
    })
  ).body._id;
const bound = async (composition: object) =>
  cloud.newUser({
    [wg]: {
      role: 'power',
      permissions: ['read', 'coordinate', 'manageAccess'],
      devGroup: await group(composition),
    },
  });

test('where all is well nothing is found, and the answer says what was looked at', async () => {
  await addDevice('Roof');
  const { findings, looked, unknown } = await look();
  expect([findings, unknown]).toEqual([[], []]);
  expect(looked).toEqual(expect.arrayContaining(['gaps', 'set-aside', 'api-tokens', 'mails', 'channels']));
  // Without its addon there are no calculations.
  expect(looked).not.toContain('calculations');
});

test('gaps and events that were set aside are told by device, the newest first, and forgotten after a week', async () => {
  const [roof, yard, barn] = [await addDevice('Roof'), await addDevice('Yard'), await addDevice('Barn')];
  const now = Date.now();
  await addGap(roof, { at: now - 2000 });
  await addGap(roof, { from: 2, events: 7, at: now - 1000 });
  await addGap(yard, { at: now, events: null });
  await addGap(barn, { at: now - 8 * DAY_MS });
  await addGap(barn, { from: 2, cause: 'set_aside' });
  await setAside(barn);
  await setAside(yard, new Date(now - 8 * DAY_MS));
  expect(await found('gaps')).toEqual({
    kind: 'gaps',
    count: 2,
    level: 'danger',
    examples: [
      { name: 'Yard', device: yard, text: null, amount: null, at: now },
      { name: 'Roof', device: roof, text: null, amount: 12, at: now - 1000 },
    ],
  });
  expect(await found('set-aside')).toMatchObject({
    count: 1,
    examples: [{ name: 'Barn', device: barn, amount: 2 }],
  });
});

test('members of a device group are told of their devices and sources alone', async () => {
  const [roof, yard] = [await addDevice('Roof'), await addDevice('Yard')];
  for (const device of [roof, yard]) {
    await addGap(device);
    await setAside(device);
    await cloud.cloud.features.certificates.issue(device, wg);
    await call('PUT', `devices/${wg}/${device}/quarantine`, { reason: 'moved' });
  }
  const member = await bound({ type: 'IN', devices: [roof] });
  const { findings, looked } = await look(member);
  expect(findings.map(({ kind }) => kind)).toEqual(['gaps', 'set-aside', 'devices-kept-out']);
  for (const { examples, count } of findings)
    expect([count, examples.map(({ name }) => name)]).toEqual([1, ['Roof']]);
  // These are about the workgroup as a whole.
  for (const kind of ['mails', 'jobs', 'deliveries']) expect(looked).not.toContain(kind);
  expect(await found('gaps', await bound({ type: 'IN', devices: [] }))).toBeUndefined();
});

test('who sees some sources of a device is told of their gaps, and of no message that may be of others', async () => {
  const roof = await addDevice('Roof');
  await addGap(roof, { source: 'inv-01', events: 3 });
  await addGap(roof, { source: 'inv-02', events: 4, from: 2 });
  await setAside(roof);
  const member = await bound({ type: 'SRC', devices: [{ device: roof, sources: ['inv-02'] }] });
  expect((await look(member)).findings).toMatchObject([
    { kind: 'gaps', count: 1, examples: [{ name: 'Roof', amount: 4 }] },
  ]);
});

test('nothing of another workgroup is found', async () => {
  const roof = await addDevice('Roof');
  await addGap(roof);
  const other = await cloud.newUser({ other: { role: 'owner' } });
  expect((await call('GET', 'diagnostics/other/findings', undefined, other)).body.findings).toEqual([]);
  expect((await call('GET', `diagnostics/${wg}/findings`, undefined, other)).status).toBe(403);
  const reader = await cloud.newUser({ [wg]: { role: 'readonly' } });
  expect((await call('GET', `diagnostics/${wg}/findings`, undefined, reader)).status).toBe(403);
});

test('certificates that end soon are told, those that ended first', async () => {
  const [roof, yard, barn] = [await addDevice('Roof'), await addDevice('Yard'), await addDevice('Barn')];
  const { certificates } = cloud.cloud.features;
  for (const device of [roof, yard, barn]) await certificates.issue(device, wg);
  const ends = async (device: string, at: number) => {
    await sql('update device_certificates set not_after = $2 where device_id = $1', [device, new Date(at)]);
    await certificates.reload(device);
  };
  await ends(roof, Date.now() + 5 * DAY_MS);
  expect(await found('device-certificates')).toMatchObject({ count: 1, level: 'warning' });
  await ends(yard, Date.now() - DAY_MS);
  expect(await found('device-certificates')).toMatchObject({
    count: 2,
    level: 'danger',
    examples: [{ name: 'Yard' }, { name: 'Roof' }],
  });
});

test('what fails is told with its reason, and no longer once it works again', async () => {
  const { body: source } = await call('POST', `externalSources/${wg}`, {
    name: 'Weather',
    kind: 'push',
    mapping: { table: 'weather', source: 'gate', timeColumn: 'time', fields: [{ column: 'n', name: 'n' }] },
  });
  const fails = (error: string | null) =>
    sql('update external_sources set last_error = $2, last_run_at = now() where id = $1', [
      source._id,
      error,
    ]);
  await fails('The server answered 503.');
  expect(await found('external-sources')).toMatchObject({
    count: 1,
    level: 'danger',
    examples: [{ name: 'Weather', text: 'The server answered 503.' }],
  });
  await fails(null);
  expect(await found('external-sources')).toBeUndefined();
});

test('a mail that no server takes and a job that fails for good are told; the reason of the job is not', async () => {
  const { jobs, mailer } = cloud.cloud.features;
  // What cannot be read is dead at once.
  await jobs.send({ ...mailer.job, payload: z.object({}).loose() } as never, { workgroup: wg } as never);
  await jobs.idle(mailer.job);
  expect(await found('mails')).toMatchObject({ count: 1, examples: [{ name: 'mail' }] });
  const failing = { ...mailer.job, name: 'photos-tidy' };
  const [letter] = await jobs.deadOf(wg);
  expect(letter?.job).toBe('mail');
  await sql(`update pgboss.job set source_name = $1 where id = $2`, [failing.name, letter?.id]);
  expect(await found('jobs')).toMatchObject({ count: 1, examples: [{ name: 'photos-tidy', text: null }] });
  const other = await cloud.newUser({ other: { role: 'owner' } });
  expect((await call('GET', 'diagnostics/other/findings', undefined, other)).body.findings).toEqual([]);
});

test('tokens that end soon are told to those who may look them up', async () => {
  const token = {
    owner: 'Partner',
    email: 'a@example.org',
    expiry: '1 year',
    canRenew: false,
    permissions: ['read'],
  };
  const { body } = await call('POST', `orgs/${wg}/api-tokens`, token);
  expect(await found('api-tokens')).toBeUndefined();
  await sql('update api_tokens set expires_at = $2 where id = $1', [
    body._id,
    new Date(Date.now() + 3 * DAY_MS),
  ]);
  expect(await found('api-tokens')).toMatchObject({ count: 1, examples: [{ name: 'Partner' }] });
  const coordinator = await cloud.newUser({ [wg]: { role: 'power', permissions: ['read', 'coordinate'] } });
  expect((await look(coordinator)).looked).not.toContain('api-tokens');
  expect(await found('api-tokens', coordinator)).toBeUndefined();
});

test('what cannot be looked at is named, and keeps nothing else from being told', async () => {
  const session = await cloud.cloud.features.sessions.verify(owner);
  const { access } = completenessApi.get;
  const gaps = { kind: 'gaps', access, find: () => foundOf('danger', [{ name: 'Roof' }]) } as const;
  const broken = { ...gaps, kind: 'jobs', find: () => Promise.reject(new Error('no records')) } as const;
  const findings = new Findings({
    sources: () => [broken, gaps],
    log: pino({ level: 'silent' }),
    now: Date.now,
  });
  const answer = await findings.of({} as Guard, { workgroup: wg, session, devices: ALL_DEVICES });
  expect(answer).toMatchObject({ findings: [{ kind: 'gaps' }], looked: ['gaps', 'jobs'], unknown: ['jobs'] });
});

test('ten thousand devices with gaps are one question, and five of them are named', async () => {
  const { postgres, registry } = cloud.cloud.features;
  await postgres.query(
    `insert into devices (id, workgroup, name, arch, meta) select gen_random_uuid(), $1, 'D' || n, 'arm64', '{}'
      from generate_series(1, 10000) n`,
    [wg],
  );
  await postgres.query(
    `insert into completeness_gaps (device_id, from_id, to_id, tbl, source, cause, events, reported_at)
      select id, 1, 2, 'solar', 'inv-01', 'outbox_full', 2, $2 from devices where workgroup = $1`,
    [wg, Date.now()],
  );
  await registry.start();
  const { findings } = await look();
  expect(findings).toMatchObject([{ kind: 'gaps', count: 10_000 }]);
  expect(findings[0]?.examples).toHaveLength(5);
});
