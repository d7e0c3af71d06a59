import type { Permission, Role } from '@albedo/contract/access/permissions';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashOf } from '../secrets/link-token.ts';
import { BrowserSocket } from '../testing/browser-socket.ts';
import { linkIn, mailsTo } from '../testing/outbox.ts';
import { auditOf, startTestCloud, type TestCloud, USER_PASSWORD } from '../testing/test-cloud.ts';
import { InvitesStore } from './invites.store.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.stop());

/** Requests are limited by address; each test comes from another one, and has a workgroup of its own. */
let headers: Record<string, string> = {};
let wg = '';
let tests = 0;
let owner: Someone;
beforeEach(async () => {
  headers = { 'x-forwarded-for': `198.51.100.${++tests}` };
  wg = `wg-${tests}`;
  owner = await someone('owner');
});

interface Someone {
  token: string;
  id: string;
  email: string;
}
async function someone(role: Role, permissions: Permission[] = [], workgroup = wg): Promise<Someone> {
  const token = await cloud.newUser({ [workgroup]: { role, permissions } });
  const { _id: id, email } = await cloud.cloud.features.sessions.verify(token);
  return { token, id, email };
}
const call = (method: string, path: string, token?: string, body?: unknown) =>
  cloud.call(method, path, { body, token, headers });
const signIn = (email: string, password: string) =>
  call('POST', 'auth/local', undefined, { email, password });
const change = (by: Someone, of: Someone, body: object) =>
  call('PUT', `orgs/${wg}/members/${of.id}`, by.token, body);
const remove = (by: Someone, of: Someone) => call('DELETE', `orgs/${wg}/members/${of.id}`, by.token);
const invite = (by: Someone, email: string, more: object = {}) =>
  call('POST', `orgs/${wg}/members`, by.token, { email, ...more });
const newAddress = () => `${crypto.randomUUID()}@example.org`;
const invited = async (email: string) => linkIn((await mailsTo(cloud, email)).at(-1), `invitation/${wg}`);
const accept = (token: string, more: object = {}, orgName = wg) =>
  call('POST', 'newuser', undefined, { orgName, token, ...more });

describe('members', () => {
  test('are listed for who manages access or members, and nobody else', async () => {
    const reader = await someone('readonly', ['read']);
    const lister = await someone('readonly', ['read', 'wgMembers']);
    const { body } = await call('GET', `orgs/${wg}/members`, lister.token);
    expect(body).toHaveLength(3);
    expect(body).toContainEqual(
      expect.objectContaining({
        _id: reader.id,
        userId: reader.id,
        email: reader.email,
        role: 'readonly',
        hasMfa: false,
      }),
    );
    expect((await call('GET', `orgs/${wg}/members`, reader.token)).status).toBe(403);
    expect((await change(lister, reader, { role: 'admin' })).status).toBe(403);
  });

  test('are listed with when they signed in last', async () => {
    const member = await someone('readonly');
    const listed = async () => {
      const { body } = await call('GET', `orgs/${wg}/members`, owner.token);
      return body.find(({ _id }: { _id: string }) => _id === member.id);
    };
    const { postgres } = cloud.cloud.features;
    await postgres.query('update users set last_sign_in_at = null where id = $1', [member.id]);
    expect(await listed()).toMatchObject({ lastSignInAt: null });
    await signIn(member.email, USER_PASSWORD);
    expect((await listed()).lastSignInAt).toBeGreaterThan(Date.now() - 60_000);
  });

  test('who change lose their sessions and sockets at once, and are what they are at the next sign-in', async () => {
    const member = await someone('power', ['read', 'manageDevices']);
    const socket = await new BrowserSocket(cloud, { token: member.token, orgName: wg }).connected();
    const ended = new Promise((resolve) => socket.socket.once('disconnect', resolve));
    const reply = await change(owner, member, { role: 'readonly', permissions: ['coordinate'] });
    expect(reply.body).toMatchObject({ role: 'readonly', permissions: ['read', 'coordinate'] });
    expect(await ended).toBe('io server disconnect');
    expect((await call('GET', 'me', member.token)).status).toBe(401);
    const { token } = (await signIn(member.email, USER_PASSWORD)).body;
    expect(decodeJwt(token)).toMatchObject({ scopes: { [wg]: { role: 'readonly', ps: 'rd co' } } });
    const rows = (await auditOf(cloud, wg)).filter((row) => row.controller === 'member');
    expect(rows).toMatchObject([
      {
        entity: member.email,
        attribute: 'role',
        old_value: 'power',
        new_value: 'readonly',
        user_id: owner.email,
      },
      { attribute: 'permissions', old_value: 'read,manageDevices', new_value: 'read,coordinate' },
    ]);
  });

  test('who are removed lose the workgroup at once, and keep their others', async () => {
    const member = await someone('power');
    await cloud.cloud.features.workgroups.ensure({ name: 'theirs', displayName: 'Theirs' });
    await cloud.cloud.features.workgroups.setMember('theirs', member.id, { role: 'power' });
    expect((await remove(owner, member)).status).toBe(200);
    expect((await call('GET', `devices/${wg}`, member.token)).status).toBe(401);
    const { token } = (await signIn(member.email, USER_PASSWORD)).body;
    expect((await call('GET', 'orgs', token)).body).toMatchObject([
      { name: 'theirs', displayName: 'Theirs' },
    ]);
    expect((await call('GET', `devices/${wg}`, token)).status).toBe(403);
    expect((await remove(owner, member)).body).toMatchObject({ code: 404, message: 'could not find member' });
  });

  test('always have an owner among them, also when two demote one another at once', async () => {
    expect((await change(owner, owner, { role: 'admin' })).body.error).toBe('member.last_owner');
    expect((await remove(owner, owner)).body.error).toBe('member.last_owner');
    const second = await someone('owner');
    const replies = await Promise.all([
      change(owner, second, { role: 'readonly' }),
      change(second, owner, { role: 'readonly' }),
    ]);
    const { members } = cloud.cloud.features;
    expect((await members.list(wg)).filter(({ role }) => role === 'owner')).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('nobody grants more than they have, to others or to themselves', async () => {
    const manager = await someone('readonly', ['read', 'manageAccess', 'coordinate']);
    const member = await someone('readonly', ['read', 'tunnel']);
    for (const who of [member, manager]) {
      expect((await change(manager, who, { role: 'owner' })).body.error).toBe('member.owners_only');
      expect((await change(manager, who, { role: 'admin' })).body.error).toBe('member.more_than_own');
      const reply = await change(manager, who, { permissions: ['manageAccess', 'audit'] });
      expect(reply.body.message).toContain('You do not have: audit.');
    }
    expect((await change(manager, owner, { permissions: [] })).body.error).toBe('member.owners_only');
    expect((await remove(manager, owner)).body.error).toBe('member.owners_only');
    expect((await invite(manager, newAddress(), { role: 'owner' })).body.error).toBe('member.owners_only');
    const more = await invite(manager, newAddress(), { permissions: ['manageDevices'] });
    expect(more.body.error).toBe('member.more_than_own');
    // What the member had before may stay.
    expect((await change(manager, member, { permissions: ['tunnel', 'coordinate'] })).status).toBe(200);
  });

  test('of another workgroup do not exist', async () => {
    const stranger = await someone('owner', [], 'elsewhere');
    const reply = await call('DELETE', `orgs/elsewhere/members/${owner.id}`, stranger.token);
    expect(reply).toMatchObject({ status: 404, body: { error: 'member.not_found' } });
    expect((await call('DELETE', `orgs/${wg}/members/${owner.id}`, stranger.token)).status).toBe(403);
  });

  test('can be made to use two-factor authentication one by one', async () => {
    const member = await someone('power');
    await change(owner, member, { mfaRequired: true });
    expect(decodeJwt((await signIn(member.email, USER_PASSWORD)).body.token)).toMatchObject({ mfa: 'setup' });
  });
});

describe('an invitation', () => {
  test('makes an account with a name and a password, once', async () => {
    const email = newAddress();
    const reply = await invite(owner, ` ${email.toUpperCase()} `, {
      role: 'power',
      permissions: ['coordinate'],
    });
    expect(reply.body).toMatchObject({ email, permissions: ['read', 'coordinate'], invitedBy: owner.email });
    expect(reply.body.expiresAt - reply.body.sentAt).toBe(7 * 86_400_000);
    const token = await invited(email);
    const seen = await call('GET', `newuser/${wg}/${token}`);
    expect(seen.body).toMatchObject({ email, orgName: wg, orgDisplay: wg, hasAccount: false });
    expect((await accept(token)).body.message).toBe('A new account needs a name and a password.');
    const short = await accept(token, { name: 'Ann', password: 'short' });
    expect(short.body.message).toContain('Password must contain at least 8 characters');

    expect((await accept(token, { name: 'Ann', password: 'long enough' })).status).toBe(200);
    const session = (await signIn(email, 'long enough')).body.token;
    expect(decodeJwt(session)).toMatchObject({ name: 'Ann', defaultWorkgroup: wg, memberOf: [wg] });
    expect((await accept(token, { name: 'Eve', password: 'long enough' })).status).toBe(404);
    expect((await call('GET', `orgs/${wg}/invites`, owner.token)).body).toEqual([]);
    const rows = (await auditOf(cloud, wg)).filter((row) => row.controller === 'invite');
    expect(rows).toMatchObject([
      { action: 'create', user_id: owner.email },
      { action: 'accept', user_id: email },
    ]);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test('of somebody with an account is answered like any other, and changes nothing of the account', async () => {
    const guest = await someone('power', [], `other-${tests}`);
    const [known, unknown] = [await invite(owner, guest.email), await invite(owner, newAddress())];
    expect(Object.keys(known.body)).toEqual(Object.keys(unknown.body));
    expect((await call('GET', `orgs/${wg}/members`, owner.token)).body).toHaveLength(1);
    const token = await invited(guest.email);
    expect((await call('GET', `newuser/${wg}/${token}`)).body.hasAccount).toBe(true);
    expect((await accept(token, { name: 'Eve', password: 'taken over now' })).status).toBe(200);
    expect((await signIn(guest.email, 'taken over now')).status).toBe(401);
    expect((await call('GET', 'me', guest.token)).status).toBe(401);
    const { body } = await signIn(guest.email, USER_PASSWORD);
    const orgs = (await call('GET', 'orgs', body.token)).body as { name: string }[];
    expect(orgs.map(({ name }) => name).toSorted()).toEqual([`other-${tests}`, wg]);
    expect((await invite(owner, guest.email)).body.error).toBe('invite.member_already');
  });

  test('needs an address', async () => {
    for (const email of ['', '   ', undefined]) {
      const { status, body } = await call('POST', `orgs/${wg}/members`, owner.token, { email });
      expect({ status, message: body.message }).toMatchObject({
        status: 400,
        message: expect.stringContaining('Email address is required.'),
      });
    }
    expect((await invite(owner, 'no address')).body.message).toContain('Invalid email');
  });

  test('works with its latest link only, in its own workgroup, until it expires or is taken back', async () => {
    const email = newAddress();
    const { body } = await invite(owner, email, { expiresInDays: 3 });
    const first = await invited(email);
    const path = `orgs/${wg}/invites/${body._id}`;
    const again = await call('POST', `${path}/resend`, owner.token);
    expect(again.body.expiresAt - again.body.sentAt).toBe(3 * 86_400_000);
    const second = await invited(email);
    const person = { name: 'Ann', password: 'long enough' };
    expect((await accept(first, person)).status).toBe(404);
    await cloud.cloud.features.workgroups.ensure({ name: 'elsewhere', displayName: 'Elsewhere' });
    expect((await accept(second, person, 'elsewhere')).status).toBe(404);
    expect((await call('GET', `activate/${second}`)).status).toBe(404);

    const { postgres } = cloud.cloud.features;
    await postgres.query(`update invites set expires_at = now() - interval '1 s' where id = '${body._id}'`);
    expect((await accept(second, person)).body.error).toBe('invite.invalid');
    await call('POST', `${path}/resend`, owner.token);
    const third = await invited(email);
    const stranger = await someone('owner', [], 'elsewhere');
    const foreign = await call('DELETE', `orgs/elsewhere/invites/${body._id}`, stranger.token);
    expect(foreign.body.error).toBe('invite.not_found');
    expect((await call('DELETE', path, owner.token)).status).toBe(200);
    expect((await accept(third, person)).status).toBe(404);
    expect((await signIn(email, person.password)).status).toBe(401);
  });

  test('makes one account when its link is used twice at the same time', async () => {
    const email = newAddress();
    await invite(owner, email);
    const token = await invited(email);
    const person = { name: 'Ann', password: 'long enough' };
    const replies = await Promise.all([accept(token, person), accept(token, person)]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  });

  test('that is sent again while its old link is used lets nobody in by the old one', async () => {
    const email = newAddress();
    const { body } = await invite(owner, email);
    const store = new InvitesStore(cloud.cloud.features.postgres);
    const old = await store.open(hashOf(await invited(email)), new Date());
    if (!old) throw new Error('the invitation is gone');
    await call('POST', `orgs/${wg}/invites/${body._id}/resend`, owner.token);
    expect(await store.accept(old.invite, { name: 'Ann', passwordHash: null })).toBeNull();
    expect((await call('GET', `orgs/${wg}/members`, owner.token)).body).toHaveLength(1);
  });

  test('ends with the right to invite of who sent it', async () => {
    const manager = await someone('readonly', ['read', 'manageAccess']);
    const [one, two] = [newAddress(), newAddress()];
    await invite(manager, one);
    const backDoor = await invited(one);
    await change(owner, manager, { permissions: ['read'] });
    expect((await accept(backDoor, { name: 'Eve', password: 'long enough' })).status).toBe(404);
    await invite(owner, two);
    expect((await call('GET', `orgs/${wg}/invites`, owner.token)).body).toHaveLength(1);
  });
});

describe('several at once', () => {
  const several = (path: string, ids: string[], more: object = {}) =>
    call('POST', `orgs/${wg}/${path}`, owner.token, { ids, ...more });
  const refused = ({ body }: { body: { failed: { id: string; error: string }[] } }) =>
    body.failed.map(({ id, error }) => [id, error]);

  test('120 invitations are sent again and taken back without a refusal', async () => {
    const { postgres } = cloud.cloud.features;
    const { body: first } = await invite(owner, newAddress());
    const rows = await postgres.query<{ id: string }>(
      `insert into invites (workgroup, email, name, role, permissions, invited_by, token_hash, sent_at, expires_at)
       select workgroup, n || email, name, role, permissions, invited_by, n || token_hash, sent_at, expires_at
       from invites, generate_series(1, 119) n where workgroup = $1 returning id`,
      [wg],
    );
    const ids = [...rows.map(({ id }) => id), first._id];
    expect(new Set(ids).size).toBe(120);
    for (const path of ['invites/resend', 'invites/remove']) {
      for (let from = 0; from < ids.length; from += 50) {
        const reply = await several(path, ids.slice(from, from + 50));
        expect(reply).toMatchObject({ status: 200, body: { failed: [] } });
      }
    }
    expect((await call('GET', `orgs/${wg}/invites`, owner.token)).body).toEqual([]);
  });

  test('members are bound and removed; whom it fails for is named and the others are not held up', async () => {
    const [ann, bob] = [await someone('readonly'), await someone('readonly')];
    const stranger = await someone('readonly', [], 'other');
    const composition = { type: 'IN', devices: [] };
    const group = (
      await call('POST', `orgs/${wg}/device-groups`, owner.token, { name: 'Roofs', composition })
    ).body._id;
    const bound = await several('members/device-group', [ann.id, owner.id, stranger.id, bob.id], {
      devGroup: group,
    });
    expect(refused(bound)).toContainEqual([stranger.id, 'member.not_found']);
    const rows = (await call('GET', `orgs/${wg}/members`, owner.token)).body as {
      _id: string;
      devGroup: string;
    }[];
    expect(
      rows
        .filter(({ devGroup }) => devGroup === group)
        .map(({ _id }) => _id)
        .toSorted(),
    ).toEqual([ann.id, bob.id].toSorted());
    const removed = await several('members/remove', [ann.id, owner.id, bob.id]);
    expect(refused(removed)).toEqual([[owner.id, 'member.last_owner']]);
    expect((await call('GET', `orgs/${wg}/members`, owner.token)).body).toHaveLength(1);
  });

  test('nobody does to several what they may not do to one', async () => {
    const manager = await someone('readonly', ['manageAccess']);
    const reply = await call('POST', `orgs/${wg}/members/remove`, manager.token, { ids: [owner.id] });
    expect(refused(reply)).toEqual([[owner.id, 'member.owners_only']]);
  });
});
