import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { buildDevice } from '../../app/test-device.ts';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { NewBulkDialog } from './new-bulk-dialog.tsx';
import { labelsOf } from './work-fields.tsx';

test('a dry run says what would change, and nothing is begun by it', async () => {
  signInAs();
  const device = buildDevice('Roof');
  const preview = [{ deviceId: device.id, before: '1.6.96', after: '9.9.9', problem: null }];
  const asked = fakeNetwork(({ method }) => ({
    body: method === 'GET' ? [device] : { action: null, preview },
  }));
  await showScreen(<NewBulkDialog onBegun={() => {}} onClose={() => {}} />);
  await userEvent.click(await screen.findByRole('button', { name: 'All devices (1)' }));
  await userEvent.click(screen.getByRole('button', { name: 'Dry run' }));
  const found = within(await screen.findByRole('region', { name: 'Dry run' }));
  expect(found.getByText('+ 9.9.9')).toBeTruthy();
  expect(found.getByText('1 of 1 would change, 0 are offline, 0 cannot')).toBeTruthy();
  const sent = asked.filter(({ method }) => method === 'POST');
  expect(sent.map(({ body }) => body)).toEqual([
    expect.objectContaining({
      devices: [device.id],
      isDryRun: true,
      plan: expect.objectContaining({ gates: {} }),
    }),
  ]);
}, 60_000);

test('where a dry run finds nothing to do, nothing can be begun until something else is asked for', async () => {
  signInAs();
  const devices = [buildDevice('Roof'), buildDevice('Barn')];
  const offline = { error: 'device.offline', message: 'The device is offline.' };
  let problem: typeof offline | null = null;
  fakeNetwork(({ method }) => ({
    body:
      method === 'GET'
        ? devices
        : {
            action: null,
            preview: devices.map(({ id }, at) => ({
              deviceId: id,
              ...{ before: '9.9.9', after: '9.9.9', problem: at === 0 ? problem : null },
            })),
          },
  }));
  await showScreen(<NewBulkDialog onBegun={() => {}} onClose={() => {}} />);
  const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
  const begin = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Begin' });
  await press('All devices (2)');
  await press('Dry run');
  expect(await screen.findByText(/^Nothing to do/)).toBeTruthy();
  expect(begin().disabled).toBe(true);
  await press('All devices (2)');
  expect(screen.queryByText(/^Nothing to do/)).toBeNull();
  expect(begin().disabled).toBe(false);
  // Of a device that is offline nobody knows yet.
  problem = offline;
  await press('Dry run');
  await screen.findByText('0 of 2 would change, 1 are offline, 0 cannot');
  expect(begin().disabled).toBe(false);
}, 60_000);

test('nothing can be begun before what it needs is filled in', async () => {
  signInAs();
  const device = buildDevice('Roof');
  fakeNetwork(() => ({ body: [device] }));
  await showScreen(<NewBulkDialog onBegun={() => {}} onClose={() => {}} />);
  const areDisabled = () =>
    ['Dry run', 'Begin'].map((name) => screen.getByRole<HTMLButtonElement>('button', { name }).disabled);
  await userEvent.click(await screen.findByRole('button', { name: 'All devices (1)' }));
  expect(areDisabled()).toEqual([false, false]);
  await userEvent.click(screen.getByRole('combobox', { name: 'What' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Change metadata' }));
  expect(areDisabled()).toEqual([true, true]);
  await userEvent.type(screen.getByRole('textbox', { name: /^Metadata/ }), 'Site: Hill');
  expect(areDisabled()).toEqual([false, false]);
}, 60_000);

test('a plugin is chosen with its version, and goes to all devices in that', async () => {
  signInAs();
  const device = buildDevice('Roof');
  const listing = { name: 'sunspec', title: 'SunSpec', version: '1.1.0', versions: ['1.1.0', '1.0.0'] };
  const asked = fakeNetwork(({ method, path }) => {
    if (method !== 'GET') return { body: { action: null, preview: [] } };
    if (path.endsWith('/plugins')) return { body: [listing] };
    return { body: path.endsWith('/sunspec') ? { ...listing, isAvailable: true } : [device] };
  });
  await showScreen(<NewBulkDialog onBegun={() => {}} onClose={() => {}} />);
  const choose = async (field: string, option: string) => {
    await userEvent.click(await screen.findByRole('combobox', { name: field }));
    await userEvent.click(await screen.findByRole('option', { name: option }));
  };
  await choose('What', 'Install or remove a plugin');
  await choose('Plugin', 'SunSpec');
  await choose('Version', '1.0.0');
  await userEvent.click(await screen.findByRole('button', { name: 'All devices (1)' }));
  await userEvent.click(screen.getByRole('button', { name: 'Dry run' }));
  await screen.findByRole('region', { name: 'Dry run' });
  expect(asked.find(({ method }) => method === 'POST')).toMatchObject({
    path: expect.stringMatching(/\/plugins$/),
    body: { plugin: 'sunspec', version: '1.0.0', isInstalled: true, isDryRun: true },
  });
}, 60_000);

test('certificates are replaced, all of them or those that end soon', async () => {
  signInAs();
  const asked = fakeNetwork(({ method }) => ({
    body: method === 'GET' ? [buildDevice('Roof')] : { action: null, preview: [] },
  }));
  await showScreen(<NewBulkDialog onBegun={() => {}} onClose={() => {}} />);
  await userEvent.click(await screen.findByRole('combobox', { name: 'What' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Replace certificates' }));
  const days = await screen.findByRole('textbox', { name: 'Only those that expire within (days)' });
  await userEvent.type(days, '60');
  await userEvent.click(await screen.findByRole('button', { name: 'All devices (1)' }));
  await userEvent.click(screen.getByRole('button', { name: 'Dry run' }));
  await screen.findByRole('region', { name: 'Dry run' });
  await userEvent.clear(days);
  await userEvent.click(screen.getByRole('button', { name: 'Dry run' }));
  const sent = () => asked.filter(({ method }) => method === 'POST');
  await vi.waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent()).toMatchObject([
    { path: expect.stringMatching(/\/certificates$/), body: { endsWithinDays: 60, isDryRun: true } },
    { body: { endsWithinDays: null } },
  ]);
}, 60_000);

test('metadata are lines, and one without a value takes its field away', () => {
  expect(labelsOf('Site: Hill: north\n\nOld:\nBare')).toEqual({ Site: 'Hill: north', Old: null, Bare: null });
});
