import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { AlertPage } from './alert-page.tsx';

// Nothing is drawn on a canvas here.
vi.mock('../../ui/time-series-chart/time-series-chart.tsx', () => ({ TimeSeriesChart: () => null }));

const fields = [
  { name: 'AC Power', type: 'decimal', units: 'W' },
  { name: 'Status', type: 'keyword', units: null },
];
const replay = { firings: [], total: 7, perDay: 1, mostIn10Minutes: 3, messages: 5 };

function network() {
  return fakeNetwork(({ path, method }) => {
    if (path.endsWith('/alerts/demo/test'))
      return { body: { from: 0, to: 86_400_000, rows: 1200, stepMs: null, result: replay, against: null } };
    if (path.endsWith('/alerts/demo') && method === 'POST') return { body: {} };
    if (path.endsWith('/tables/demo')) return { body: ['solar'] };
    return { body: path.includes('solar') ? { table: 'solar', fields } : [] };
  });
}

const choose = async (field: string, option: string) => {
  await userEvent.click(screen.getByRole('combobox', { name: field }));
  await userEvent.click(await screen.findByRole('option', { name: option }));
};

test('an alert has the fields of its kind alone, and what is missing stands under them', async () => {
  signInAs();
  const asked = network();
  await showScreen(<AlertPage />);
  expect(await screen.findByRole('radio', { name: /Device offline/, checked: true })).toBeTruthy();
  expect(screen.queryByRole('combobox', { name: 'Table' })).toBeNull();
  await userEvent.click(screen.getByRole('radio', { name: /Stuck value/ }));
  expect(screen.getByRole('combobox', { name: 'Table' })).toBeTruthy();
  expect(screen.queryByText('Fires below')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect((await screen.findAllByText('An alert of the kind stuck needs this.')).length).toBe(2);
  await choose('Table', 'solar');
  await choose('Field', 'AC Power');
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Power stands still');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() =>
    expect(
      asked.find(({ path, method }) => method === 'POST' && path.endsWith('/alerts/demo'))?.body,
    ).toMatchObject({
      name: 'Power stands still',
      kind: 'stuck',
      table: 'solar',
      field: 'AC Power',
      percent: null,
    }),
  );
});

test('a test on history says what the alert would have told, before it is saved', async () => {
  signInAs();
  const asked = network();
  await showScreen(<AlertPage />);
  await userEvent.click(await screen.findByRole('button', { name: 'Test' }));
  const result = await screen.findByRole('region', { name: 'How often it would have fired' });
  expect((await within(result).findByRole('row', { name: 'Incidents 7' })).textContent).toContain('7');
  expect(within(result).getByRole('row', { name: 'Messages to one person 5' })).toBeTruthy();
  expect(asked.some(({ path, method }) => method === 'POST' && path.endsWith('/alerts/demo'))).toBe(false);
});
