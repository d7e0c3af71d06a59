import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { queryClient } from '../../app/query-client.ts';
import { buildDevice } from '../../app/test-device.ts';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { applyFacts, deviceKeys, dropDevice, putDevice } from './devices.queries.ts';
import { DevicesPage } from './devices-page.tsx';

const harbour = buildDevice('Harbour');
const hilltop = buildDevice('Hilltop');
const spare = buildDevice('z_spare');

beforeEach(() => {
  signInAs();
});

async function showDevices(devices: DeviceSummary[] = [harbour, hilltop, spare], address = '/devices') {
  fakeNetwork(() => ({ body: devices }));
  const shown = await showScreen(<DevicesPage />, address);
  await waitFor(() => expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull());
  return shown;
}

const row = (name: string) => screen.getByRole('row', { name: new RegExp(name) });

test('a device that goes offline turns to danger in its row and in the summary, without a reload', async () => {
  await showDevices();
  expect(row('Harbour').textContent).toContain('online');
  act(() => applyFacts('demo', [{ deviceId: harbour.id, facts: { online: false } }]));
  await waitFor(() => expect(row('Harbour').textContent).toContain('offline'));
  expect(row('Harbour').textContent).toContain('danger');
  expect(row('Hilltop').textContent).not.toContain('danger');
  expect(screen.getByText('1 offline')).toBeTruthy();
});

test('facts that change leave all other devices the very same objects', async () => {
  await showDevices();
  act(() => applyFacts('demo', [{ deviceId: harbour.id, facts: { cpuUsage: 91 } }]));
  await waitFor(() => expect(within(row('Harbour')).getByText('91.0 %')).toBeTruthy());
  const before = queryClient.getQueryData<DeviceSummary[]>(deviceKeys.list('demo')) ?? [];
  applyFacts('demo', [{ deviceId: harbour.id, facts: { cpuUsage: 12 } }]);
  const after = queryClient.getQueryData<DeviceSummary[]>(deviceKeys.list('demo')) ?? [];
  expect(after.map((device, index) => device === before[index])).toEqual([false, true, true]);
});

test('devices that are added, renamed and removed elsewhere come and go', async () => {
  await showDevices();
  act(() => putDevice('demo', buildDevice('Quarry')));
  await waitFor(() => expect(row('Quarry')).toBeTruthy());
  act(() => putDevice('demo', { ...hilltop, name: 'Hill, new' }));
  await waitFor(() => expect(row('Hill, new')).toBeTruthy());
  act(() => dropDevice('demo', harbour.id));
  await waitFor(() => expect(screen.queryByRole('row', { name: /Harbour/ })).toBeNull());
});

test('a device with many events to send shows that it catches up', async () => {
  await showDevices([buildDevice('Harbour', { pendingEvents: 1_200_000 })]);
  expect(row('Harbour').textContent).toContain('Sending 1.2M events');
  expect(screen.getByText('1 device is sending 1.2M earlier events')).toBeTruthy();
});

test('filters stand in the address, and the address brings them back', async () => {
  const { router } = await showDevices([harbour, buildDevice('Riverside', { online: false })]);
  await userEvent.click(screen.getByRole('button', { name: /^Offline/ }));
  await waitFor(() => expect(router.state.location.search).toEqual({ show: 'status.offline' }));
  expect(screen.queryByRole('row', { name: /Harbour/ })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Exclude Offline' }));
  await waitFor(() => expect(row('Harbour')).toBeTruthy());
  expect(router.state.location.search).toEqual({ show: '!status.offline' });
});

test('an empty workgroup offers to add a device to people who may', async () => {
  await showDevices([]);
  expect(screen.getByText('No devices yet')).toBeTruthy();
  expect(screen.getAllByRole('button', { name: 'Add device' })).toHaveLength(2);
});

test('who may not manage devices is offered neither adding nor a menu', async () => {
  const scope = { role: 'readonly', permissions: [], ps: 'rd', devGroup: null, scopes: { device: [] } };
  signInAs({ scopes: { demo: scope } });
  await showDevices();
  expect(screen.queryByRole('button', { name: 'Add device' })).toBeNull();
  expect(screen.queryByRole('button', { name: /Actions for/ })).toBeNull();
});

test('a failed load says why and can be tried again', async () => {
  fakeNetwork(() => ({ status: 403, body: { code: 403, message: 'Forbidden' } }));
  await showScreen(<DevicesPage />, '/devices');
  expect((await screen.findByRole('alert')).textContent).toContain('Forbidden');
  fakeNetwork(() => ({ body: [harbour] }));
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(row('Harbour')).toBeTruthy());
});

test('a dialog of a row stays open when a filter takes the row away', async () => {
  await showDevices([harbour, hilltop], '/devices?show=status.online');
  await userEvent.click(screen.getByRole('button', { name: 'Actions for Harbour' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Rename' }));
  const field = await screen.findByLabelText('Name');
  act(() => applyFacts('demo', [{ deviceId: harbour.id, facts: { online: false } }]));
  await waitFor(() => expect(screen.queryByRole('row', { name: /Harbour/, hidden: true })).toBeNull());
  await userEvent.click(field);
  expect((screen.getByLabelText('Name') as HTMLInputElement).value).toBe('Harbour');
});

test('the name leads to the page of the device within the app', async () => {
  const { router } = await showDevices();
  await userEvent.click(screen.getByRole('link', { name: 'Hilltop' }));
  await waitFor(() => expect(router.state.location.pathname).toBe(`/devices/${hilltop.id}/general`));
});
