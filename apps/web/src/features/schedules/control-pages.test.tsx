import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { type Exchange, fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { ControlDevicesPage } from './control-devices-page.tsx';
import { ControlPolicyCard } from './policy-card.tsx';
import { ScheduleListPage } from './schedule-list.tsx';
import { SharedSchedulePage } from './schedule-page.tsx';
import {
  answerOf,
  buildDeviceSchedule,
  buildInverter,
  buildSetpoint,
  buildShared,
  device,
  HOUR,
  PATH,
  SCHEDULE_ID,
  SHARED_ID,
  type World,
} from './test-control.ts';
import * as control from './use-has-control.ts';

type Answer = (asked: Exchange) => { status?: number; body?: unknown };
const network = (world: World, answer: Answer = () => ({ body: {} })) =>
  fakeNetwork((one) => answerOf(world, one) ?? answer(one));

test('devices say what holds on each, and what waits for me stands above them', async () => {
  signInAs();
  network({
    setpoints: [buildSetpoint({ currentDeviceSchedule: SCHEDULE_ID, value: '60%' })],
    schedules: [
      buildDeviceSchedule({ state: 'applied', inverters: [buildInverter(1), buildInverter(2)] }),
      buildDeviceSchedule({
        ...{ _id: '00000000-0000-4000-8000-000000000003', name: 'Evening', askedBy: 'max@example.org' },
        ...{ state: 'pending', step: 'approval', asks: 'apply', approvableUntil: Date.now() + HOUR },
      }),
    ],
  });
  await showScreen(<ControlDevicesPage />);
  const row = await screen.findByRole('row', { name: /Hilltop/ });
  expect(row.textContent).toMatch(/Limited to 60 % until/);
  expect(row.textContent).toContain('2 of 2 inverters follow');
  expect(
    screen.getByText(/max@example.org wants to apply “Evening” on Hilltop \(Active power\)/),
  ).toBeTruthy();
});

test('a device without setpoints is found among all devices', async () => {
  signInAs();
  network({});
  await showScreen(<ControlDevicesPage />);
  expect(await screen.findByText('No device with setpoints')).toBeTruthy();
  await userEvent.click(screen.getByText('All devices · 1'));
  expect(await screen.findByRole('link', { name: 'Hilltop' })).toBeTruthy();
});

test('shared schedules tell what became of them on devices', async () => {
  signInAs();
  network({
    shared: [buildShared({ devices: [device.id] })],
    schedules: [
      buildDeviceSchedule({ schedule: SHARED_ID, state: 'applied' }),
      buildDeviceSchedule({ _id: '00000000-0000-4000-8000-000000000003', schedule: SHARED_ID }),
    ],
  });
  await showScreen(<ScheduleListPage />);
  const row = await screen.findByRole('row', { name: /Midday limit/ });
  await waitFor(() => expect(row.textContent).toContain('1 applied, 1 draft'));
  expect(row.textContent).toContain('Active power');
});

test('handing one out names drafts and what a device lacks', async () => {
  signInAs();
  const asked = network({ shared: [buildShared()], setpoints: [buildSetpoint()] }, () => ({
    body: {
      drafts: [buildDeviceSchedule({ schedule: SHARED_ID })],
      absent: [{ deviceId: device.id, paths: ['operator/setpoint_cosphi'] }],
    },
  }));
  await showScreen(<SharedSchedulePage />, `/control/schedules/${SHARED_ID}`, '/control/schedules/$schedule');
  await userEvent.click(await screen.findByRole('button', { name: 'Apply to devices' }));
  const dialog = await screen.findByRole('dialog', { name: 'Apply Midday limit to devices' });
  await userEvent.click(within(dialog).getByRole('combobox', { name: 'Devices' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Hilltop' }));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Make drafts' }));
  expect(await within(dialog).findByText('1 draft was created')).toBeTruthy();
  expect(within(dialog).getByText('Hilltop has no operator/setpoint_cosphi')).toBeTruthy();
  expect(asked.find(({ method }) => method === 'POST')?.body).toEqual({ devices: [device.id] });
});

test('a new shared schedule needs a name and a step, and is saved with its paths', async () => {
  signInAs();
  const asked = network({}, () => ({ body: buildShared() }));
  await showScreen(<SharedSchedulePage />, '/control/schedules/new', '/control/schedules/$schedule');
  await userEvent.click(await screen.findByRole('button', { name: 'Add step' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Give it a name.')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Name'), 'Midday limit');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(asked.find(({ method }) => method === 'POST')?.body).toMatchObject({
      name: 'Midday limit',
      entries: [{ path: PATH, value: '60%' }],
    }),
  );
});

test('owners choose who has to approve, others read it', async () => {
  vi.spyOn(control, 'useHasControl').mockReturnValue(true);
  signInAs();
  const asked = network({}, () => ({
    body: {
      twoPeople: 'always',
      holders: 2,
      needs: 'secondPerson',
      changedBy: 'zoe@example.org',
      changedAt: 1,
    },
  }));
  await showScreen(<ControlPolicyCard />);
  await userEvent.click(await screen.findByRole('radio', { name: /Always/ }));
  expect(await screen.findByText('Set by zoe@example.org')).toBeTruthy();
  expect(asked.find(({ method }) => method === 'PUT')?.body).toEqual({ twoPeople: 'always' });
});

test('without the addon nothing of it shows', async () => {
  vi.spyOn(control, 'useHasControl').mockReturnValue(false);
  signInAs();
  const asked = network({});
  const { container } = await showScreen(<ControlPolicyCard />);
  expect(container.querySelector('section')).toBeNull();
  expect(asked.some(({ path }) => path.includes('/schedules/'))).toBe(false);
});
