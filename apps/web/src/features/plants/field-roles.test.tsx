import type { SourceRoles } from '@albedo/contract/field-roles/field-roles.schema';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { buildDevice } from '../../app/test-device.ts';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { FieldRolesCard } from './field-roles-card.tsx';

const source: SourceRoles = {
  table: 'solar',
  source: 'inv-01',
  kind: 'inverter',
  fields: [
    { field: 'Output', units: 'kW', guessed: null, choice: null, role: null, isReversed: false },
    { field: 'Status', units: null, guessed: 'state', choice: null, role: 'state', isReversed: false },
  ],
};

test('those who manage devices say what a field means', async () => {
  signInAs();
  const choice = { role: 'acPower' as const, isReversed: false, units: null };
  const changed = {
    ...source,
    fields: source.fields.map((one) =>
      one.field === 'Output' ? { ...one, choice, role: choice.role } : one,
    ),
  };
  const asked = fakeNetwork(({ method }) => ({ body: method === 'GET' ? [source] : changed }));
  await showScreen(<FieldRolesCard device={buildDevice('Hilltop')} />);
  expect(await screen.findByText('1 of 2 fields are understood.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Correct' }));
  const dialog = await screen.findByRole('dialog');
  const meaning = await within(dialog).findByRole('combobox', { name: 'Meaning of Output' });
  await userEvent.click(meaning);
  await userEvent.click(await screen.findByRole('option', { name: 'AC power (W)' }));
  const sent = () => asked.find(({ method }) => method === 'PUT')?.body;
  await vi.waitFor(() =>
    expect(sent()).toEqual({ table: 'solar', source: 'inv-01', field: 'Output', choice }),
  );
  expect(await within(dialog).findByRole('checkbox', { name: 'Counts the other way round' })).toBeTruthy();
});

test('a reader sees how much is understood, and corrects nothing', async () => {
  const scope = { role: 'readonly', permissions: ['read'], ps: 'r', devGroup: null, scopes: { device: [] } };
  signInAs({ scopes: { demo: scope } });
  fakeNetwork(() => ({ body: [source] }));
  await showScreen(<FieldRolesCard device={buildDevice('Hilltop')} />);
  expect(await screen.findByText('1 of 2 fields are understood.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Correct' })).toBeNull();
});
