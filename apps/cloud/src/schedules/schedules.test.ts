import type { Permission } from '@albedo/contract/access/permissions';
import { LONE_PHRASE } from '@albedo/contract/schedules/schedules.names';
import type { DeviceSchedule } from '@albedo/contract/schedules/schedules.schema';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { BrowserSocket } from '../testing/browser-socket.ts';
import { type ControlDevice, connectControl, follows, PATH, verified } from '../testing/control-device.ts';
import { NEW_TOKEN } from '../testing/identities.ts';
import { mailsTo } from '../testing/outbox.ts';
import { auditOf, OWNER, type Reply, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let owner = '';
let plant: ControlDevice;

beforeAll(async () => {
  cloud = await startTestCloud();
  owner = await cloud.owner();
  const { postgres, workgroups } = cloud.cloud.features;
  await postgres.query("insert into workgroup_addons (workgroup, id, name) values ('main', 'schedules', '')");
  workgroups.tellChanged('main');
});
beforeEach(async () => {
  await policy('never');
  plant = await connectControl(cloud, 'main', crypto.randomUUID());
  await vi.waitFor(() => expect(cloud.cloud.features.health.of(plant.id).online).toBe(true));
  await schedules().discovery.discover({ workgroup: 'main', device: plant.id });
});
afterAll(() => cloud.stop());

const schedules = () => cloud.cloud.features.schedules;
const sql = (text: string) => cloud.cloud.features.postgres.query(text);
const on = (path = '') => `schedules/main/device/${plant.id}${path}`;
const call = (method: string, path: string, body?: object, token = owner): Promise<Reply> =>
  cloud.call(method, on(path), { token, ...(body ? { body } : {}) });
const WHY = { reason: 'The grid operator asked for it.' };
const ALONE = { ...WHY, phrase: LONE_PHRASE };
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const at = (inMs: number) => new Date(Date.now() + inMs).toISOString();
const entry = (value: string, inMs = -MINUTE) => ({ datetime: at(inMs), value });
const body = (value: string, more: object = {}) => ({
  ...{ setpoint: PATH, name: value, entries: [entry(value)], ...more },
});
const draft = async (value = '60%', more: object = {}, token = owner): Promise<DeviceSchedule> => {
  const reply = await call('POST', '', body(value, more), token);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body;
};
const list = async (): Promise<DeviceSchedule[]> =>
  (await cloud.call('GET', `schedules/main/device?device=${plant.id}`, { token: owner })).body;
const get = async (id: string) => (await list()).find(({ _id }) => _id === id) as DeviceSchedule;
const becomes = (id: string, wanted: object) =>
  vi.waitFor(async () => expect(await get(id)).toMatchObject(wanted), { timeout: 15_000, interval: 20 });
const applied = async (value: string, more: object = {}): Promise<string> => {
  const { _id: id } = await draft(value, more);
  const reply = await call('POST', `/${id}`, ALONE);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  await becomes(id, { state: 'applied' });
  return id;
};
const setpoint = async () =>
  (await cloud.call('GET', `schedules/main/setpoints?device=${plant.id}`, { token: owner })).body[0];
const versions = async (): Promise<{ version: number; outcome: string; why: string | null }[]> =>
  (await call('GET', `/versions?setpoint=${encodeURIComponent(PATH)}`)).body;
const outcomes = async () => (await versions()).map(({ outcome }) => outcome);
const actions = () => plant.orders.map(({ action, version }) => `${action} ${version}`);
const member = (permissions: Permission[] = ['read', 'controlDevices']) =>
  cloud.newUser({ main: { role: 'power', permissions } });
const policy = (twoPeople: string) =>
  sql(
    `insert into control_policies (workgroup, two_people, changed_by) values ('main', '${twoPeople}', 'x')
     on conflict (workgroup) do update set two_people = excluded.two_people`,
  );
/** Of what waits now. */
const yes = async (id: string) => ({ decision: 'approved', over: (await get(id)).changedAt });
/** A session whose bearer confirmed that it is them just now, after all that they did so far. */
async function confirmed(token: string): Promise<string> {
  const { sessions } = cloud.cloud.features;
  await sql("update remote_confirmations set used_at = now() - interval '1 hour'");
  return sessions.renew(await sessions.verify(token), {
    confirmedAt: Math.floor(Date.now() / 1000),
    confirmedWith: 'password',
  });
}

test('a draft is applied by a lone owner with a reason and the phrase, sent, confirmed, and is the current one', async () => {
  await policy('auto');
  const { _id: id, state } = await draft();
  expect(state).toBe('draft');
  const without = await call('POST', `/${id}`, {});
  expect(without).toMatchObject({ status: 403, body: { error: 'schedule.alone' } });
  expect(plant.orders).toEqual([]);
  const reply = await call('POST', `/${id}`, ALONE);
  expect(reply).toMatchObject({ status: 200, body: { state: 'pending', step: 'sending', asks: 'apply' } });
  await becomes(id, { state: 'applied', step: null, version: 1, approver: OWNER.email, reason: null });
  expect(plant.orders).toMatchObject([{ action: 'schedule', version: 1, entries: [{ value: '60%' }] }]);
  expect(await setpoint()).toMatchObject({ currentDeviceSchedule: id, pendingDeviceSchedule: null });
  expect(await versions()).toMatchObject([{ version: 1, outcome: 'applied', author: OWNER.email }]);
  expect(await verified()).toBeGreaterThan(0);
  const mails = await mailsTo(cloud, OWNER.email);
  expect(mails.map(({ subject }) => subject)).toContain(`${OWNER.email} applied a setpoint alone`);
  const log = (await auditOf(cloud, 'main')).filter(({ entity }) => entity === id);
  expect(log.map(({ action }) => action)).toEqual(['create', 'apply']);
});

test('what is not followed goes back to what was before, with the reason', async () => {
  const first = await applied('60%');
  const { _id: second } = await draft('40%');
  plant.inverters = [follows('notFollowed')];
  await call('POST', `/${second}`, ALONE);
  await becomes(second, { state: 'draft', reason: 'Not followed. Inverter 1: it says 100 %' });
  await becomes(first, { state: 'applied', version: 3 });
  expect(plant.file).toMatchObject([{ value: '60%' }]);
  expect(await outcomes()).toEqual(['applied', 'failed', 'replaced']);
});

test('without anything before, what is not followed is released; what cannot be told yet holds and is looked at again', async () => {
  plant.inverters = [follows('notFollowed')];
  const { _id: id } = await draft('60%');
  await call('POST', `/${id}`, ALONE);
  await becomes(id, { state: 'draft' });
  await vi.waitFor(() => expect(actions()).toEqual(['schedule 1', 'release 2']));
  await vi.waitFor(async () => expect(await outcomes()).toEqual(['applied', 'failed']));
  plant.inverters = [follows('notTestable', { why: 'it is dark' })];
  await call('POST', `/${id}`, ALONE);
  await becomes(id, { state: 'applied', reason: 'It cannot be told yet: it is dark' });
  plant.inverters = [follows('followed')];
  await sql('update device_setpoints set look_at = now()');
  await schedules().clock.tick();
  await becomes(id, { state: 'applied', reason: null });
  plant.inverters = [follows('notTestable', { why: 'it is dark' })];
  const { _id: next } = await draft('50%');
  await call('POST', `/${next}`, ALONE);
  await becomes(next, { state: 'applied' });
  plant.inverters = [follows('notFollowed')];
  await sql('update device_setpoints set look_at = now()');
  await schedules().clock.tick();
  await becomes(next, { state: 'draft', reason: 'Not followed. Inverter 1: it says 100 %' });
  await vi.waitFor(() => expect(plant.file).toMatchObject([{ value: '60%' }]));
});

test('a device that refuses, or is away, leaves a draft with the reason', async () => {
  const { _id: id } = await draft();
  plant.onOrder = () => {
    throw new Error('the clock is wrong');
  };
  await call('POST', `/${id}`, ALONE);
  await becomes(id, { state: 'draft', reason: 'The device could not do it: the clock is wrong' });
  await plant.agent.leave();
  await vi.waitFor(() => expect(cloud.cloud.features.health.of(plant.id).online).toBe(false));
  expect(await call('POST', `/${id}`, ALONE)).toMatchObject({
    status: 409,
    body: { error: 'device.offline' },
  });
  expect(await outcomes()).toEqual(['failed']);
});

describe('two people', () => {
  beforeEach(() => policy('auto'));

  test('once two hold the permission, somebody else approves, once for each confirmation', async () => {
    const zoe = await member();
    const { _id: id } = await draft('60%', {}, zoe);
    expect((await call('POST', `/${id}`, WHY, zoe)).body).toMatchObject({
      state: 'pending',
      step: 'approval',
    });
    expect(await setpoint()).toMatchObject({ pendingDeviceSchedule: id });
    const approve = async (token: string) => call('PUT', `/${id}/approval`, await yes(id), token);
    expect(await approve(await confirmed(zoe))).toMatchObject({
      status: 403,
      body: { error: 'schedule.own' },
    });
    const { sessions } = cloud.cloud.features;
    const stale = { confirmedAt: Math.floor(Date.now() / 1000) - 600 };
    const notFresh = await approve(await sessions.renew(await sessions.verify(owner), stale));
    expect(notFresh.body.error).toBe('session.not_fresh');
    const reader = await member(['read']);
    expect((await approve(await confirmed(reader))).status).toBe(403);
    const fresh = await confirmed(owner);
    expect(plant.orders).toEqual([]);
    expect((await approve(fresh)).body).toMatchObject({ state: 'pending', step: 'sending' });
    await becomes(id, { state: 'applied', approver: OWNER.email });
    expect(await approve(fresh)).toMatchObject({ status: 409, body: { error: 'schedule.not_pending' } });
    // The same confirmation opens nothing else.
    const { _id: other } = await draft('50%', {}, zoe);
    await call('POST', `/${other}`, WHY, zoe);
    const again = await call('PUT', `/${other}/approval`, await yes(other), fresh);
    expect(again.body.error).toBe('session.not_fresh');
    const mails = await mailsTo(cloud, OWNER.email);
    expect(mails.map(({ subject }) => subject).join()).toContain('asks you to approve a setpoint');
  });

  test('whoever edited or asked may not approve; an edit and a day void what was asked for', async () => {
    const [zoe, max] = [await member(), await member()];
    const { _id: id } = await draft('60%', {}, zoe);
    await call('PUT', `/${id}`, body('55%'), max);
    await call('POST', `/${id}`, WHY, zoe);
    const approve = async (token: string) =>
      call('PUT', `/${id}/approval`, await yes(id), await confirmed(token));
    expect((await approve(max)).body.error).toBe('schedule.own');
    expect((await call('PUT', `/${id}`, body('50%'), zoe)).body).toMatchObject({
      state: 'draft',
      asks: null,
    });
    expect((await approve(owner)).body.error).toBe('schedule.not_pending');
    await call('POST', `/${id}`, WHY, zoe);
    await sql(`update device_schedules set approvable_until = now() where id = '${id}'`);
    expect((await approve(owner)).body.error).toBe('schedule.not_pending');
    await schedules().clock.tick();
    expect(await get(id)).toMatchObject({ state: 'draft', reason: 'Nobody approved it within a day.' });
    expect(plant.orders).toEqual([]);
  });

  test('an approval is of what was seen: an edit, or the same asked for in another way, is refused', async () => {
    const zoe = await member();
    const { _id: id } = await draft('60%', {}, zoe);
    await call('POST', `/${id}`, WHY, zoe);
    const seen = await yes(id);
    const approve = async (decision: object) =>
      (await call('PUT', `/${id}/approval`, decision, await confirmed(owner))).body.error;
    await call('PUT', `/${id}`, body('100%', { apply: true, ...WHY }), zoe);
    expect((await get(id)).step).toBe('approval');
    expect(await approve(seen)).toBe('schedule.changed');
    const edited = await yes(id);
    await call('DELETE', `/${id}/approval`, undefined, zoe);
    await call('POST', `/${id}`, { ...WHY, trialMinutes: 5 }, zoe);
    expect(await approve(edited)).toBe('schedule.changed');
    expect(await approve({ decision: 'approved' })).toBe('request.invalid');
    expect(plant.orders).toEqual([]);
    expect(await approve(await yes(id))).toBeUndefined();
    await becomes(id, { state: 'applied' });
  });

  test('what is refused stays a version; what is withdrawn does not', async () => {
    const zoe = await member();
    const { _id: id } = await draft('60%', {}, zoe);
    await call('POST', `/${id}`, WHY, zoe);
    expect((await call('DELETE', `/${id}/approval`, undefined, zoe)).body.state).toBe('draft');
    await call('POST', `/${id}`, WHY, zoe);
    const refused = await call('PUT', `/${id}/approval`, { decision: 'refused', reason: 'Not today.' });
    expect(refused.body).toMatchObject({ state: 'draft', reason: `Refused by ${OWNER.email}: Not today.` });
    expect(await versions()).toMatchObject([{ outcome: 'refused', version: 1 }]);
    expect(plant.orders).toEqual([]);
  });

  test('an API token drafts, asks and stops, and approves nothing; nor does who made it approve for it', async () => {
    const permissions = ['read', 'controlDevices'];
    const made = await cloud.call('POST', 'orgs/main/api-tokens', {
      token: owner,
      body: { ...NEW_TOKEN, permissions, canRenew: false },
    });
    const { token } = made.body;
    const { _id: id } = await draft('60%', {}, token);
    expect((await call('POST', `/${id}`, WHY, token)).body.step).toBe('approval');
    const decision = await yes(id);
    expect((await call('PUT', `/${id}/approval`, decision, token)).body.error).toBe('access.in_person');
    const own = await call('PUT', `/${id}/approval`, decision, await confirmed(owner));
    expect(own.body.error).toBe('schedule.own');
    // It is the person that made it, whatever their address is by now.
    await sql("update api_tokens set created_by = 'once@example.org'");
    const still = await call('PUT', `/${id}/approval`, decision, await confirmed(owner));
    expect(still.body.error).toBe('schedule.own');
    const stop = { setpoint: PATH, value: '0%', until: at(60 * MINUTE), ...WHY };
    const stopped = await call('POST', '/override', stop, token);
    expect(stopped.body).toMatchObject({ state: 'pending', step: 'sending' });
    await becomes(stopped.body._id, { state: 'applied' });
    // What waited for approval waits no more.
    expect(await get(id)).toMatchObject({ state: 'draft' });
  });

  test('a policy is the owner’s, confirmed, and told to all owners', async () => {
    const zoe = await member(['read', 'controlDevices', 'manageAccess']);
    const set = async (token: string) =>
      cloud.call('PUT', 'schedules/main/policy', {
        token: await confirmed(token),
        body: { twoPeople: 'never' },
      });
    expect(await set(zoe)).toMatchObject({ status: 403, body: { error: 'schedule.owners_only' } });
    expect((await set(owner)).body).toMatchObject({ twoPeople: 'never', needs: 'nobody' });
    const mails = await mailsTo(cloud, OWNER.email);
    expect(mails.map(({ subject }) => subject)).toContain('Who approves setpoints has changed');
    const { _id: id } = await draft('60%', {}, zoe);
    await call('POST', `/${id}`, {}, zoe);
    await becomes(id, { state: 'applied', approver: null });
  });
});

describe('by hand', () => {
  const byHand = (value: string, inMs = 60 * MINUTE, more: object = {}, token = owner) =>
    call('POST', '/override', { setpoint: PATH, value, until: at(inMs), ...WHY, ...more }, token);

  test('a stop takes one person, over what holds, which goes on after it', async () => {
    const base = await applied('60%');
    await policy('always');
    const zoe = await member();
    expect((await byHand('10%', 60 * MINUTE, {}, zoe)).body.step).toBe('approval');
    const [waiting] = await list();
    await call('DELETE', `/${waiting?._id}/approval`, undefined, zoe);
    const { _id: id } = (await byHand('0%', 60 * MINUTE, {}, zoe)).body;
    await becomes(id, { state: 'applied', origin: 'override' });
    const { entries, endsAt } = plant.orders.at(-1) ?? { entries: [], endsAt: 0 };
    expect(entries.map(({ value }) => value)).toEqual(['0%', '60%']);
    expect(endsAt).toBeNull();
    const lease = Date.parse(entries[1]?.datetime ?? '') - Date.now();
    expect(lease).toBeGreaterThan(14 * MINUTE);
    expect(lease).toBeLessThanOrEqual(15 * MINUTE);
    expect(await setpoint()).toMatchObject({ currentDeviceSchedule: id });
    // To let go of a stop loosens.
    const release = await call('POST', '/release', { setpoint: PATH, ...WHY }, zoe);
    expect(release.body).toMatchObject({ _id: id, state: 'pending', step: 'approval', asks: 'release' });
    const approved = await call('PUT', `/${id}/approval`, await yes(id), await confirmed(owner));
    expect(approved.status).toBe(200);
    await becomes(id, { state: 'draft' });
    expect(plant.file).toMatchObject([{ value: '60%' }]);
    await becomes(base, { state: 'applied', version: 3 });
    expect(await setpoint()).toMatchObject({ currentDeviceSchedule: base });
    expect(await outcomes()).toEqual(['applied', 'released', 'replaced']);
  });

  test('a stop is judged by what holds once what is under way is told', async () => {
    const { _id: limit } = (await byHand('30%', 120 * MINUTE)).body;
    await becomes(limit, { state: 'applied' });
    // As if the device had it, and nobody had told yet.
    await sql(`update schedule_versions set outcome = 'pending' where device_id = '${plant.id}'`);
    await sql(`update device_setpoints set current_id = null, current_version = null, lease_until = null
               where device_id = '${plant.id}'`);
    await sql(`update device_schedules set state = 'pending', step = 'confirming' where id = '${limit}'`);
    await policy('always');
    const stop = await byHand('0%', 60 * MINUTE, {}, await member());
    expect(stop).toMatchObject({ status: 409, body: { error: 'schedule.changed' } });
    expect(actions()).toEqual(['override 1']);
  });

  test('its lease is renewed until its end, and lapses without us', async () => {
    const { _id: id } = (await byHand('30%')).body;
    await becomes(id, { state: 'applied' });
    await schedules().clock.tick();
    expect(actions()).toEqual(['override 1']);
    await sql(
      "update device_setpoints set lease_until = now() + interval '5 minutes' where lease_until is not null",
    );
    await schedules().clock.tick();
    expect(actions()).toEqual(['override 1', 'renew 1']);
    expect(plant.orders[1]?.endsAt ?? 0).toBeGreaterThan(Date.now() + 14 * MINUTE);
    await sql('update device_setpoints set lease_until = now() where lease_until is not null');
    await schedules().clock.tick();
    await becomes(id, { state: 'draft' });
    expect(await setpoint()).toMatchObject({ currentDeviceSchedule: null });
    expect(await outcomes()).toEqual(['over']);
  });

  test('leases are renewed before anything is looked at, and one that is not takes none from the others', async () => {
    const first = plant;
    const { _id: id } = (await byHand('30%')).body;
    await becomes(id, { state: 'applied' });
    plant = await connectControl(cloud, 'main', crypto.randomUUID());
    await vi.waitFor(() => expect(cloud.cloud.features.health.of(plant.id).online).toBe(true));
    await schedules().discovery.discover({ workgroup: 'main', device: plant.id });
    const { _id: other } = (await byHand('40%')).body;
    await becomes(other, { state: 'applied' });
    await sql(`update device_setpoints set lease_until = now() + interval '5 minutes', look_at = now()
               where device_id in ('${first.id}', '${plant.id}')`);
    first.onOrder = () => {
      throw new Error('not now');
    };
    const renewed: boolean[] = [];
    Object.defineProperty(first, 'inverters', {
      get: () => {
        renewed.push(actions().includes('renew 1'));
        return [follows('followed')];
      },
    });
    await schedules().clock.tick();
    expect(renewed).toEqual([true]);
  });

  test('a stop that is not followed by all is not taken back, and says it', async () => {
    plant.inverters = [follows('followed'), follows('notFollowed', { name: 'Inverter 2' })];
    const { _id: id } = (await byHand('0 W')).body;
    await becomes(id, { state: 'applied', reason: 'Not followed. Inverter 2: it says 100 %' });
    expect(actions()).toEqual(['override 1']);
  });

  test('values that are none, an end that has passed, and a setpoint that is not there are refused', async () => {
    expect(await byHand('loud')).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'value', issue: 'issue.setpoint_unit' }] },
    });
    expect((await byHand('120%')).body.issues).toMatchObject([{ issue: 'issue.setpoint_range' }]);
    expect((await byHand('0%', -MINUTE)).body.error).toBe('schedule.past');
    const other = await byHand('0%', MINUTE, { setpoint: 'nobody/setpoint_activepower' });
    expect(other).toMatchObject({ status: 404, body: { error: 'schedule.setpoint_unknown' } });
    expect(plant.orders).toEqual([]);
    expect(await list()).toEqual([]);
  });
});

describe('trials', () => {
  test('are kept by a confirmation, and given back by the device without one', async () => {
    const base = await applied('60%');
    const { _id: id } = await draft('40%');
    await call('POST', `/${id}`, { ...ALONE, trialMinutes: 5 });
    await becomes(id, { state: 'applied', trialUntil: expect.any(Number) });
    expect((await call('PUT', `/${id}/trial`)).body).toMatchObject({ state: 'applied', trialUntil: null });
    expect(await outcomes()).toEqual(['applied', 'replaced']);
    expect((await call('PUT', `/${id}/trial`)).body.error).toBe('schedule.no_trial');

    await call('POST', `/${base}`, { ...ALONE, trialMinutes: 5 });
    await becomes(base, { state: 'applied', trialUntil: expect.any(Number) });
    await sql(
      "update schedule_versions set trial_until = now() - interval '1 second' where trial_until is not null",
    );
    // The device has put back what was before.
    plant.file = [{ datetime: (await get(id)).entries[0]?.datetime ?? '', value: '40%' }];
    await schedules().clock.tick();
    await becomes(base, { state: 'draft', reason: 'Nobody confirmed the trial in time.' });
    expect(await setpoint()).toMatchObject({ currentDeviceSchedule: id });
    expect(await outcomes()).toEqual(['reverted', 'applied', 'replaced']);
  });
});

describe('a trial that is not kept', () => {
  const byHand = (value: string) =>
    call('POST', '/override', { setpoint: PATH, value, until: at(60 * MINUTE), ...ALONE });
  const onTrial = async (value: string): Promise<string> => {
    const { _id: id } = await draft(value);
    await call('POST', `/${id}`, { ...ALONE, trialMinutes: 5 });
    await becomes(id, { state: 'applied', trialUntil: expect.any(Number) });
    return id;
  };

  test('ends with a value by hand over it; what was before comes back, and a stop stays one', async () => {
    const base = await applied('60%');
    const trial = await onTrial('90%');
    await policy('always');
    await member();
    const stop = await byHand('0%');
    expect(stop.body).toMatchObject({ state: 'pending', step: 'sending' });
    await becomes(stop.body._id, { state: 'applied' });
    expect(plant.file).toMatchObject([{ value: '0%' }, { value: '60%' }]);
    expect(await get(trial)).toMatchObject({ state: 'draft', trialUntil: null });
    expect(await outcomes()).toEqual(['applied', 'reverted', 'applied']);
    // What comes back is not removed meanwhile.
    await call('PUT', `/${base}`, body('50%'));
    expect((await call('DELETE', `/${base}`)).body.error).toBe('schedule.holds');
    expect((await call('DELETE', `/${trial}`)).status).toBe(200);
  });

  test('does not come back after what is not followed', async () => {
    await applied('60%');
    const trial = await onTrial('90%');
    plant.inverters = [follows('notFollowed')];
    const { body: limit } = await byHand('30%');
    await becomes(limit._id, { state: 'draft' });
    await vi.waitFor(() => expect(plant.file).toMatchObject([{ value: '60%' }]));
    expect(await get(trial)).toMatchObject({ state: 'draft' });
    await vi.waitFor(async () => expect((await outcomes())[0]).toBe('applied'));
    expect((await outcomes()).slice(1)).toEqual(['failed', 'reverted', expect.anything()]);
  });

  test('stays one where its schedule is edited', async () => {
    const id = await onTrial('60%');
    expect((await call('PUT', `/${id}`, body('50%'))).body.trialUntil).toEqual(expect.any(Number));
  });
});

test('what holds is looked at while its schedule is edited, and each inverter is judged once it can be told', async () => {
  const one = follows('followed', { name: 'One' });
  plant.inverters = [one, follows('notTestable', { name: 'Two', why: 'it is dark' })];
  const id = await applied('60%');
  await call('PUT', `/${id}`, body('50%'));
  const look = async (inverters: ControlDevice['inverters']) => {
    plant.inverters = inverters;
    await sql('update device_setpoints set look_at = now()');
    await schedules().clock.tick();
  };
  await look([follows('notFollowed', { name: 'One' }), follows('notTestable', { name: 'Two' })]);
  expect(await get(id)).toMatchObject({
    state: 'draft',
    reason: null,
    inverters: [{ result: 'notFollowed' }, {}],
  });
  expect(await setpoint()).toMatchObject({ currentDeviceSchedule: id });
  await look([one, follows('notFollowed', { name: 'Two' })]);
  await vi.waitFor(() => expect(plant.file).toBeNull());
  await becomes(id, { state: 'draft', reason: 'Not followed. Two: it says 100 %' });
});

test('what is not followed, and who else writes, are incidents that stay until somebody says that they know', async () => {
  const { alerts, alertEngine } = cloud.cloud.features;
  await alerts.shipAll();
  await alertEngine.load('main');
  plant.inverters = [
    follows('followed', { name: 'One', isForeign: true, why: 'WMaxLimPct was written over' }),
    follows('notFollowed', { name: 'Two' }),
  ];
  const { _id: id } = await draft('60%');
  await call('POST', `/${id}`, ALONE);
  await becomes(id, { state: 'draft' });
  const open = async () =>
    (await cloud.call('GET', 'incidents/main', { token: owner })).body
      .filter((one: { device: string }) => one.device === plant.id)
      .map((one: { subject: string; finding: string; state: string }) => [
        one.subject,
        one.finding,
        one.state,
      ]);
  await vi.waitFor(
    async () =>
      expect((await open()).toSorted()).toMatchObject([
        ['One', 'foreignWrite', expect.any(String)],
        ['Two', 'notFollowed', expect.any(String)],
      ]),
    { timeout: 10_000 },
  );
  const before = await open();
  plant.inverters = [follows('followed', { name: 'One' }), follows('followed', { name: 'Two' })];
  await call('POST', `/${id}`, ALONE);
  await becomes(id, { state: 'applied' });
  await vi.waitFor(async () => expect(await open()).not.toEqual(before), { timeout: 10_000 });
  expect(await open()).toHaveLength(2);
  const { control } = schedules();
  expect([...(await control.curtailed('main', Date.now()))]).toContain(plant.id);
  const within = { from: Date.now() - DAY, to: Date.now() + DAY, devices: new Map([[plant.id, null]]) };
  const times = async () => (await control.curtailedTimes('main', within)).get(plant.id) ?? [];
  const [goesOn] = await times();
  expect(goesOn?.from).toBeGreaterThan(Date.now() - MINUTE);
  expect(goesOn?.to).toBeLessThanOrEqual(Date.now());
  expect((await control.curtailedTimes('main', { ...within, devices: new Map() })).size).toBe(0);
  await call('POST', '/release', { setpoint: PATH, ...ALONE });
  await becomes(id, { state: 'draft' });
  expect([...(await control.curtailed('main', Date.now() + 1))]).not.toContain(plant.id);
  expect([...(await control.curtailed('main', Date.now() - MINUTE))]).toContain(plant.id);
  const over = await times();
  await vi.waitFor(() => expect(Date.now()).toBeGreaterThan((over.at(-1)?.to ?? 0) + 1));
  expect(await times()).toEqual(over);
});

test('the end of a schedule comes by itself', async () => {
  const id = await applied('60%', { until: at(60 * MINUTE) });
  expect(plant.orders[0]?.endsAt).toBeGreaterThan(Date.now());
  await sql(`update schedule_versions set until = now() where device_schedule_id = '${id}'`);
  await schedules().clock.tick();
  expect(await get(id)).toMatchObject({ state: 'draft', reason: 'Its end came.' });
  expect(await outcomes()).toEqual(['over']);
});

test('a schedule that is edited goes on holding; one that holds is not removed; an older edit is refused', async () => {
  const id = await applied('60%');
  const { changedAt } = await get(id);
  expect((await call('DELETE', `/${id}`)).body.error).toBe('schedule.holds');
  expect((await call('PUT', `/${id}`, body('50%', { over: changedAt }))).body.state).toBe('draft');
  const stale = await call('PUT', `/${id}`, body('70%', { over: changedAt }));
  expect(stale).toMatchObject({ status: 409, body: { error: 'schedule.changed' } });
  expect(await setpoint()).toMatchObject({ currentDeviceSchedule: id });
  expect(plant.file).toMatchObject([{ value: '60%' }]);
  expect(await outcomes()).toEqual(['applied']);
  expect((await call('POST', '/release', { setpoint: PATH, ...ALONE })).status).toBe(200);
  await vi.waitFor(() => expect(plant.file).toBeNull());
  await becomes(id, { state: 'draft' });
  expect((await call('DELETE', `/${id}`)).status).toBe(200);
  expect(await outcomes()).toEqual(['applied', 'released']);
});

test('a file that is found on the device is the current schedule, and comes back after what is not followed', async () => {
  plant.file = [{ datetime: '2026-01-01T00:00:00.000Z', value: '70%' }];
  const asked = await call('POST', '/discover');
  expect(asked.status, JSON.stringify(asked.body)).toBe(200);
  await vi.waitFor(async () => expect(await list()).toHaveLength(1), { timeout: 15_000, interval: 20 });
  await schedules().discovery.discover({ workgroup: 'main', device: plant.id });
  const all = await list();
  expect(all).toMatchObject([{ origin: 'found', state: 'applied', entries: [{ value: '70%' }] }]);
  expect(await setpoint()).toMatchObject({ currentDeviceSchedule: all[0]?._id });
  plant.inverters = [follows('notFollowed')];
  const { _id: id } = await draft('60%');
  await call('POST', `/${id}`, ALONE);
  await becomes(id, { state: 'draft' });
  await vi.waitFor(() => expect(plant.file).toMatchObject([{ value: '70%' }]));
});

test('what lies on the device and is ours is current again; a file that cannot be read is not gone', async () => {
  const id = await applied('60%');
  const discover = () => schedules().discovery.discover({ workgroup: 'main', device: plant.id });
  const { file } = plant;
  Object.assign(plant, { file: null, fault: 'line 2 is no entry' });
  await discover();
  expect(await setpoint()).toMatchObject({ currentDeviceSchedule: id, fault: 'line 2 is no entry' });
  plant.fault = null;
  await discover();
  expect(await setpoint()).toMatchObject({ currentDeviceSchedule: null });
  plant.file = file;
  await discover();
  expect(await setpoint()).toMatchObject({ currentDeviceSchedule: id });
  expect(await get(id)).toMatchObject({ state: 'applied', version: 1 });
  expect(await outcomes()).toEqual(['applied']);
  expect(await list()).toHaveLength(1);
});

test('of very many schedules the newest are answered', async () => {
  const id = await applied('60%');
  await sql(`insert into device_schedules (workgroup, device_id, setpoint, entries, name, description, origin, state,
    editors, editor_ids, inverters, changed_at) select workgroup, device_id, setpoint, entries, name, '', origin, 'draft',
    '[]', '[]', '[]', now() - interval '1 day' from device_schedules, generate_series(1, 1000) where id = '${id}'`);
  const all = await list();
  expect(all).toHaveLength(1000);
  expect(all[0]?._id).toBe(id);
});

test('after a restore orders go on above the newest that the device took', async () => {
  plant.newest = 41;
  await schedules().discovery.discover({ workgroup: 'main', device: plant.id });
  await applied('60%');
  expect(actions()).toEqual(['schedule 42']);
});

test('a shared schedule is a draft on each device and path; what is missing is named, what is not visible is missing', async () => {
  const other = 'nobody/setpoint_cosphi';
  const entries = [
    { path: PATH, datetime: at(MINUTE), value: 60 },
    { path: other, datetime: at(MINUTE), value: -0.9 },
  ];
  const made = await cloud.call('POST', 'schedules/main', { token: owner, body: { name: 'Noon', entries } });
  expect(made.body.entries.map(({ value }: { value: string }) => value)).toEqual([
    '60%',
    '0.9 under-excited',
  ]);
  const hidden = await connectControl(cloud, 'main', crypto.randomUUID());
  await schedules().discovery.discover({ workgroup: 'main', device: hidden.id });
  const group = await cloud.call('POST', 'orgs/main/device-groups', {
    token: owner,
    body: { name: crypto.randomUUID(), composition: { type: 'IN', devices: [plant.id] } },
  });
  const bound = await cloud.newUser({
    main: { role: 'power', permissions: ['read', 'controlDevices'], devGroup: group.body._id },
  });
  const handOut = (token: string, devices: string[]) =>
    cloud.call('POST', `schedules/main/${made.body._id}/devices`, { token, body: { devices } });
  const { body: handed } = await handOut(bound, [plant.id, hidden.id]);
  expect(handed.drafts).toMatchObject([{ deviceId: plant.id, setpoint: PATH, schedule: made.body._id }]);
  expect(handed.absent).toEqual([
    { deviceId: plant.id, paths: [other] },
    { deviceId: hidden.id, paths: [PATH, other] },
  ]);
  await handOut(owner, [hidden.id]);
  const devicesFor = async (token: string) =>
    (await cloud.call('GET', 'schedules/main', { token })).body.find(
      ({ _id }: { _id: string }) => _id === made.body._id,
    ).devices;
  expect(await devicesFor(bound)).toEqual([plant.id]);
  expect(new Set(await devicesFor(owner))).toEqual(new Set([plant.id, hidden.id]));
  const seen = (await cloud.call('GET', 'schedules/main/device', { token: bound })).body;
  expect(new Set(seen.map(({ deviceId }: DeviceSchedule) => deviceId))).toEqual(new Set([plant.id]));
  const setpoints = (await cloud.call('GET', 'schedules/main/setpoints', { token: bound })).body;
  expect(setpoints).toHaveLength(1);
  expect((await cloud.call('DELETE', `schedules/main/${made.body._id}`, { token: owner })).status).toBe(200);
  expect((await list())[0]).toMatchObject({ schedule: null });
});

test('bounds are named with the entry that breaks them, in the rehearsal and before anything is sent', async () => {
  const bounds = { least: 30, step: 20, persistentWritesADay: 1, whenLost: 'value' };
  const set = await call('PUT', '/bounds', { setpoint: PATH, bounds }, await confirmed(owner));
  expect(set.body.bounds).toMatchObject(bounds);
  const inverter = (name: string, more: object = {}) => ({
    ...{ name, isReached: true, model: 123, ratedKw: 10, mayWrite: 'yes' as const, why: '' },
    ...{ whenLost: 'release' as const, fallback: null, timerS: 60, isPersistent: true },
    ...{ persistentWritesToday: 1, ...more },
  });
  plant.rehearsed = [inverter('One'), inverter('Two', { mayWrite: 'no', why: 'locked', whenLost: 'value' })];
  const entries = [entry('2 kW', -2 * MINUTE), entry('60%', 2 * MINUTE)];
  const { _id: id } = await draft('60%', { entries });
  const wanted = ['entries.0.value', 'entries.1.value', 'entries.1.value', 'bounds.whenLost'];
  const dry = await call('POST', '/rehearse', { setpoint: PATH, entries });
  expect(dry.body.problems.map(({ part }: { part: string }) => part).slice(0, 2)).toEqual(wanted.slice(0, 2));
  expect(dry.body).toMatchObject({ zone: 'UTC', entryCount: 2, isStop: false, curtailedKwh: null });
  const refused = await call('POST', `/${id}`, ALONE);
  expect(refused.status).toBe(400);
  const issues = refused.body.issues.map(({ path, issue }: { path: string; issue: string }) => [path, issue]);
  expect(issues).toContainEqual(['entries.0.value', 'issue.bound_least']);
  expect(issues).toContainEqual(['entries.1.value', 'issue.bound_step']);
  expect(issues).toContainEqual(['entries.1.value', 'issue.bound_writes']);
  expect(issues).toContainEqual(['bounds.whenLost', 'issue.when_lost']);
  expect(JSON.stringify(issues)).not.toContain('readonly');
  expect(plant.orders).toEqual([]);
  // A stop is bound by nothing.
  const stop = await call('POST', '/override', { setpoint: PATH, value: '0%', until: at(MINUTE), ...WHY });
  expect(stop.status).toBe(200);
});

test('bounds count from what holds, also by hand; what cannot be told is named; who is away keeps nothing back', async () => {
  await applied('60%');
  const inverter = (more: object = {}) => ({
    ...{ name: 'One', isReached: true, model: 123, ratedKw: null, mayWrite: 'yes' as const, why: '' },
    ...{ whenLost: 'release' as const, fallback: null, timerS: 60, isPersistent: false },
    ...{ persistentWritesToday: 0, ...more },
  });
  const bounds = async (more: object) =>
    call('PUT', '/bounds', { setpoint: PATH, bounds: more }, await confirmed(owner));
  const byHand = async (value: string) => {
    const how = { setpoint: PATH, value, until: at(60 * MINUTE), ...ALONE };
    const { body: said } = await call('POST', '/override', how);
    return said.issues?.map(({ path, issue }: { path: string; issue: string }) => `${path} ${issue}`);
  };
  await bounds({ step: 20, rampPerMinute: 5, dwellMinutes: 10 });
  expect(await byHand('90%')).toEqual([
    'entries.0.value issue.bound_step',
    'entries.0.value issue.bound_ramp',
    'entries.0.datetime issue.bound_dwell',
  ]);
  plant.rehearsed = [inverter()];
  await bounds({ most: 70 });
  expect(await byHand('2 MW')).toEqual(['entries.0.value issue.bound_unknown']);
  plant.rehearsed = [inverter({ ratedKw: 1000 })];
  expect(await byHand('2 MW')).toEqual(['entries.0.value issue.bound_most']);
  await bounds({ whenLost: 'release' });
  plant.rehearsed = [inverter({ timerS: null })];
  expect(await byHand('50%')).toEqual(['bounds.whenLost issue.when_lost']);
  plant.rehearsed = [inverter({ isReached: false, why: 'no answer' })];
  const dry = await call('POST', '/rehearse', { setpoint: PATH, entries: [entry('50%')] });
  expect(dry.body.problems).toMatchObject([{ issue: 'issue.inverter_away', blocks: false }]);
  expect(await byHand('50%')).toBeUndefined();
});

test('a rehearsal says what the last days would have lost, by the power that is stored of the inverters', async () => {
  const day = Math.floor(Date.now() / 86_400_000) * 86_400_000;
  const fields = [{ name: 'AC Power', type: 'decimal' as const, units: 'W' }];
  const stream = { table: 'data', source: 'Inverter 1', fields };
  const rows = Array.from({ length: 60 }, (_, i): [number, number, number] => [
    i + 1,
    day - 14 * 60 * MINUTE + i * MINUTE,
    8000,
  ]);
  const { telemetry } = cloud.cloud.features;
  const block = { workgroup: 'main', device: plant.id, stream, rows };
  await telemetry.asSystem('ingest').insert([block], crypto.randomUUID());
  const tomorrow = day + 86_400_000 + 10 * 60 * MINUTE;
  const iso = (instant: number) => new Date(instant).toISOString();
  const dry = await call('POST', '/rehearse', {
    setpoint: PATH,
    entries: [{ datetime: iso(tomorrow), value: '5 kW' }],
    until: iso(tomorrow + 60 * MINUTE),
  });
  expect(dry.body).toMatchObject({ curtailedKwh: 3, curtailedWhy: null });
});

test('events of a device reach only those who may see it', async () => {
  const group = async (devices: string[]) => {
    const body = { name: crypto.randomUUID(), composition: { type: 'IN', devices } };
    const { _id } = (await cloud.call('POST', 'orgs/main/device-groups', { token: owner, body })).body;
    const token = await cloud.newUser({
      main: { role: 'power', permissions: ['read', 'controlDevices'], devGroup: _id },
    });
    const socket = await new BrowserSocket(cloud, { token, orgName: 'main' }).connected();
    const heard: string[] = [];
    socket.socket.onAny((name, payload) => heard.push(`${name} ${JSON.stringify(payload)}`));
    return { socket, heard };
  };
  const [inside, outside] = [await group([plant.id]), await group([])];
  await applied('60%');
  for (const name of ['deviceSchedule', 'deviceSetpoint'])
    await vi.waitFor(() => expect(inside.heard.some((one) => one.startsWith(name))).toBe(true), {
      timeout: 10_000,
    });
  expect(outside.heard.join()).not.toContain(plant.id);
  for (const { socket } of [inside, outside]) socket.close();
});

test('entries that do not rise, are there twice, or are of another setpoint are refused by their place', async () => {
  const refusal = async (entries: object[]) => {
    const reply = await call('POST', '', { setpoint: PATH, entries });
    return [reply.status, ...reply.body.issues.map(({ path }: { path: string }) => path)];
  };
  expect(await refusal([entry('60%', 2), entry('50%', 1)])).toEqual([400, 'entries.1.datetime']);
  const twice = entry('60%');
  expect(await refusal([twice, twice])).toEqual([400, 'entries.1.datetime']);
  expect(await refusal([{ ...twice, path: 'x/setpoint_cosphi', value: '1' }])).toEqual([
    400,
    'entries.0.path',
  ]);
});
