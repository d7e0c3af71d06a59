import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { calculation } from '../../app/test-calculation.ts';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { StoragePage } from './storage-page.tsx';

const GONE = '5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11';
const use = { bytes: 2000, events: 10 };
const STORAGE = {
  ...use,
  tables: [],
  devices: [
    { ...use, device: calculation._id },
    { ...use, device: GONE },
  ],
  months: [],
  bytesPerDay: 100,
  bytesInAYear: 36_500,
};

test('what a calculation wrote stands under its name, not as a deleted device', async () => {
  signInAs();
  fakeNetwork(({ path }) => {
    if (path.includes('/storage/')) return { body: STORAGE };
    return { body: path.includes('/calculationsV2/') ? [calculation] : [] };
  });
  await showScreen(<StoragePage />);
  const link = await screen.findByRole('link', { name: 'Calculation Yield' });
  expect(link.getAttribute('href')).toBe(`/admin/data/calculations/${calculation._id}`);
  expect(await screen.findByText('Deleted device or calculation')).toBeTruthy();
});

const HELD = {
  table: 'inverter',
  ...use,
  months: [
    { ...use, month: '2026-02-01', firstAt: Date.UTC(2026, 1, 1), lastAt: Date.UTC(2026, 1, 27) },
    { ...use, month: '2026-03-01', firstAt: Date.UTC(2026, 2, 1), lastAt: Date.UTC(2026, 2, 30) },
  ],
  dropped: [],
  holds: [
    { _id: GONE, table: 'inverter', month: '2026-02-01', reason: 'A claim', by: 'ann@example.org', at: 0 },
  ],
};
const INVERTER = {
  ...use,
  table: 'inverter',
  devices: 1,
  firstAt: 0,
  lastAt: 1,
  eventsPerDay: 1,
  retentionDays: null,
  isSystem: false,
  holdsForecasts: false,
};

test('an owner reads what is held and why, and drops another month by typing its name', async () => {
  signInAs();
  const requests = fakeNetwork(({ method, path }) => {
    if (method === 'DELETE') return { body: {} };
    if (path.includes('/tables/inverter')) return { body: HELD };
    return { body: path.includes('/storage/') ? { ...STORAGE, tables: [INVERTER], devices: [] } : [] };
  });
  await showScreen(<StoragePage />);
  expect(
    await screen.findByText(/inverter, February 2026: legal hold of ann@example.org.*A claim/),
  ).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Actions for February 2026' }));
  expect((await screen.findByRole('menuitem', { name: /Drop month/ })).hasAttribute('data-disabled')).toBe(
    true,
  );
  await userEvent.keyboard('{Escape}');
  await userEvent.click(screen.getByRole('button', { name: 'Actions for March 2026' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: /Drop month/ }));
  await userEvent.type(await screen.findByRole('textbox', { name: /inverter 2026-03/ }), 'inverter 2026-03');
  await userEvent.click(screen.getByRole('button', { name: 'Delete inverter 2026-03' }));
  const sent = () => requests.find(({ method }) => method === 'DELETE');
  await vi.waitFor(() => expect(sent()?.body).toEqual({ phrase: 'inverter 2026-03' }));
});
