import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Permission } from '@albedo/contract/access/permissions';
import { type ListName, watchedLists } from '@albedo/contract/lists/lists.socket';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { BrowserSocket } from '../testing/browser-socket.ts';
import { connectCamera, takePhoto } from '../testing/camera.ts';
import { IDENTITIES_ENV, identitiesOf, NEW_TOKEN } from '../testing/identities.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

/** Everybody who connects to a workgroup, and what each hears of the lists that others change. */
let cloud: TestCloud;
let owner = '';
const opened: BrowserSocket[] = [];
beforeAll(async () => {
  cloud = await startTestCloud(IDENTITIES_ENV);
  owner = await cloud.owner();
  await cloud.cloud.features.workgroups.ensure({ name: 'other', displayName: 'Other' });
});
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});
afterAll(() => cloud.stop());

const staffIn = async (workgroup: string): Promise<string> => {
  const token = await cloud.tokenOf(`${randomUUID()}@provider.example`);
  const { sessions, users, workgroups } = cloud.cloud.features;
  const { email } = await sessions.verify(token);
  const user = await users.userByEmail(email);
  await workgroups.setMember(workgroup, user?.id ?? '', { role: 'readonly', permissions: ['read'] });
  return sessions.issue(user as never);
};
const reader = (permissions: Permission[], workgroup = 'main', devGroup?: string) =>
  cloud.newUser({ [workgroup]: { role: 'readonly', permissions, ...(devGroup ? { devGroup } : {}) } });
const newGroup = async (): Promise<string> => {
  const body = { name: randomUUID(), composition: { type: 'IN', devices: [] } };
  return (await cloud.call('POST', 'orgs/main/device-groups', { token: owner, body })).body._id;
};

const identities = identitiesOf(() => cloud);
const listeners: Record<string, () => Promise<string | undefined>> = {
  'an API token': () => identities['an API token']?.() ?? Promise.resolve(undefined),
  'a member who may only read': () => reader(['read']),
  'a member who sees dashboards alone': () => reader(['read', 'dashboardOnly']),
  'a member who manages members': () => reader(['read', 'wgMembers']),
  'a member who manages access': () => reader(['read', 'manageAccess']),
  'a member who manages devices': () => reader(['read', 'manageDevices']),
  'a coordinator': () => reader(['read', 'coordinate']),
  'a member who may read the audit log': () => reader(['read', 'audit']),
  'a member with the role power': () => cloud.newUser({ main: { role: 'power', permissions: ['read'] } }),
  'staff who are members': () => staffIn('main'),
  'the owner': () => cloud.owner(),
};

/** What a socket hears of lists from now on. */
async function ear(token: string | undefined, orgName = 'main') {
  const socket = await new BrowserSocket(cloud, { token, orgName }).connected();
  opened.push(socket);
  const heard = new Set<ListName>();
  socket.socket.on('list:changed', ({ list }: { list: ListName }) => heard.add(list));
  return { socket, heard };
}

const REQUEST = {
  name: 'Ann',
  title: 'Engineer',
  company: 'Sun',
  website: 'sun.example',
  country: 'Germany',
  countryCode: 'DE',
  phone: '1',
  description: 'Roofs',
};
const ANNOUNCEMENT = {
  title: 'News',
  bodyMarkdown: 'Something is new.',
  startDate: '2026-01-01T00:00:00Z',
  endDate: '2026-01-02T00:00:00Z',
};

const PUSHED = {
  name: 'Pushed',
  kind: 'push',
  mapping: { table: 'pushed', source: 'gate', timeColumn: 'time', fields: [{ column: 'n', name: 'n' }] },
};

async function change(method: string, path: string, body?: object, token = owner) {
  const reply = await cloud.call(method, path, { token, body });
  expect(reply, path).toMatchObject({ status: 200 });
  return reply.body;
}

/** Everybody hears of the end of what was changed. */
async function allHeard(sockets: readonly BrowserSocket[]): Promise<void> {
  const over = sockets.map((socket) => socket.event('announcement'));
  const staff = await cloud.tokenOf(`${randomUUID()}@provider.example`);
  await change('POST', 'announcements', ANNOUNCEMENT, staff);
  await Promise.all(over);
}

async function changeEveryList(): Promise<void> {
  const staff = await cloud.tokenOf(`${randomUUID()}@provider.example`);
  const { _id } = await cloud.cloud.features.sessions.verify(await reader(['read']));
  await change('PUT', `orgs/main/members/${_id}`, { role: 'power' });
  await change('POST', 'orgs/main/members', { email: `${randomUUID()}@example.org` });
  await change('POST', 'orgs/main/api-tokens', NEW_TOKEN);
  await newGroup();
  await change('POST', 'alerts/main', { name: 'Away', kind: 'offline' });
  await change('PUT', 'energy/main/config/capacity-factor-config', { value: { basis: 'dc' } });
  await change('POST', 'notifications/main/channels', {
    kind: 'email',
    name: 'Service',
    emails: ['service@example.org'],
  });
  await change('POST', 'webhooks/main', {
    name: 'Tickets',
    address: 'https://hooks.example.org/',
    events: ['device.online'],
  });
  await change('POST', 'escalations/main', { name: 'Night', steps: [{ afterMinutes: 0, users: [_id] }] });
  await change('POST', 'rotas/main', {
    name: 'On call',
    zone: 'UTC',
    members: [_id],
    startsOn: '2026-03-02',
    handover: '08:30',
  });
  const formula = await change('POST', 'formulae/main', { title: 'Two', expression: '1 + 1' });
  await change('PUT', `formulae/main/${formula._id}/share`);
  await change('POST', 'entities/main', { name: 'Hilltop' });
  await change('POST', 'externalSources/main', PUSHED);
  await change('POST', 'historyImports/main', { name: 'a.csv', format: 'csv', bytes: 1 });
  await change('POST', 'lookupTables/main', { code: randomUUID(), name: 'Codes' });
  await change('POST', 'entityDashboards/main', { type: 'label', typeId: 'site', name: 'Site' });
  const search = await change('POST', 'searches/main', { name: 'Faults', table: 'data' });
  await change('PUT', `searches/main/${search._id}/share`);
  await change('POST', 'orgs', { orgDisplay: 'New', ownerEmail: `${randomUUID()}@example.org` }, staff);
  await change('PUT', 'newuser', { ...REQUEST, email: `${randomUUID()}@example.org` });
  const form = new FormData();
  const ticket = { name: 'Ann', email: 'ann@example.org', subject: 'Help', body: 'It is dark.' };
  for (const [name, value] of Object.entries(ticket)) form.append(name, value);
  await change('POST', 'support', form);
  await change('POST', 'opsteam/workgroups/other/export', undefined, staff);
  await change('POST', 'diagnostics/main/frontendError', {
    location: '/devices',
    message: 'x is undefined',
    stack: '',
    context: { source: 'window', version: '1' },
  });
  await cloud.cloud.features.diagnostics.write();
  const watcher = await ear(owner);
  const camera = await connectCamera(cloud, { photos: [takePhoto()] });
  await camera.tell();
  await vi.waitFor(() => expect(camera.waiting).toEqual([]), { timeout: 15_000 });
  // Photos that arrive are told of a little later, together; a later test must not hear of this one.
  await vi.waitFor(() => expect([...watcher.heard]).toContain('photos'), { timeout: 15_000 });
  await camera.agent.leave();
  // As the engine leaves what it cannot open.
  const store = join(cloud.dataDir, 'telemetry/store');
  const folders = readdirSync(store, { recursive: true, encoding: 'utf8' });
  for (const path of folders.filter((one) => one.endsWith('/detached')))
    mkdirSync(join(store, path, 'broken_all_1_1_0'));
  await cloud.cloud.features.storeChecks.round();
  // What cannot be read is dead at once.
  const { jobs, mailer } = cloud.cloud.features;
  await jobs.send({ ...mailer.job, payload: z.object({}) } as never, {} as never);
  await jobs.idle(mailer.job);
}

const lists = Object.keys(watchedLists) as ListName[];

/** The lists that the server answers to this token. */
async function readable(token: string | undefined): Promise<ListName[]> {
  const answered: ListName[] = [];
  for (const list of lists) {
    const { status } = await cloud.call('GET', watchedLists[list].url.slice(1).replace(':wg', 'main'), {
      token,
    });
    if (status === 200) answered.push(list);
    else expect(status).toBe(403);
  }
  return answered;
}

test(`${Object.keys(listeners).length} listeners hear of the ${lists.length} lists that they may read, and of no other`, async () => {
  const heard: Record<string, ListName[]> = {};
  const wanted: Record<string, ListName[]> = {};
  const ears: Record<string, Awaited<ReturnType<typeof ear>>> = {};
  for (const [name, token] of Object.entries(listeners)) {
    const made = await token();
    wanted[name] = (await readable(made)).toSorted();
    ears[name] = await ear(made);
  }
  const stranger = await ear(await cloud.newUser({ other: { role: 'owner' } }), 'other');
  await changeEveryList();
  await allHeard([...Object.values(ears), stranger].map(({ socket }) => socket));
  for (const [name, one] of Object.entries(ears)) heard[name] = [...one.heard].toSorted();
  expect(heard).toEqual(wanted);
  expect([...stranger.heard]).toEqual([]);
  expect(wanted['the owner']).toEqual([
    'alerts',
    'api-tokens',
    'device-groups',
    'energy',
    'entities',
    'entity-dashboards',
    'escalations',
    'external-sources',
    'formulae',
    'history-imports',
    'invites',
    'lookup-tables',
    'members',
    'notify-channels',
    'photos',
    'rotas',
    'searches',
    'suppressions',
    'webhooks',
  ]);
  expect(wanted['a member who manages members']).toEqual([
    'alerts',
    'energy',
    'entities',
    'entity-dashboards',
    'formulae',
    'lookup-tables',
    'members',
    'photos',
    'rotas',
    'searches',
    'suppressions',
  ]);
  expect(wanted['a member who may only read']).toEqual([
    'alerts',
    'energy',
    'entities',
    'entity-dashboards',
    'formulae',
    'lookup-tables',
    'photos',
    'rotas',
    'searches',
    'suppressions',
  ]);
  expect(wanted['staff who are members']).toEqual([
    'alerts',
    'browser-errors',
    'damages',
    'dead-jobs',
    'energy',
    'entities',
    'entity-dashboards',
    'formulae',
    'long-actions',
    'lookup-tables',
    'photos',
    'rotas',
    'searches',
    'suppressions',
    'tickets',
    'workgroup-requests',
    'workgroups',
  ]);
}, 60_000);

describe('a member of a device group', () => {
  test('hears of a change of their group, and of no other one', async () => {
    const [own, other] = [await newGroup(), await newGroup()];
    const bound = await ear(await reader(['read', 'manageDevices'], 'main', own));
    const body = { name: randomUUID(), composition: { type: 'NOT IN', devices: [] } };
    await change('PUT', `orgs/main/device-groups/${other}`, body);
    await newGroup();
    await allHeard([bound.socket]);
    expect([...bound.heard]).toEqual([]);
    await change('PUT', `orgs/main/device-groups/${own}`, { ...body, name: randomUUID() });
    await allHeard([bound.socket]);
    expect([...bound.heard]).toEqual(['device-groups']);
  });

  test('hears when somebody joins it too', async () => {
    const own = await newGroup();
    const bound = await ear(await reader(['read', 'manageDevices'], 'main', own));
    await change('POST', 'orgs/main/members', { email: `${randomUUID()}@example.org`, devGroup: own });
    await allHeard([bound.socket]);
    expect([...bound.heard]).toEqual(['device-groups']);
  });
});

test('clients that wait for a closed workgroup hear of none of its lists', async () => {
  const staff = await cloud.tokenOf(`${randomUUID()}@provider.example`);
  const name = `closed-${randomUUID()}`;
  const { features } = cloud.cloud;
  await features.workgroups.ensure({ name, displayName: name });
  const token = await cloud.newUser({ [name]: { role: 'owner' } });
  await change('PUT', `opsteam/workgroups/${name}`, { suspended: true }, staff);
  const waiting = await ear(token, name);
  await features.invites.activate(name, name, { email: `${randomUUID()}@example.org`, name: 'Ann' });
  await allHeard([waiting.socket]);
  expect([...waiting.heard]).toEqual([]);
});

test('what goes is told of the list it stood in, and of no other', async () => {
  const { _id: member } = await cloud.cloud.features.sessions.verify(await reader(['read']));
  const { _id: token } = await change('POST', 'orgs/main/api-tokens', NEW_TOKEN);
  const { _id: invite } = await change('POST', 'orgs/main/members', { email: `${randomUUID()}@example.org` });
  const group = await newGroup();
  const { heard, socket } = await ear(owner);
  for (const [list, path] of [
    ['members', `members/${member}`],
    ['api-tokens', `api-tokens/${token}`],
    ['invites', `invites/${invite}`],
    ['device-groups', `device-groups/${group}`],
  ]) {
    await change('DELETE', `orgs/main/${path}`);
    await allHeard([socket]);
    expect([...heard]).toEqual([list]);
    heard.clear();
  }
});
