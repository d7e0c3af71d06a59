import { expect, test, vi } from 'vitest';
import { queryClient } from '../../app/query-client.ts';
import { followRemovals, plantListQuery } from './plants.queries.ts';

type Removed = (event: { deviceId: string }) => void;
const socket = vi.hoisted(() => ({ says: new Map<string, unknown>() }));
vi.mock(import('../../app/socket.ts'), async (original) => ({
  ...(await original()),
  onEvent: (name, hear) => {
    socket.says.set(name, hear);
    return () => socket.says.delete(name);
  },
}));

test('the plant of a device that somebody removed goes at once', () => {
  const { queryKey } = plantListQuery('demo');
  const [hilltop, harbour] = [crypto.randomUUID(), crypto.randomUUID()];
  queryClient.setQueryData(queryKey, { at: 1, plants: [{ device: hilltop }, { device: harbour }] } as never);
  const stop = followRemovals('demo');
  (socket.says.get('device:removed') as Removed)({ deviceId: hilltop });
  expect(queryClient.getQueryData(queryKey)?.plants.map(({ device }) => device)).toEqual([harbour]);
  stop();
});
