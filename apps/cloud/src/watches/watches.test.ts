import { watch } from '@albedo/contract/watches/watches.schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildIncident, buildStep } from '../testing/incident-steps.ts';
import { mailsTo } from '../testing/outbox.ts';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let owner = '';
let device = '';
let other = '';
const ids: string[] = [];

beforeAll(async () => {
  cloud = await startTestCloud();
  owner = await cloud.owner();
  for (const name of ['Roof', 'Barn']) {
    const { body } = await cloud.call('POST', 'devices/main', { token: owner, body: { name } });
    ids.push(body.id);
  }
  [device = '', other = ''] = ids;
}, 60_000);
afterAll(() => cloud.stop());

const member = async (devGroup?: string) => {
  const token = await cloud.newUser({
    main: { role: 'readonly', permissions: ['read'], ...(devGroup ? { devGroup } : {}) },
  });
  return { token, ...(await cloud.cloud.features.sessions.verify(token)) };
};
const follow = (token: string, body: unknown) => cloud.call('POST', 'orgs/main/watches', { token, body });

async function happen(...steps: Parameters<typeof buildStep>[]): Promise<void> {
  const { postgres, notifications, jobs } = cloud.cloud.features;
  const all = steps.map((one) => buildStep(...one));
  await postgres.db.transaction((inside) => notifications.listener('main', all, inside));
  await jobs.idle(notifications.announcer.announcing);
}
const subjects = async (to: string) =>
  (await mailsTo(cloud, to)).map(({ subject }) => subject.replace(/^.*: /, ''));

test('what somebody follows reaches them, by the ways that they chose, and nothing else does', async () => {
  const [ann, ben] = [await member(), await member()];
  const { body: entity } = await cloud.call('POST', 'entities/main', {
    token: owner,
    body: {
      name: 'Inverter 1',
      signals: { sources: [{ deviceId: device, source: 'inv-01' }] },
    },
  });
  const { body: parent } = await cloud.call('POST', 'entities/main', {
    token: owner,
    body: { name: 'Site' },
  });
  await cloud.call('PUT', `entities/main/${entity._id}`, { token: owner, body: { parent: parent._id } });
  const { body: rule } = await cloud.call('POST', 'alerts/main', {
    token: owner,
    body: { name: 'Away', kind: 'offline' },
  });
  const kept = watch.parse((await follow(ann.token, { kind: 'device', target: other })).body);
  expect(kept).toMatchObject({ name: 'Barn', channels: ['mail', 'push'] });
  expect((await follow(ann.token, { kind: 'rule', target: rule._id })).body.name).toBe('Away');
  expect((await follow(ben.token, { kind: 'entity', target: parent._id })).body.name).toBe('Site');
  await follow(ben.token, { kind: 'scan', target: other });
  await happen(
    [buildIncident({ device: other, subject: 'Whole barn' })],
    [buildIncident({ device, source: 'inv-01', table: 'inverter', subject: 'Of the entity' })],
    [buildIncident({ device, source: 'inv-02', table: 'inverter', subject: 'Of nobody' })],
    [buildIncident({ alert: rule._id, subject: 'Of the rule' })],
    [buildIncident({ device: other, kind: 'network', subject: 'New host' })],
  );
  expect((await subjects(ann.email)).toSorted()).toEqual(['New host', 'Of the rule', 'Whole barn']);
  expect((await subjects(ben.email)).toSorted()).toEqual(['New host', 'Of the entity']);
  // Chosen anew: it is the same one, and mails end.
  const again = await follow(ann.token, { kind: 'device', target: other, channels: ['push'] });
  expect(again.body).toMatchObject({ _id: kept._id, channels: ['push'] });
  await happen([buildIncident({ device: other, subject: 'Later' })]);
  expect(await subjects(ann.email)).not.toContain('Later');
});

test('everybody sees and ends what they follow themselves, and the log knows', async () => {
  const [ann, ben] = [await member(), await member()];
  const { body: kept } = await follow(ann.token, { kind: 'device', target: device });
  const list = async (token: string) => (await cloud.call('GET', 'orgs/main/watches', { token })).body;
  expect(await list(ben.token)).toEqual([]);
  const path = `orgs/main/watches/${kept._id}`;
  expect((await cloud.call('DELETE', path, { token: ben.token })).status).toBe(200);
  expect(await list(ann.token)).toHaveLength(1);
  for (let time = 0; time < 2; time++)
    expect((await cloud.call('DELETE', path, { token: ann.token })).status).toBe(200);
  expect(await list(ann.token)).toEqual([]);
  const entries = (await auditOf(cloud, 'main')).filter((one) => one.user_id === ann.email);
  expect(entries.map(({ action }) => action)).toEqual(['create', 'delete']);
});

test('what somebody may not see cannot be followed, and reaches nobody who may see it no more', async () => {
  const { body: group } = await cloud.call('POST', 'orgs/main/device-groups', {
    token: owner,
    body: { name: 'Only the roof', composition: { type: 'IN', devices: [device] } },
  });
  const bound = await member(group._id);
  expect((await follow(bound.token, { kind: 'device', target: other })).body.error).toBe(
    'watch.target_not_found',
  );
  expect((await follow(bound.token, { kind: 'schedule', target: other })).status).toBe(404);
  expect((await follow(bound.token, { kind: 'device', target: 'x' })).status).toBe(400);
  expect((await follow(bound.token, { kind: 'device', target: device, more: 1 })).status).toBe(400);
  await follow(bound.token, { kind: 'device', target: device });
  await cloud.call('PUT', `orgs/main/device-groups/${group._id}`, {
    token: owner,
    body: { name: 'Only the barn', composition: { type: 'IN', devices: [other] } },
  });
  await happen([buildIncident({ device, subject: 'Hidden by now' })]);
  expect(await subjects(bound.email)).toEqual([]);
});
