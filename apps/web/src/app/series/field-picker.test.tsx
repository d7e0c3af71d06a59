import type { LatestSource } from '@albedo/contract/devices/devices.schema';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { takeWorkgroups } from '../session.ts';
import { fakeNetwork, showScreen, signInAs } from '../test-screen.tsx';
import { FieldPicker } from './field-picker.tsx';

const source = (name: string): LatestSource =>
  ({ table: 'inverter', source: name, eventAt: 1, values: { Power: 1 } }) as LatestSource;

test('sources carry their labels, are found by them, and one press shows those of a label alone', async () => {
  signInAs();
  const labels = [
    { id: 'pv', name: 'Solar' },
    { id: 'spare', name: 'Spare' },
  ];
  takeWorkgroups([{ name: 'demo', displayName: 'Demo', addons: [], settings: { labels } } as never]);
  fakeNetwork(() => ({
    body: [
      { device: 'd', source: 'inv-1', labels: ['pv'], parent: null },
      { device: 'd', source: 'inv-2', labels: [], parent: 'inv-1' },
    ],
  }));
  const sources = ['inv-1', 'inv-2', 'meter', 'pump'].map(source);
  await showScreen(
    <FieldPicker device="d" sources={sources} tables={new Map()} lines={[]} onChange={() => {}} most={9} />,
  );
  const shown = () =>
    ['inv-1', 'inv-2', 'meter', 'pump'].filter((name) =>
      screen.queryByRole('button', { name: RegExp(name) }),
    );
  expect(await screen.findByRole('button', { name: /^inv-2\s+Solar$/ })).toBeTruthy();
  expect(screen.queryByRole('checkbox', { name: 'Spare' })).toBeNull();
  expect(shown()).toHaveLength(4);
  await userEvent.click(screen.getByRole('checkbox', { name: 'Solar' }));
  expect(shown()).toEqual(['inv-1', 'inv-2']);
  await userEvent.click(screen.getByRole('checkbox', { name: 'Solar' }));
  expect(shown()).toHaveLength(4);
  await userEvent.type(screen.getByRole('textbox', { name: 'Search fields' }), 'sol');
  await expect.poll(shown).toEqual(['inv-1', 'inv-2']);
});
