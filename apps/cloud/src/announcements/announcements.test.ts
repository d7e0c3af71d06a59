import { announcement } from '@albedo/contract/announcements/announcements.schema';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PROVIDER_LOG } from '../audit/audit.service.ts';
import { BrowserSocket } from '../testing/browser-socket.ts';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let staff = '';
let reader = '';
beforeAll(async () => {
  cloud = await startTestCloud({ ALBEDO_STAFF_DOMAINS: 'provider.example' });
  staff = await cloud.tokenOf('ann@provider.example', 'Ann');
  reader = await cloud.newUser({ main: { role: 'readonly', permissions: ['read'] } });
});
afterAll(() => cloud.stop());

const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
const draft = (title: string, from = -1, to = 1) => ({
  title,
  bodyMarkdown: '**New**',
  startDate: inDays(from),
  endDate: inDays(to),
});
const write = async (title: string, from?: number, to?: number): Promise<string> =>
  (await cloud.call('POST', 'announcements', { token: staff, body: draft(title, from, to) })).body._id;
const seenBy = async (token: string) =>
  announcement.array().parse((await cloud.call('GET', 'userAnnouncements', { token })).body);

async function sendPicture(id: string, bytes: Buffer) {
  const body = new FormData();
  body.append('files', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'picture.png');
  return cloud.call('PUT', `announcements/${id}/thumbnail`, { token: staff, body });
}
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

test('what has begun is shown to everybody, the newest first, and what is planned only to the staff', async () => {
  const old = await write('Old', -9, -8);
  const running = await write('Running');
  const planned = await write('Planned', 2, 3);
  expect((await seenBy(reader)).map(({ _id }) => _id)).toEqual([running, old]);
  const { body } = await cloud.call('GET', 'announcements', { token: staff });
  expect(body.map((one: { _id: string }) => one._id)).toEqual([planned, running, old]);
});

test('one for some workgroups is shown only to their members, who do not learn who else it is for', async () => {
  await cloud.cloud.features.workgroups.ensure({ name: 'north', displayName: 'North' });
  const inNorth = await cloud.newUser({ north: { role: 'readonly' }, main: { role: 'readonly' } });
  const body = { ...draft('For the north'), workgroups: ['north'] };
  const written = await cloud.call('POST', 'announcements', { token: staff, body });
  expect(written.body).toMatchObject({ workgroups: ['north'] });
  const id = written.body._id as string;
  const told = async (token: string) => (await seenBy(token)).find(({ _id }) => _id === id);
  expect(await told(inNorth)).toMatchObject({ title: 'For the north' });
  const raw = await cloud.call('GET', 'userAnnouncements', { token: inNorth });
  expect(JSON.stringify(raw.body)).not.toContain('workgroups');
  expect(await told(reader)).toBeUndefined();
  expect((await cloud.call('DELETE', `userAnnouncements/${id}`, { token: reader })).status).toBe(404);
  expect((await cloud.call('DELETE', `userAnnouncements/${id}`, { token: inNorth })).status).toBe(200);
  const change = (workgroups: string[] | null) =>
    cloud.call('PUT', `announcements/${id}`, { token: staff, body: { ...body, workgroups } });
  expect((await change([])).status).toBe(400);
  expect((await change(['no-such'])).body).toMatchObject({ error: 'workgroup.not_found' });
  expect((await change(null)).status).toBe(200);
  expect(await told(reader)).toMatchObject({ isAcknowledged: false });
});

test('who dismisses one has dismissed it for himself alone', async () => {
  const id = await write('To dismiss');
  const other = await cloud.newUser({ main: { role: 'owner' } });
  const path = `userAnnouncements/${id}`;
  expect((await cloud.call('DELETE', path, { token: reader })).status).toBe(200);
  expect((await cloud.call('DELETE', path, { token: reader })).status).toBe(200);
  const isDismissedBy = async (token: string) =>
    (await seenBy(token)).find(({ _id }) => _id === id)?.isAcknowledged;
  expect(await isDismissedBy(reader)).toBe(true);
  expect(await isDismissedBy(other)).toBe(false);
  const unknown = await cloud.call('DELETE', `userAnnouncements/${crypto.randomUUID()}`, { token: reader });
  expect(unknown).toMatchObject({ status: 404, body: { error: 'announcement.not_found' } });
});

test('one that is changed keeps who dismissed it, one that is deleted is gone for everybody', async () => {
  const id = await write('To change');
  await cloud.call('DELETE', `userAnnouncements/${id}`, { token: reader });
  const body = draft('Changed');
  const changed = await cloud.call('PUT', `announcements/${id}`, { token: staff, body });
  expect(changed.body).toMatchObject(body);
  expect((await seenBy(reader)).find(({ _id }) => _id === id)).toMatchObject({
    ...body,
    isAcknowledged: true,
  });
  expect((await cloud.call('DELETE', `announcements/${id}`, { token: staff })).status).toBe(200);
  expect((await seenBy(reader)).some(({ _id }) => _id === id)).toBe(false);
  expect((await cloud.call('DELETE', `announcements/${id}`, { token: staff })).status).toBe(404);
});

test.each([
  ['title', '   ', 'Required'],
  ['bodyMarkdown', undefined, 'Required'],
  ['startDate', 'tomorrow', 'Enter a date with a time'],
  ['endDate', inDays(-2), 'The end must be after the start.'],
])('an announcement whose %s is %j is refused: %s', async (field, value, text) => {
  const body = { ...draft('Bad'), [field]: value };
  const reply = await cloud.call('POST', 'announcements', { token: staff, body });
  expect(reply.status).toBe(400);
  expect(reply.body.message).toContain(text);
});

test('a picture is served as what it is, changes its address when it changes, and goes with the announcement', async () => {
  const id = await write('With a picture');
  const first = (await sendPicture(id, PNG)).body.thumbnailUrl as string;
  const served = await cloud.call('GET', first);
  expect(served.bytes.equals(PNG)).toBe(true);
  expect(served.headers.get('content-type')).toBe('image/png');
  expect(served.headers.get('x-content-type-options')).toBe('nosniff');
  expect(served.headers.get('content-security-policy')).toContain('sandbox');
  const second = (await sendPicture(id, PNG)).body.thumbnailUrl as string;
  expect(second).not.toBe(first);
  await cloud.call('DELETE', `announcements/${id}`, { token: staff });
  expect((await cloud.call('GET', second)).status).toBe(404);
});

test('what only claims to be a picture is refused and the one before stays', async () => {
  const id = await write('With a bad picture');
  const { thumbnailUrl } = (await sendPicture(id, PNG)).body;
  const refused = await sendPicture(id, Buffer.from('<svg onload="alert(1)"></svg>'));
  expect(refused).toMatchObject({ status: 400, body: { error: 'file.wrong_kind' } });
  expect(await sendPicture(id, Buffer.alloc(1_000_001))).toMatchObject({
    status: 413,
    body: { message: 'The file picture.png is larger than 1 MB.' },
  });
  expect((await cloud.call('GET', thumbnailUrl)).bytes.equals(PNG)).toBe(true);
});

test('browsers hear of every change, and the log of the provider says who made it', async () => {
  const { socket } = await new BrowserSocket(cloud, { token: reader, orgName: 'main' }).connected();
  const heard = vi.fn();
  socket.on('announcement', heard);
  const id = await write('Heard');
  await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1));
  await cloud.call('DELETE', `announcements/${id}`, { token: staff });
  await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(2));
  socket.disconnect();
  const entries = (await auditOf(cloud, PROVIDER_LOG)).filter(({ entity }) => entity === id);
  expect(entries).toMatchObject([
    { action: 'create', user_id: 'ann@provider.example', new_value: expect.stringContaining('Heard') },
    { action: 'delete', user_id: 'ann@provider.example' },
  ]);
});
