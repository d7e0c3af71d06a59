import type { DeviceSchedule } from '@albedo/contract/schedules/schedules.schema';
import { afterAll, expect, test, vi } from 'vitest';
import { type ControlDevice, connectControl, follows, PATH } from '../testing/control-device.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

/** What a cloud that dies leaves under way is taken up by the next one, or goes back; nothing goes out twice with another content. */
let cloud: TestCloud;
let plant: ControlDevice;
let owner = '';
afterAll(() => cloud?.stop());

const schedules = () => cloud.cloud.features.schedules;
const sql = (text: string) => cloud.cloud.features.postgres.query(text);
const online = (isOnline: boolean) =>
  vi.waitFor(() => expect(cloud.cloud.features.health.of(plant.id).online).toBe(isOnline));
const at = () => ({ workgroup: 'main', device: plant.id, path: PATH });
const on = (path = '') => `schedules/main/device/${plant.id}${path}`;
const get = async (id: string) =>
  (await cloud.call('GET', 'schedules/main/device', { token: owner })).body.find(
    ({ _id }: DeviceSchedule) => _id === id,
  );
const becomes = (id: string, wanted: object) =>
  vi.waitFor(async () => expect(await get(id)).toMatchObject(wanted), { timeout: 15_000, interval: 20 });
const begin = async (value = '60%'): Promise<string> => {
  const entries = [{ datetime: '2026-01-01T00:00:00Z', value }];
  const reply = await cloud.call('POST', on(), {
    token: owner,
    body: { setpoint: PATH, name: value, entries, apply: true },
  });
  expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 200, body: { state: 'pending' } });
  return reply.body._id;
};

/** A cloud whose jobs die before they did anything; what they do happens when the test says so. */
async function start() {
  cloud = await startTestCloud();
  owner = await cloud.owner();
  const { workgroups } = cloud.cloud.features;
  await sql("insert into workgroup_addons (workgroup, id, name) values ('main', 'schedules', '')");
  await sql("insert into control_policies (workgroup, two_people, changed_by) values ('main', 'never', 'x')");
  workgroups.tellChanged('main');
  plant = await connectControl(cloud);
  await online(true);
  const { sender, discovery } = schedules();
  await discovery.discover({ workgroup: 'main', device: plant.id });
  const jobs = { send: sender.send.bind(sender), confirm: sender.confirm.bind(sender) };
  Object.assign(sender, { send: async () => {}, confirm: async () => {} });
  return jobs;
}

test('every step is taken up where it was cut off', async () => {
  const sender = await start();
  // Cut off before it was sent.
  const id = await begin();
  expect(plant.orders).toEqual([]);
  expect(await get(id)).toMatchObject({ step: 'sending' });
  // Cut off after the device took it, before that was written down.
  plant.onOrder = () => {
    plant.onOrder = () => {};
  };
  await sender.send(at());
  expect(await get(id)).toMatchObject({ step: 'confirming' });
  await sql('update schedule_versions set taken_at = null');
  await sender.send(at());
  // The same version says the same, and the device changes nothing.
  expect(plant.orders).toHaveLength(1);
  // Cut off while it was watched.
  await sender.confirm(at());
  await becomes(id, { state: 'applied', version: 1 });
  await sender.confirm(at());
  await sender.send(at());
  expect(plant.orders).toHaveLength(1);

  // Never sent, and too late by now.
  const late = await begin('50%');
  await sql("update schedule_versions set send_by = now() where outcome = 'pending'");
  await sender.send(at());
  await becomes(late, { state: 'draft', reason: 'It could not be sent in time.' });

  // It may have arrived, and has: the device says so.
  const came = await begin('40%');
  await sender.send(at());
  await sql("update schedule_versions set taken_at = null, send_by = now() where outcome = 'pending'");
  await sender.send(at());
  expect(await get(came)).toMatchObject({ step: 'confirming' });
  await sender.confirm(at());
  await becomes(came, { state: 'applied' });

  // It may have arrived, and has not.
  const lost = await begin('30%');
  await sql("update schedule_versions set tried_at = now(), send_by = now() where outcome = 'pending'");
  await sender.send(at());
  await becomes(lost, { state: 'draft', reason: expect.stringContaining('did not take it') });
  expect(plant.file).toMatchObject([{ value: '40%' }]);

  // What is taken back is taken back as soon as the device is there again.
  const bad = await begin('20%');
  await sender.send(at());
  plant.inverters = [follows('notFollowed')];
  await sender.confirm(at());
  await becomes(bad, { state: 'draft' });
  expect(plant.file).toMatchObject([{ value: '20%' }]);
  await sql("update schedule_versions set tried_at = now(), send_by = now() where outcome = 'pending'");
  await sender.send(at());
  expect(plant.file).toMatchObject([{ value: '40%' }]);
  await sender.confirm(at());
  await becomes(came, { state: 'applied' });

  // A device that goes before it was told leaves a draft.
  const gone = await begin('10%');
  await plant.agent.leave();
  await online(false);
  await sender.send(at());
  await becomes(gone, { state: 'draft', reason: 'The device is offline, so it cannot answer.' });
});
