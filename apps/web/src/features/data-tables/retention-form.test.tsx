import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { DefaultRetention } from './retention-form.tsx';

test('what the next night would delete is said before the retention is saved', async () => {
  signInAs();
  const asked = fakeNetwork(({ method, path }) => {
    if (method === 'PUT') return { body: { retentionDays: 1826 } };
    if (path.endsWith('/orgs')) return { body: [{ name: 'demo', displayName: 'Demo', settings: {} }] };
    return {
      body: {
        before: Date.UTC(2021, 10, 29),
        events: 2,
        tables: [{ table: 'inverter', events: 2 }],
        months: [{ month: '2021-10-01', events: 2 }],
      },
    };
  });
  await showScreen(<DefaultRetention />);
  await userEvent.click(await screen.findByRole('switch', { name: 'Delete old events' }));
  const preview = await screen.findByText(/Tonight deletes 2 events from before .*2021, from 1 month\./);
  expect(preview.textContent).toContain('inverter (2)');
  expect(asked.some(({ method }) => method === 'PUT')).toBe(false);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Delete old events')).toBeTruthy();
  expect(asked.find(({ method }) => method === 'PUT')?.body).toEqual({ retentionDays: 1826 });
});
