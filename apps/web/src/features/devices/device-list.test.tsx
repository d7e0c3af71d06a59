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
const WITHOUT_BLACK_BOX = {
  blackBoxAt: null,
  memUsage: null,
  diskUsage: null,
  cpuTemp: null,
  upTimeHours: null,
};
const NEVER_THERE = {
  ...WITHOUT_BLACK_BOX,
  online: false,
  stateChangedAt: null,
  cloudLastDataAt: null,
  sourceLastDataAt: null,
  clockOffsetS: null,
  cpuUsage: null,
  os: null,
  version: null,
  starts: null,
  crashes: null,
};

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
  // The first table of a visit draws its rows after its frame.
  expect((await screen.findByRole('row', { name: /Harbour/ })).textContent).toContain('online');
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
  expect(row('Harbour').textContent).toContain('Still sending 1.2M older events');
  expect(screen.getByText('1 device is sending 1.2M earlier events')).toBeTruthy();
});

test('filters stand in the address, and the address brings them back', async () => {
  const { router } = await showDevices([harbour, buildDevice('Riverside', { online: false })]);
  await userEvent.click(screen.getByRole('button', { name: 'Filter' }));
  await userEvent.click(await screen.findByRole('button', { name: /^Offline/ }));
  await waitFor(() => expect(router.state.location.search).toEqual({ show: 'status.offline' }));
  expect(screen.queryByRole('row', { name: /Harbour/ })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Exclude Offline' }));
  await waitFor(() => expect(row('Harbour')).toBeTruthy());
  expect(router.state.location.search).toEqual({ show: '!status.offline' });
  act(() => router.history.back());
  await waitFor(() => expect(router.state.location.search).toEqual({ show: 'status.offline' }));
  await userEvent.click(screen.getByRole('button', { name: 'Remove the filter Offline' }));
  await waitFor(() => expect(router.state.location.search).toEqual({}));
});

test('a fact of the summary shows the devices that it counts', async () => {
  const { router } = await showDevices([harbour, buildDevice('Riverside', { online: false })]);
  await userEvent.click(screen.getByRole('button', { name: '1 offline' }));
  await waitFor(() => expect(router.state.location.search).toEqual({ show: 'status.offline' }));
  expect(screen.queryByRole('row', { name: /Harbour/ })).toBeNull();
});

test('rows sorted by a value that changes all the time keep their places until they are sorted again', async () => {
  const names = () =>
    screen
      .getAllByRole('link')
      .map((link) => link.textContent)
      .filter((name) => name !== 'Bulk actions');
  await showDevices(
    [buildDevice('Harbour', { cpuUsage: 10 }), buildDevice('Hilltop', { cpuUsage: 20 })],
    '/devices?sort=-cpuUsage',
  );
  expect(names()).toEqual(['Hilltop', 'Harbour']);
  const [first] = queryClient.getQueryData<DeviceSummary[]>(deviceKeys.list('demo')) ?? [];
  act(() => applyFacts('demo', [{ deviceId: first?.id ?? '', facts: { cpuUsage: 50 } }]));
  await waitFor(() => expect(within(row('Harbour')).getByText('50.0 %')).toBeTruthy());
  expect(names()).toEqual(['Hilltop', 'Harbour']);
  await userEvent.click(screen.getByRole('button', { name: 'Sort again' }));
  expect(names()).toEqual(['Harbour', 'Hilltop']);
});

test('a device that never connected waits, with its install command, and still counts as offline and in danger', async () => {
  const quarry = buildDevice('Quarry', { ...NEVER_THERE });
  await showDevices([harbour, quarry]);
  expect(row('Quarry').textContent).toContain('Waiting for its first connection');
  expect(row('Quarry').textContent).not.toMatch(/danger|offline/);
  expect(screen.getByRole('button', { name: '1 offline' })).toBeTruthy();
  expect(screen.getByRole('button', { name: '1 in danger' })).toBeTruthy();
  fakeNetwork(() => ({ body: { deviceId: quarry.id, command: 'curl it', expiresAt: Date.now() + 60_000 } }));
  await userEvent.click(within(row('Quarry')).getByRole('button', { name: 'Show the install command' }));
  expect(await screen.findByText('curl it')).toBeTruthy();
});

test('a device in quarantine says so in its row, is found by it, and may be released from there', async () => {
  const quarantine = { since: Date.now(), by: 'anna@example.org', reason: 'Stolen' };
  const held = { ...harbour, quarantine, facts: { ...harbour.facts, online: false } };
  await showDevices([held, hilltop], '/devices?show=quarantine.yes');
  expect(row('Harbour').textContent).toContain('quarantine');
  expect(screen.queryByRole('row', { name: /Hilltop/ })).toBeNull();
  const asked = fakeNetwork(() => ({ body: { ...held, quarantine: null } }));
  await userEvent.click(screen.getByRole('button', { name: 'Actions for Harbour' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Release' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Release Harbour' }));
  await waitFor(() => expect(screen.queryByRole('row', { name: /Harbour/ })).toBeNull());
  const path = `/api/v1/devices/demo/${harbour.id}/quarantine`;
  expect(asked.some((one) => one.method === 'DELETE' && one.path === path)).toBe(true);
});

test('a value that is missing is a dash with its reason', async () => {
  await showDevices([
    buildDevice('Harbour', { cpuTemp: null }),
    buildDevice('Roof', { ...WITHOUT_BLACK_BOX }),
  ]);
  expect(within(row('Harbour')).getByText('– not measured')).toBeTruthy();
  expect(within(row('Roof')).getAllByText('– no black box').length).toBeGreaterThan(2);
});

test('the last day of all rows in sight is one question, and a plant shows its power', async () => {
  // The lines of the others are remembered from the tests before.
  const [wharf, quay] = [buildDevice('Dock 1'), buildDevice('Dock 2')];
  const line = { of: 'cpu', from: 0, stepMs: 1, values: [1, null, 3], last: 3 };
  const trends = [
    { ...line, device: wharf.id, of: 'power', last: 416_000 },
    { ...line, device: quay.id },
  ];
  const asked = fakeNetwork(({ path }) => ({
    body: path.includes('/trends/') ? trends : [wharf, quay],
  }));
  await showScreen(<DevicesPage />, '/devices');
  expect(await screen.findByText('416.00 kW')).toBeTruthy();
  expect(screen.getAllByRole('img', { name: /24 hours/ })).toHaveLength(2);
  const questions = asked.filter(({ path }) => path.includes('/trends/'));
  // Rows of the test before may be asked for with them.
  const about = questions.map(({ body }) => (body as { devices: string[] }).devices);
  const own = about.filter((ids) => ids.includes(wharf.id) || ids.includes(quay.id));
  expect(own).toEqual([expect.arrayContaining([wharf.id, quay.id])]);
});

test('an empty workgroup offers to add a device, or to set up a plant, to people who may', async () => {
  await showDevices([]);
  expect(screen.getByText('No devices yet')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Add device' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Set up a plant step by step' })).toBeTruthy();
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
