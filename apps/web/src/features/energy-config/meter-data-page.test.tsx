import { meterDataConfig } from '@albedo/contract/energy/energy-config.schema';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { MeterDataPage } from './meter-data-page.tsx';

const IMPORT = {
  id: '6f9619ff-8b86-4d01-b42d-00c04fc964ff',
  name: 'october.csv',
  plan: { kind: 'meter', granularity: 'day', times: 'start', decimal: '.', timezone: 'UTC' },
  readings: 31,
  by: 'zoe@example.org',
  at: 0,
  undoneAt: null,
};
const SITE = { id: IMPORT.id, name: 'Hilltop', codes: ['PLANT-7'], devices: [] };

function network(value: object, preview: object = {}) {
  return fakeNetwork(({ path, method, body }) => {
    if (path.endsWith('/imports/preview')) return { body: preview };
    if (path.endsWith('/undo')) return { body: { ...IMPORT, undoneAt: 1 } };
    if (path.endsWith('/imports')) return { body: method === 'POST' ? IMPORT : [IMPORT] };
    if (path.endsWith('/budget-data'))
      return { body: method === 'PUT' ? { stored: 1 } : { budgets: [], next: null } };
    if (path.includes('/config/') && method === 'PUT')
      return { body: { version: 2, value: (body as { value: unknown }).value } };
    if (path.includes('/config/')) return { body: { version: 1, value: meterDataConfig.parse(value) } };
    return { body: [] };
  });
}

beforeEach(() => {
  signInAs();
});

test('a code is typed and ticked, and its X removes it at once', async () => {
  const asked = network({ codes: [{ code: 'OLD-1', counts: 'production' }] });
  await showScreen(<MeterDataPage />);
  await userEvent.type(await screen.findByRole('textbox', { name: 'New code' }), 'PLANT-7{Enter}');
  await userEvent.click(screen.getByRole('button', { name: 'Remove the code OLD-1' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() =>
    expect(asked.find(({ method }) => method === 'PUT')?.body).toMatchObject({
      value: { codes: [{ code: 'PLANT-7', counts: 'production' }] },
    }),
  );
});

test('a code that is there already is not added twice', async () => {
  network({ codes: [{ code: 'PLANT-7', counts: 'production' }] });
  await showScreen(<MeterDataPage />);
  await userEvent.type(await screen.findByRole('textbox', { name: 'New code' }), 'PLANT-7');
  expect(await screen.findByText('This code already exists.')).toBeTruthy();
});

test('a file is shown before it is stored, asks what it does not say, and names wrong lines', async () => {
  const preview = {
    layout: 'long',
    plan: IMPORT.plan,
    asks: ['times'],
    readings: 31,
    replaces: 0,
    first: '2026-10-01',
    last: '2026-10-31',
    sample: [],
    faults: [{ line: 4, fault: 'issue.energy_code', data: { code: 'X' } }],
    faultCount: 1,
  };
  network({}, preview);
  await showScreen(<MeterDataPage />);
  await userEvent.click(await screen.findByRole('button', { name: 'Import a file' }));
  const dialog = await screen.findByRole('dialog');
  const input = dialog.querySelector<HTMLInputElement>('input[type=file]');
  await userEvent.upload(input as HTMLInputElement, new File(['code,datetime,kWh'], 'october.csv'));
  expect(
    await within(dialog).findByText('31 readings would be stored. From 2026-10-01 to 2026-10-31.'),
  ).toBeTruthy();
  expect(within(dialog).getByRole('combobox', { name: 'The times in the file are' })).toBeTruthy();
  expect(dialog.textContent).toContain(
    'Line 4: There is no meter code called X. Add it to the meter codes first.',
  );
  expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Store' }).disabled).toBe(true);
});

test('an import is taken back', async () => {
  const asked = network({});
  await showScreen(<MeterDataPage />);
  await userEvent.click(await screen.findByRole('button', { name: 'Undo the import of october.csv' }));
  const dialog = await screen.findByRole('dialog');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Undo october.csv' }));
  await vi.waitFor(() => expect(asked.some(({ path }) => path.endsWith('/undo'))).toBe(true));
});

test('budgets of a site are written month by month, and only what changed is sent', async () => {
  const asked = network({ sites: [SITE] });
  await showScreen(<MeterDataPage />);
  const year = new Date().getFullYear();
  const field = await screen.findByRole('textbox', { name: `Budget of Hilltop for ${year}-10` });
  await userEvent.type(field, '38000');
  await userEvent.click(screen.getByRole('button', { name: 'Save budgets' }));
  const sent = () =>
    asked.find(({ method, path }) => method === 'PUT' && path.endsWith('/budget-data'))?.body;
  await vi.waitFor(() => expect(sent()).toEqual({ [`${SITE.id}|${year}-10`]: 38_000 }));
});
