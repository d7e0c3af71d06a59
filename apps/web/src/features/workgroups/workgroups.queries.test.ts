import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../app/query-client.ts';
import { fakeNetwork, signInAs } from '../../app/test-screen.tsx';
import { followWorkgroups, loadWorkgroups } from './workgroups.queries.ts';

const socket = vi.hoisted(() => ({ connect: () => {} }));
vi.mock(import('../../app/socket.ts'), async (original) => ({
  ...(await original()),
  onConnected: (resume: () => void) => {
    socket.connect = resume;
    return () => {};
  },
}));

afterEach(() => queryClient.clear());

test('what changed before the connection, or while it was lost, is asked for once there is one', async () => {
  signInAs();
  let displayName = 'Demo';
  const asked = fakeNetwork(() => ({ body: [{ name: 'demo', displayName, theme: {}, images: {} }] }));
  await loadWorkgroups();
  const afterwards = vi.fn();
  const stop = followWorkgroups(afterwards);
  socket.connect();
  await vi.waitUntil(() => asked.length === 2, { timeout: 10_000 });
  // Nothing changed, so no screen decides anew.
  expect(afterwards).not.toHaveBeenCalled();

  displayName = 'SunCo';
  socket.connect();
  await vi.waitFor(() => expect(afterwards).toHaveBeenCalledOnce(), { timeout: 10_000 });
  stop();
});
