import type { LookupTable } from '@albedo/contract/lookup-tables/lookup-tables.schema';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { LookupTableList } from './lookup-table-list.tsx';

const STATES: LookupTable = {
  _id: '6f9619ff-8b86-4d01-b42d-00c04fc964ff',
  code: 'states',
  name: 'States',
  fields: [{ code: 'en', name: 'en', type: 'String' }],
  values: [{ value: '1', field: 'Status', fields: { en: 'Running' } }],
};

async function upload(content: string) {
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  await userEvent.upload(input as HTMLInputElement, new File([content], 'Faults.csv', { type: 'text/csv' }));
}

test('a table is made from a file, after a look at its values', async () => {
  signInAs();
  const asked = fakeNetwork(({ method }) => ({ body: method === 'GET' ? [] : STATES }));
  await showScreen(<LookupTableList />);
  await userEvent.click(await screen.findByRole('button', { name: 'New lookup table' }));
  const dialog = await screen.findByRole('dialog');
  await upload('value;field;en\n1;Status;Running\n3;Status;Fault\n');
  await within(dialog).findByText('2 values');
  expect(within(dialog).getByText('Fault')).toBeTruthy();
  expect(within(dialog).getByLabelText<HTMLInputElement>('Code').value).toBe('faults');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
  await vi.waitFor(() =>
    expect(asked.find(({ method }) => method === 'POST')?.body).toMatchObject({
      code: 'faults',
      name: 'Faults',
      fields: [{ code: 'en', name: 'en', type: 'String' }],
      values: [
        { value: '1', field: 'Status', fields: { en: 'Running' } },
        { value: '3', field: 'Status', fields: { en: 'Fault' } },
      ],
    }),
  );
});

test('a file with something wrong is not taken over, and its row is named', async () => {
  signInAs();
  fakeNetwork(() => ({ body: [STATES] }));
  await showScreen(<LookupTableList />);
  await userEvent.click(await screen.findByText('States'));
  const dialog = await screen.findByRole('dialog', { name: 'Edit States' });
  await upload('value,en\n1,Running\n1,Fault\n');
  const alert = await within(dialog).findByRole('alert');
  expect(alert.textContent).toContain('Row 3: The value 1 is already in row 2.');
  expect(within(dialog).getByText('Running')).toBeTruthy();

  // The mended file takes the place of the one before.
  await upload('value,en\n1,Running\n2,Fault\n');
  await vi.waitFor(() => expect(within(dialog).queryByRole('alert')).toBeNull());
});

test('a list that could not be loaded says why and is asked for again', async () => {
  signInAs();
  let isBroken = true;
  fakeNetwork(() =>
    isBroken ? { status: 500, body: { code: 500, message: 'Down', error: 'server.failed' } } : { body: [] },
  );
  await showScreen(<LookupTableList />);
  await screen.findByText('The lookup tables could not be loaded');
  isBroken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('No lookup tables');
});
