import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';
import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../app/query-client.ts';
import { connection } from '../../app/test-connection.ts';
import { buildDevice } from '../../app/test-device.ts';
import { fakeNetwork, signInAs } from '../../app/test-screen.tsx';
import { deviceKeys, deviceListQuery, followDevices } from './devices.queries.ts';

vi.mock(import('../../app/socket.ts'), async (original) =>
  (await import('../../app/test-connection.ts')).withConnection(original),
);

/** Generous, for machines that are busy with other tests. */
const patience = { timeout: 10_000 };
const [early, late] = [buildDevice('Early'), buildDevice('Late')];

afterEach(() => queryClient.clear());

const names = () =>
  queryClient.getQueryData<DeviceSummary[]>(deviceKeys.list('demo'))?.map(({ name }) => name);

test('a list that is on its way when the socket connects is shown, and asked for again for what nobody told', async () => {
  signInAs();
  const answers: ((devices: DeviceSummary[]) => void)[] = [];
  fakeNetwork(async () => ({
    body: await new Promise<DeviceSummary[]>((answer) => {
      answers.push(answer);
    }),
  }));
  const leave = new QueryObserver(queryClient, deviceListQuery('demo')).subscribe(() => {});
  const stop = followDevices('demo');
  // It waits for no connection.
  await vi.waitUntil(() => answers.length === 1, patience);
  connection.begin();
  answers[0]?.([early]);
  await vi.waitUntil(() => answers.length === 2, patience);
  expect(names()).toEqual(['Early']);
  answers[1]?.([early, late]);
  await vi.waitUntil(() => names()?.length === 2, patience);
  stop();
  leave();
});

test('nobody asks for a list that no screen wanted', () => {
  signInAs();
  const asked = fakeNetwork(() => ({ body: [] }));
  const stop = followDevices('demo');
  connection.begin();
  expect(asked).toEqual([]);
  stop();
});
