import { LONE_PHRASE } from '@albedo/contract/schedules/schedules.names';
import type { DeviceSchedule } from '@albedo/contract/schedules/schedules.schema';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type ControlDevice, connectControl, follows, PATH, verified } from '../testing/control-device.ts';
import { mailsTo } from '../testing/outbox.ts';
import { OWNER, type Reply, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

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
  plant = await connectControl(cloud, 'main', crypto.randomUUID());
  await vi.waitFor(() => expect(cloud.cloud.features.health.of(plant.id).online).toBe(true));
  await cloud.cloud.features.schedules.discovery.discover({ workgroup: 'main', device: plant.id });
});
afterAll(() => cloud.stop());

const on = (path = '') => `schedules/main/device/${plant.id}${path}`;
const call = (method: string, path: string, body?: object, token = owner): Promise<Reply> =>
  cloud.call(method, on(path), { token, ...(body ? { body } : {}) });
const NEVER = { reason: 'The grid operator asked for it.', phrase: LONE_PHRASE };
const entry = (value: string, inMs = -60_000) => ({
  datetime: new Date(Date.now() + inMs).toISOString(),
  value,
});
const draft = async (value = '60%', more: object = {}): Promise<DeviceSchedule> => {
  const reply = await call('POST', '', { setpoint: PATH, name: value, entries: [entry(value)], ...more });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body;
};
const get = async (id: string): Promise<DeviceSchedule> =>
  (await cloud.call('GET', `schedules/main/device?device=${plant.id}`, { token: owner })).body.find(
    ({ _id }: DeviceSchedule) => _id === id,
  );
const becomes = (id: string, wanted: object) =>
  vi.waitFor(async () => expect(await get(id)).toMatchObject(wanted), { timeout: 10_000, interval: 20 });
const setpoint = async () =>
  (await cloud.call('GET', `schedules/main/setpoints?device=${plant.id}`, { token: owner })).body[0];
const versions = async () => (await call('GET', `/versions?setpoint=${encodeURIComponent(PATH)}`)).body;

test('a draft is applied by a lone owner with a reason and the phrase, sent, confirmed, and is the current one', async () => {
  const { _id: id, state } = await draft();
  expect(state).toBe('draft');
  const without = await call('POST', `/${id}`, {});
  expect(without).toMatchObject({ status: 403, body: { error: 'schedule.alone' } });
  expect(plant.orders).toEqual([]);
  const applied = await call('POST', `/${id}`, NEVER);
  expect(applied).toMatchObject({ status: 200, body: { state: 'pending', step: 'sending', asks: 'apply' } });
  await becomes(id, { state: 'applied', step: null, version: 1, approver: OWNER.email, reason: null });
  expect(plant.orders).toMatchObject([{ action: 'schedule', version: 1, entries: [{ value: '60%' }] }]);
  expect(await setpoint()).toMatchObject({ currentDeviceSchedule: id, pendingDeviceSchedule: null });
  expect(await versions()).toMatchObject([{ version: 1, outcome: 'applied', author: OWNER.email }]);
  expect(await verified()).toBeGreaterThan(0);
  const [mail] = (await mailsTo(cloud, OWNER.email)).slice(-1);
  expect(mail?.subject).toBe(`${OWNER.email} applied a setpoint alone`);
});

test('what is not followed goes back to what was before, with the reason', async () => {
  const { _id: first } = await draft('60%');
  await call('POST', `/${first}`, NEVER);
  await becomes(first, { state: 'applied' });
  const { _id: second } = await draft('40%');
  plant.inverters = [follows('notFollowed')];
  await call('POST', `/${second}`, NEVER);
  await becomes(second, { state: 'draft', reason: 'Not followed. Inverter 1: it says 100 %' });
  await vi.waitFor(() => expect(plant.orders.map(({ version }) => version)).toEqual([1, 2, 3]));
  expect(plant.file).toMatchObject([{ value: '60%' }]);
  await vi.waitFor(async () =>
    expect((await versions()).map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'applied',
      'failed',
      'replaced',
    ]),
  );
  await becomes(first, { state: 'applied', version: 3 });
});
