import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../app/query-client.ts';
import { connection } from '../../app/test-connection.ts';
import { fakeNetwork, signInAs } from '../../app/test-screen.tsx';
import { followWorkgroups, loadWorkgroups } from './workgroups.queries.ts';

vi.mock(import('../../app/socket.ts'), async (original) =>
  (await import('../../app/test-connection.ts')).withConnection(original),
);

afterEach(() => queryClient.clear());

test('what changed before the connection, or while it was lost, is asked for once there is one', async () => {
  signInAs();
  let displayName = 'Demo';
  const asked = fakeNetwork(() => ({ body: [{ name: 'demo', displayName, theme: {}, images: {} }] }));
  await loadWorkgroups();
  const afterwards = vi.fn();
  const stop = followWorkgroups(afterwards);
  connection.begin();
  await vi.waitUntil(() => asked.length === 2, { timeout: 10_000 });
  // Nothing changed, so no screen decides anew.
  expect(afterwards).not.toHaveBeenCalled();

  displayName = 'SunCo';
  connection.begin();
  await vi.waitFor(() => expect(afterwards).toHaveBeenCalledOnce(), { timeout: 10_000 });
  stop();
});
