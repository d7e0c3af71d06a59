import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { buildDevice } from '../../app/test-device.ts';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { BackupsTab } from './backups-tab.tsx';

const told = vi.hoisted(() => [] as string[]);
vi.mock('../../app/notify.ts', () => ({ notifyDone: (text: string) => told.push(text) }));

const id = '6f9619ff-8b86-4d01-b42d-00c04fc964ff';
const backup = {
  ...{ id, deviceId: id, deviceName: 'Old box', at: Date.now(), by: 'zoe@example.org', reason: 'asked' },
  ...{ bytes: 2048, hash: 'a', files: 7, commands: 1 },
};
const restored = { files: 7, commands: 1, plugins: [{ name: 'modbus', version: '1.2.0' }] };
const list = { backups: [backup], plan: { every: 'never' }, devices: [{ id, name: 'Old box' }] };

test('a backup is made, and the one of another device restored after a question', async () => {
  signInAs();
  const asked = fakeNetwork(({ method, path }) => ({
    body: method === 'GET' ? list : path.endsWith('restore') ? restored : backup,
  }));
  await showScreen(<BackupsTab device={buildDevice('Roof')} />);
  expect(await screen.findByText('Made by zoe@example.org')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Make a backup' }));
  await vi.waitFor(() => expect(asked.some(({ method }) => method === 'POST')).toBe(true));
  const restore = await screen.findByRole('button', { name: 'Restore' });
  await vi.waitFor(() => expect(restore.hasAttribute('disabled')).toBe(false));
  await userEvent.click(restore);
  expect(await screen.findByText(/It keeps its identity/)).toBeTruthy();
  expect(asked.some(({ path }) => path.endsWith('restore'))).toBe(false);
  const [, confirm] = screen.getAllByRole('button', { name: 'Restore', hidden: true });
  await userEvent.click(confirm ?? restore);
  await vi.waitFor(() => expect(asked.some(({ path }) => path.endsWith(`${id}/restore`))).toBe(true));
  await vi.waitFor(() => expect(told.at(-1)).toMatch(/missing are being installed: modbus 1\.2\.0/));
});

test('nothing is made or restored while the device is offline; an empty list says what to do', async () => {
  signInAs();
  fakeNetwork(() => ({ body: { ...list, backups: [] } }));
  await showScreen(<BackupsTab device={buildDevice('Roof', { online: false })} />);
  expect(await screen.findByText('No backups yet')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Make a backup' }).hasAttribute('disabled')).toBe(true);
});
