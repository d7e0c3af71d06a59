import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { WebhooksPage } from './webhooks-page.tsx';

const HOOK = '7f9619ff-8b86-4d01-b42d-00c04fc964ff';
const webhook = {
  _id: HOOK,
  name: 'Tickets',
  enabled: false,
  host: 'tickets.example.org',
  events: ['incident.opened', 'table.rows'],
  tables: ['inverter'],
  createdBy: 'ann@example.org',
  createdAt: Date.now(),
  lastOkAt: null,
  lastError: 'It answered with status 500.',
  failingSince: Date.now() - 6 * 86_400_000,
  nextAt: null,
  offReason: 'failed',
  waiting: 12,
  oldSecretUntil: null,
};
const message = {
  id: '8f9619ff-8b86-4d01-b42d-00c04fc964ff',
  event: 'incident.opened',
  createdAt: Date.now(),
  state: 'waiting',
  attempts: 3,
  status: 500,
  tookMs: 40,
  error: 'It answered with status 500.',
  endedAt: null,
  body: '{"version":1}',
};

const answer = ({ method, path }: { method: string; path: string }) => {
  if (path.endsWith('/deliveries')) return { body: [message] };
  if (path.includes('/dataTables/')) return { body: [] };
  if (method === 'POST') return { body: { ...webhook, name: 'Chat', secret: 'whsec_abc' } };
  return { body: method === 'GET' ? [webhook] : { ...webhook, secret: null } };
};

test('a webhook that was turned off says why, its events, and how many messages wait', async () => {
  signInAs();
  fakeNetwork(answer);
  await showScreen(<WebhooksPage />);
  expect(await screen.findByText(/Turned off: it failed for five days.*status 500/)).toBeTruthy();
  expect(screen.getByText('New rows: inverter')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Show messages (12 wait)' }));
  const table = await screen.findByRole('table');
  expect(within(table).getByText('Waiting · 500')).toBeTruthy();
  await userEvent.click(within(table).getByRole('button', { name: 'Incident raised' }));
  expect(within(table).getByText(/"version": 1/)).toBeTruthy();
});

test('a new webhook has the chosen events, and its secret is shown once', async () => {
  signInAs();
  const requests = fakeNetwork(answer);
  await showScreen(<WebhooksPage />);
  await userEvent.click(await screen.findByRole('button', { name: 'New webhook' }));
  const dialog = await screen.findByRole('dialog', { name: 'New webhook' });
  await userEvent.type(within(dialog).getByLabelText(/^Name/), 'Chat');
  await userEvent.type(within(dialog).getByLabelText(/^Address/), 'https://chat.example.org/a');
  await userEvent.click(within(dialog).getByLabelText('New rows of tables'));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
  expect(await within(dialog).findByText('Choose the tables whose new rows are sent.')).toBeTruthy();
  await userEvent.click(within(dialog).getByLabelText('New rows of tables'));
  await userEvent.click(within(dialog).getByLabelText('Went offline'));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
  const sent = () => requests.find(({ method }) => method === 'POST')?.body;
  await vi.waitFor(() =>
    expect(sent()).toEqual({
      name: 'Chat',
      enabled: true,
      address: 'https://chat.example.org/a',
      events: ['device.offline'],
      tables: [],
    }),
  );
  expect(await screen.findByRole('dialog', { name: 'Signing secret of Chat' })).toBeTruthy();
});
