import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashPassword } from '../secrets/passwords.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { UsersStore } from '../users/users.store.ts';
import { type FirstOwner, makeFirstOwner } from './first-owner.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.stop());

/** The first owner of a server, as far as `makeFirstOwner` knows an empty one. */
async function ownerOf(of: { password: string | null; isPublic: boolean }): Promise<FirstOwner | null> {
  const { users, workgroups } = cloud.cloud.features;
  const empty = { hasUsers: async () => false, addUser: users.addUser.bind(users) } as typeof users;
  const email = `${crypto.randomUUID()}@example.org`;
  return makeFirstOwner({ users: empty, workgroups, email, mfaRequired: false, ...of });
}

test('a printed password is good for three days on a server that others reach', async () => {
  const owner = await ownerOf({ password: null, isPublic: true });
  const days = ((owner?.passwordUntil?.getTime() ?? 0) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(2.9);
  expect(days).toBeLessThanOrEqual(3);
  expect((await ownerOf({ password: null, isPublic: false }))?.passwordUntil).toBeNull();
  expect((await ownerOf({ password: 'chosen by the operator', isPublic: true }))?.passwordUntil).toBeNull();
});

test('then it opens nothing, until its holder chooses another one', async () => {
  const { users, postgres } = cloud.cloud.features;
  const owner = await ownerOf({ password: null, isPublic: true });
  const [email, password] = [owner?.email ?? '', owner?.password ?? ''];
  const signIn = (given: string) => cloud.call('POST', 'auth/local', { body: { email, password: given } });
  expect((await signIn(password)).status).toBe(200);
  await postgres.query('update users set password_until = now() where email = $1', [email]);
  expect(await signIn(password)).toMatchObject({ status: 403, body: { error: 'session.password_over' } });
  expect(await signIn('a wrong one')).toMatchObject({ status: 401 });
  const user = await users.userByEmail(email);
  await users.setPassword(user?.id ?? '', await hashPassword('a password of my own'));
  expect((await signIn('a password of my own')).status).toBe(200);
});

test('where the operator demands a second factor of everybody, nobody signs in without', async () => {
  const { postgres, users } = cloud.cloud.features;
  const { _id } = await cloud.cloud.features.sessions.verify(
    await cloud.newUser({ main: { role: 'readonly' } }),
  );
  expect(await users.secondFactor(_id)).toMatchObject({ isRequired: false });
  const strict = new UsersStore(postgres, { mfaOfAll: true });
  expect(await strict.secondFactor(_id)).toMatchObject({ isRequired: true });
});
