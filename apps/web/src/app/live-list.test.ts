// @vitest-environment node
import { QueryObserver } from '@tanstack/react-query';
import type { Server } from 'socket.io';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followList, unlessTold } from './live-list.ts';
import { queryClient } from './query-client.ts';
import { connectSocket, disconnectSocket, isLive, onEvent } from './socket.ts';
import { startSocketServer } from './test-socket.ts';

/** Generous, for machines that are busy with other tests. */
const patience = { timeout: 10_000 };
let io: Server;

followList('members', ['members', 'mfa-policy']);

beforeEach(async () => {
  io = await startSocketServer();
});

afterEach(async () => {
  disconnectSocket();
  queryClient.clear();
  await io.close();
  vi.unstubAllGlobals();
});

/** A list on the screen; `answer` lets the oldest question that is open have its answer. */
function shown(queryKey: readonly string[]) {
  const open: (() => void)[] = [];
  let asked = 0;
  const queryFn = () => {
    asked++;
    return new Promise<number>((resolve) => open.push(() => resolve(asked)));
  };
  const stop = new QueryObserver(queryClient, { queryKey, queryFn }).subscribe(() => {});
  /** Lets everything that is asked have its answer. */
  const settle = async () => {
    while (queryClient.isFetching({ queryKey }) > 0) {
      open.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { stop, settle, asked: () => asked };
}

async function connected(): Promise<void> {
  connectSocket(async () => 'token-1', 'demo');
  await vi.waitUntil(isLive, patience);
}

test('a list is asked for again when the server says that it changed, and another one is not', async () => {
  const [members, invites] = [shown(['members', 'demo']), shown(['invites', 'demo'])];
  await connected();
  await members.settle();
  const before = members.asked();
  io.emit('list:changed', { list: 'members' });
  await vi.waitUntil(() => members.asked() === before + 1, patience);
  expect(invites.asked()).toBe(1);
  await members.settle();
  members.stop();
  invites.stop();
});

test('three hundred changes while the answer is on its way are one more question', async () => {
  const members = shown(['members', 'demo']);
  await connected();
  await members.settle();
  const before = members.asked();
  const told = new Promise<void>((resolve) => {
    onEvent('device:stateChange', () => resolve());
  });
  for (let i = 0; i < 300; i++) io.emit('list:changed', { list: 'members' });
  io.emit('device:stateChange', { deviceId: 'd', online: true, at: 1 });
  await told;
  expect(members.asked()).toBe(before + 1);
  await members.settle();
  await vi.waitUntil(() => members.asked() === before + 2, patience);
  await members.settle();
  expect(members.asked()).toBe(before + 2);
  members.stop();
});

test('after a time without connection a list is asked for again', async () => {
  const members = shown(['members', 'demo']);
  await connected();
  await members.settle();
  const before = members.asked();
  io.disconnectSockets(true);
  await vi.waitUntil(() => members.asked() > before, patience);
  members.stop();
});

test('a list is polled often only while nobody announces its changes', async () => {
  expect(unlessTold(15_000)()).toBe(15_000);
  await connected();
  expect(unlessTold(15_000)()).toBeGreaterThanOrEqual(60_000);
});
