import type { SocketReply } from '@albedo/contract/sockets/action';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { BrowserSocket } from '../testing/browser-socket.ts';
import { connectAgent, type FakeAgent } from '../testing/fake-agent.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

/** What ends a socket, and what a socket may not go on with. */
let cloud: TestCloud;
let agent: FakeAgent;
const opened: BrowserSocket[] = [];
beforeAll(async () => {
  cloud = await startTestCloud();
  agent = await connectAgent(cloud);
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  for (const one of opened) one.close();
  await agent.leave();
  await cloud.stop();
});

function open(token: string): BrowserSocket {
  const one = new BrowserSocket(cloud, { token, orgName: 'main' });
  opened.push(one);
  return one;
}
const ended = ({ socket }: BrowserSocket) =>
  new Promise<string>((resolve) => void socket.once('disconnect', resolve));
const watch = (one: BrowserSocket) => one.call('device:watch', { deviceId: agent.id });

test('a socket ends with the ten hours of its session', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const one = await open(await cloud.owner()).connected();
  const atEnd = timers.mock.calls.find(([, ms = 0]) => ms > 35_000_000 && ms <= 36_000_000)?.[0];
  const over = ended(one);
  atEnd?.();
  expect(await over).toBe('io server disconnect');
});

test('a session that ends while its socket connects leaves none behind', async () => {
  const { sessions, tickets } = cloud.cloud.features;
  const verify = sessions.verify.bind(sessions);
  const take = tickets.take.bind(tickets);
  const token = await cloud.owner();
  vi.spyOn(tickets, 'take').mockImplementationOnce((ticket) => {
    vi.spyOn(sessions, 'verify').mockImplementationOnce(async (given) => {
      const claims = await verify(given);
      await sessions.revoke(claims);
      return claims;
    });
    return take(ticket);
  });
  expect(await ended(open(token))).toBe('io server disconnect');
});

test('a session that is over can call nothing, also where its socket was not ended yet', async () => {
  const { sessions } = cloud.cloud.features;
  const token = await cloud.owner();
  const one = await open(token).connected();
  expect((await watch(one)).error).toBeUndefined();
  const { jti, exp } = await sessions.verify(token);
  sessions.apply({ kind: 'token', jti, expiresAt: exp * 1000 });
  expect((await watch(one)).error?.message).toBe('Unauthorized');
});

test('the session that is spared keeps its socket', async () => {
  const { sessions } = cloud.cloud.features;
  const first = await cloud.newUser({ main: { role: 'power' } });
  const { _id, jti } = await sessions.verify(first);
  const user = await cloud.cloud.features.users.user(_id);
  if (!user) throw new Error('the user is gone');
  const [kept, other] = [open(first), open(await sessions.issue(user))];
  await Promise.all([kept.connected(), other.connected()]);
  const over = ended(other);
  await sessions.revokeUser(_id, jti);
  expect(await over).toBe('io server disconnect');
  expect((await watch(kept)).error).toBeUndefined();
});

test('a feed is stopped by nobody but the socket that has it', async () => {
  const [one, other] = [open(await cloud.owner()), open(await cloud.owner())];
  await Promise.all([one.connected(), other.connected()]);
  const replies: SocketReply[] = [];
  const feed = { deviceId: agent.id, table: 'data', source: 'cpu' };
  void one.call('device:feed', feed, (reply) => replies.push(reply));
  await expect.poll(() => replies.length).toBe(1);
  const { feedId } = (replies[0]?.data ?? {}) as { feedId?: string };
  await other.call('device:feed:stop', { feedId });
  // A call of the same socket is answered after whatever the stop would have told it.
  await watch(one);
  expect(replies).toHaveLength(1);
  await one.call('device:feed:stop', { feedId });
  await expect.poll(() => replies.at(-1)?.complete).toBe(true);
});

test('a socket has 200 calls open and no more', async () => {
  const one = await open(await cloud.owner()).connected();
  const { health } = cloud.cloud.features;
  await expect.poll(() => health.of(agent.id).online).toBe(true);
  for (let i = 0; i < 200; i++) void one.call('device:cmd', { deviceId: agent.id, cmd: 'wait' });
  expect((await watch(one)).error?.message).toBe('Too many requests.. Please try again later');
});
