import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { showScreen, signInAs } from '../../app/test-screen.tsx';
import { EntriesForm } from './entries-form.tsx';

let text = '';
let wentTo = 0;
function Kept({ begin }: { begin: string }) {
  const [kept, setKept] = useState(begin);
  text = kept;
  return <EntriesForm text={kept} onChange={setKept} onGoTo={(line) => (wentTo = line)} />;
}

async function show(begin: string) {
  signInAs();
  await showScreen(<Kept begin={begin} />);
}

test('a command is added by its fields, and what the device could not use stands at its field', async () => {
  await show('');
  await userEvent.click(await screen.findByRole('button', { name: 'Add' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Commands' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.type(dialog.getByLabelText('Table'), 'board');
  await userEvent.type(dialog.getByLabelText('Source'), 'a.b');
  await userEvent.type(dialog.getByLabelText('Unit'), 'kW');
  await userEvent.click(dialog.getByRole('button', { name: 'Take over' }));
  expect(await dialog.findByText('Required')).toBeTruthy();
  await userEvent.type(dialog.getByLabelText('Command'), 'echo "1"');
  await userEvent.click(dialog.getByRole('button', { name: 'Take over' }));
  expect(await dialog.findByText('A source cannot contain a full stop.')).toBeTruthy();
  expect(text).toBe('');
  await userEvent.clear(dialog.getByLabelText('Source'));
  await userEvent.type(dialog.getByLabelText('Source'), 'load');
  await userEvent.click(dialog.getByRole('button', { name: 'Take over' }));
  expect(await screen.findByText('board / load')).toBeTruthy();
  expect(text).toBe(
    'run:\n  - table: board\n    source: load\n    command: echo "1"\n    frequency: 60\n    expect: decimal\n    meta:\n      units: kW\n',
  );
});

test('columns are asked for of CSV alone, and an entry is removed', async () => {
  await show('tail:\n  - { table: solar, source: roof, file: /srv/a.csv, expect: decimal } # ours\n');
  await userEvent.click(await screen.findByRole('button', { name: 'Change solar / roof' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('combobox', { name: 'Type' }));
  await userEvent.click(await screen.findByRole('option', { name: 'CSV, several values' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Take over' }));
  expect(await dialog.findByText('CSV needs columns: add each with its name and type.')).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Add a column' }));
  await userEvent.type(dialog.getByLabelText('Name of column 1'), 'Power');
  await userEvent.click(dialog.getByRole('button', { name: 'Take over' }));
  await screen.findByText('solar / roof');
  expect(text).toContain('expect: csv');
  expect(text).toContain('Power');
  expect(text).toContain('# ours');
  await userEvent.click(await screen.findByRole('button', { name: 'Remove solar / roof' }));
  expect(await screen.findByText('There are no capture entries')).toBeTruthy();
});

test('a text that is no YAML leads to the line of its fault', async () => {
  await show('mqtt: {}\nrun: [');
  await userEvent.click(await screen.findByRole('button', { name: /^Line/ }));
  expect(wentTo).toBeGreaterThan(0);
});
