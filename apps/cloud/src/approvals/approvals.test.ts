import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { BrowserSocket } from '../testing/browser-socket.ts';
import { connectAgent, type FakeAgent } from '../testing/fake-agent.ts';
import { NEW_TOKEN, TOKEN_PERMISSIONS } from '../testing/identities.ts';
import { mailsTo } from '../testing/outbox.ts';
import { auditOf, type Reply, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let agent: FakeAgent;
let owner = '';
let zoe = '';
let max = '';

beforeAll(async () => {
  cloud = await startTestCloud();
  owner = await cloud.owner();
  agent = await connectAgent(cloud, 'main', 'Roof', {
    answers: (kind) => (kind === 'files.list' ? { path: '/var', entries: [], isCut: false } : {}),
  });
  const permissions = ['read', 'tunnel', 'controlDevices', 'manageAccess'] as const;
  zoe = await cloud.newUser({ main: { role: 'power', permissions: [...permissions] } });
  max = await cloud.newUser({ main: { role: 'admin', permissions: ['read', 'manageAccess'] } });
  await vi.waitFor(() => expect(cloud.cloud.features.health.of(agent.id).online).toBe(true));
});
afterAll(async () => {
  await agent?.leave();
  await cloud?.stop();
});
beforeEach(() => setRule(true));

/** A session whose bearer confirmed that it is them just now, after all that they did so far. */
async function confirmed(token: string): Promise<string> {
  const { sessions, postgres } = cloud.cloud.features;
  await postgres.query("update remote_confirmations set used_at = now() - interval '1 hour'");
  return sessions.renew(await sessions.verify(token), {
    confirmedAt: Math.floor(Date.now() / 1000),
    confirmedWith: 'password',
  });
}
const setRule = async (isNeeded: boolean): Promise<void> => {
  const reply = await cloud.call('PUT', 'orgs/main/approval-rule', {
    token: await confirmed(owner),
    body: { isNeeded },
  });
  expect(reply).toMatchObject({ status: 200, body: { isNeeded } });
};
const on = (path: string) => `devices/main/${agent.id}/${path}`;
const ask = (token: string, way: string, more: object = {}): Promise<Reply> =>
  cloud.call('POST', on(`approvals/${way}`), { token, body: { reason: 'It stopped.', ...more } });
const decide = async (token: string, id: string, decision: string): Promise<Reply> =>
  cloud.call('PUT', on(`approvals/${id}`), { token: await confirmed(token), body: { decision } });
const openShell = async (token: string): Promise<Reply> =>
  cloud.call('POST', on('shells'), { token: await confirmed(token) });
const openTunnel = async (token: string, port: number): Promise<Reply> =>
  cloud.call('POST', on('tunnels'), {
    token: await confirmed(token),
    body: { kind: 'tcp', host: '10.0.0.5', port },
  });
const needed = { status: 403, body: { error: 'approval.needed' } };

test('only an owner says that approvals are needed, and confirms it', async () => {
  const body = { isNeeded: false };
  const byAdmin = await cloud.call('PUT', 'orgs/main/approval-rule', { token: await confirmed(max), body });
  expect(byAdmin).toMatchObject({ status: 403, body: { error: 'approval.owners_only' } });
  const { sessions } = cloud.cloud.features;
  const stale = await sessions.renew(await sessions.verify(owner), {
    confirmedAt: Math.floor(Date.now() / 1000) - 600,
  });
  const unconfirmed = await cloud.call('PUT', 'orgs/main/approval-rule', { token: stale, body });
  expect(unconfirmed.body.error).toBe('session.not_fresh');
});

test('a terminal waits for somebody else, opens once, and the log has it all before it opens', async () => {
  expect(await openShell(zoe)).toMatchObject(needed);
  const asked = await ask(zoe, 'shell');
  expect(asked).toMatchObject({ status: 200, body: { state: 'asked', reason: 'It stopped.' } });
  const { id } = asked.body;
  expect(await openShell(zoe)).toMatchObject(needed);
  expect(await decide(zoe, id, 'approved')).toMatchObject({ status: 403, body: { error: 'approval.own' } });
  expect(await decide(max, id, 'approved')).toMatchObject({ status: 200, body: { state: 'approved' } });
  // It is for the one who asked, and for what they asked for.
  expect(await openShell(owner)).toMatchObject(needed);
  expect(await openTunnel(zoe, 502)).toMatchObject(needed);
  expect((await openShell(zoe)).status).toBe(200);
  expect(await openShell(zoe)).toMatchObject(needed);
  const list = await cloud.call('GET', 'orgs/main/approvals', { token: max });
  expect(list.body[0]).toMatchObject({ id, state: 'used', deviceId: agent.id });
  const log = (await auditOf(cloud, 'main')).filter(({ entity }) => entity === id);
  expect(log.map(({ action }) => action)).toEqual(['ask', 'approve', 'use']);
  expect(log[1]?.user_id).not.toBe(log[0]?.user_id);
});

test('of two who open at the same instant one gets in, and one approval takes one confirmation', async () => {
  const first = (await ask(zoe, 'tunnel', { kind: 'tcp', host: '10.0.0.5', port: 502 })).body.id;
  const second = (await ask(zoe, 'tunnel', { kind: 'tcp', host: '10.0.0.5', port: 503 })).body.id;
  const token = await confirmed(max);
  const put = (id: string) =>
    cloud.call('PUT', on(`approvals/${id}`), { token, body: { decision: 'approved' } });
  expect((await put(first)).status).toBe(200);
  expect((await put(second)).body.error).toBe('session.not_fresh');
  expect((await put(first)).body.error).toBe('approval.over');
  expect(await openTunnel(zoe, 503)).toMatchObject(needed);
  const both = await Promise.all([openTunnel(zoe, 502), openTunnel(zoe, 502), openTunnel(zoe, 502)]);
  expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('what was refused, withdrawn or too old opens nothing, and is not decided again', async () => {
  const refused = (await ask(zoe, 'shell')).body.id;
  const stale = await cloud.cloud.features.sessions.verify(max);
  const old = await cloud.cloud.features.sessions.renew(stale, { confirmedAt: stale.iat - 600 });
  // To refuse takes no confirmation.
  const no = await cloud.call('PUT', on(`approvals/${refused}`), {
    token: old,
    body: { decision: 'refused' },
  });
  expect(no).toMatchObject({ status: 200, body: { state: 'refused' } });
  expect((await decide(max, refused, 'approved')).body.error).toBe('approval.over');
  const withdrawn = (await ask(zoe, 'shell')).body.id;
  expect((await decide(max, withdrawn, 'approved')).status).toBe(200);
  expect((await cloud.call('DELETE', on(`approvals/${withdrawn}`), { token: max })).status).toBe(404);
  expect((await cloud.call('DELETE', on(`approvals/${withdrawn}`), { token: zoe })).body.state).toBe(
    'withdrawn',
  );
  expect(await openShell(zoe)).toMatchObject(needed);
  const late = (await ask(zoe, 'shell')).body.id;
  const expire = (id: string) =>
    cloud.cloud.features.postgres.query(
      `update approvals set expires_at = now() - interval '1 second' where id = '${id}'`,
    );
  await expire(late);
  expect((await decide(max, late, 'approved')).body.error).toBe('approval.over');
  const unused = (await ask(zoe, 'shell')).body.id;
  expect((await decide(max, unused, 'approved')).status).toBe(200);
  await expire(unused);
  expect(await openShell(zoe)).toMatchObject(needed);
});

test('folders stay open for a while with one approval; asking again takes the place of what waits', async () => {
  const list = async () => cloud.call('GET', `${on('folders')}?path=/var`, { token: await confirmed(zoe) });
  expect(await list()).toMatchObject(needed);
  const first = (await ask(zoe, 'files')).body.id;
  const second = (await ask(zoe, 'files')).body.id;
  expect((await decide(max, first, 'approved')).body.error).toBe('approval.over');
  expect((await decide(max, second, 'approved')).status).toBe(200);
  expect((await list()).status).toBe(200);
  expect((await list()).status).toBe(200);
  await cloud.cloud.features.postgres.query("update approvals set used_at = used_at - interval '31 minutes'");
  expect(await list()).toMatchObject(needed);
});

test('programs neither ask nor approve, and members without the right do not approve', async () => {
  const { body } = await cloud.call('POST', 'orgs/main/api-tokens', {
    token: await confirmed(owner),
    body: { ...NEW_TOKEN, permissions: TOKEN_PERMISSIONS },
  });
  const id = (await ask(zoe, 'shell')).body.id;
  const byToken = await cloud.call('PUT', on(`approvals/${id}`), {
    token: body.token,
    body: { decision: 'approved' },
  });
  expect(byToken.status).toBe(403);
  const reader = await cloud.newUser({ main: { role: 'power', permissions: ['read'] } });
  expect((await decide(reader, id, 'approved')).status).toBe(403);
  expect((await decide(reader, id, 'refused')).status).toBe(403);
});

test('who may approve hears of a request at once, and nothing is asked where the workgroup wants none', async () => {
  const socket = await new BrowserSocket(cloud, { token: max, orgName: 'main' }).connected();
  const heard = socket.event<{ state: string }>('approval:changed', ({ state }) => state === 'asked');
  await ask(zoe, 'shell');
  expect(await heard).toMatchObject({ deviceName: 'Roof', reason: 'It stopped.', way: 'shell' });
  socket.close();
  await setRule(false);
  expect((await openShell(zoe)).status).toBe(200);
});

test('those who may approve get a mail, in which the reason stands as it was typed; nobody else does', async () => {
  const emailOf = async (token: string) => (await cloud.cloud.features.sessions.verify(token)).email;
  const elsewhere = await connectAgent(cloud, 'main', 'Barn', {});
  const group = { name: 'Barns', composition: { type: 'IN' as const, devices: [elsewhere.id] } };
  const { body: made } = await cloud.call('POST', 'orgs/main/device-groups', { token: owner, body: group });
  const permissions = ['read', 'manageAccess'] as const;
  const rights = { role: 'power' as const, permissions: [...permissions] };
  const bound = await cloud.newUser({ main: { ...rights, devGroup: made._id } });
  const reader = await cloud.newUser({ main: { role: 'readonly', permissions: ['read'] } });
  const reason = 'Look at https://evil.example <b>now</b> & then';
  const count = async (token: string) => (await mailsTo(cloud, await emailOf(token))).length;
  const before = await count(max);
  await ask(zoe, 'shell', { reason });
  await vi.waitFor(async () => expect(await count(max)).toBe(before + 1), { timeout: 20_000 });
  const mail = (await mailsTo(cloud, await emailOf(max))).at(-1);
  expect(mail?.subject).toBe(`${await emailOf(zoe)} asks for access to Roof`);
  expect(mail?.text).toContain(`> ${reason}`);
  expect(mail?.text).toContain(`/devices/${agent.id}`);
  expect(mail?.html).not.toContain('<b>now</b>');
  expect(mail?.html).not.toContain('href="https://evil.example');
  for (const other of [zoe, bound, reader]) {
    const subjects = (await mailsTo(cloud, await emailOf(other))).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.startsWith(`${mail?.subject}`))).toEqual([]);
  }
  await setRule(false);
  const quiet = await count(max);
  await ask(zoe, 'shell');
  expect(await count(max)).toBe(quiet);
  await elsewhere.leave();
});
