import { act, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { DeviceControlPage } from './device-control-page.tsx';
import { SchedulesWatch } from './schedules-watch.tsx';
import {
  answerOf,
  buildDeviceSchedule,
  buildSetpoint,
  device,
  HOUR,
  SCHEDULE_ID,
  type World,
} from './test-control.ts';

const heard = vi.hoisted(() => new Map<string, Set<(payload: unknown) => void>>());
const told = vi.hoisted(() => vi.fn());
vi.mock('../../app/socket.ts', async (original) => ({
  ...(await original<typeof import('../../app/socket.ts')>()),
  onEvent: (event: string, handler: (payload: unknown) => void) => {
    const all = heard.get(event) ?? new Set();
    heard.set(event, all.add(handler));
    return () => all.delete(handler);
  },
}));
vi.mock('../../app/notify.ts', async (original) => ({
  ...(await original<typeof import('../../app/notify.ts')>()),
  notifyDone: told,
}));
vi.mock('./use-has-control.ts', () => ({ useHasControl: () => true }));

const say = (event: string, payload: unknown) =>
  act(() => {
    for (const handler of heard.get(event) ?? []) handler(payload);
  });

async function show(world: World): Promise<void> {
  signInAs();
  fakeNetwork((one) => answerOf(world, one) ?? {});
  const page = (
    <>
      <SchedulesWatch />
      <DeviceControlPage />
    </>
  );
  await showScreen(page, `/control/devices/${device.id}`, '/control/devices/$deviceId');
}

test('what the server tells of a setpoint and its schedule stands on the page at once', async () => {
  const world: World = { setpoints: [buildSetpoint()], schedules: [] };
  await show(world);
  expect(await screen.findByText('Not limited')).toBeTruthy();
  await say('deviceSchedule', buildDeviceSchedule({ state: 'applied' }));
  await say('deviceSetpoint', buildSetpoint({ currentDeviceSchedule: SCHEDULE_ID, value: '60%' }));
  expect(await screen.findByText(/Limited to 60 % until/)).toBeTruthy();
  await say('deviceSchedule', { _id: SCHEDULE_ID, deviceId: device.id, isRemoved: true });
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Grid works' })).toBeNull());
});

test('one that waits for me is told once, and one of mine is not', async () => {
  await show({ setpoints: [buildSetpoint()] });
  await screen.findByText('Not limited');
  const waiting = { state: 'pending', step: 'approval', asks: 'apply', approvableUntil: Date.now() + HOUR };
  const theirs = buildDeviceSchedule({ ...(waiting as object), askedBy: 'max@example.org' });
  await say('deviceSchedule', theirs);
  await say('deviceSchedule', theirs);
  expect(told).toHaveBeenCalledTimes(1);
  expect(told).toHaveBeenCalledWith(
    expect.stringContaining('max@example.org asks you to approve “Grid works”'),
  );
  await say('deviceSchedule', { ...theirs, _id: device.id, askedBy: 'zoe@example.org' });
  expect(told).toHaveBeenCalledTimes(1);
});
