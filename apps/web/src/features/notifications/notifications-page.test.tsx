import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { NotificationsPage } from './notifications-page.tsx';

const ANN = '6f9619ff-8b86-4d01-b42d-00c04fc964ff';
const CHANNEL = '7f9619ff-8b86-4d01-b42d-00c04fc964ff';
const HOUR_MS = 3_600_000;

function answer({ method, path }: { method: string; path: string }) {
  const now = Date.now();
  if (path.endsWith('/people')) return { body: [{ _id: ANN, name: 'Ann', isBound: false }] };
  if (path.includes('/rotas/')) {
    const span = { user: ANN, name: 'Ann', from: now, to: now + HOUR_MS, isOverride: false };
    const gap = { ...span, user: null, name: null, from: now + HOUR_MS, to: now + 2 * HOUR_MS };
    const rota = {
      _id: ANN,
      name: 'Nights',
      zone: 'UTC',
      members: [ANN],
      startsOn: '2026-03-02',
      handover: '08:30',
      shiftDays: 7,
      weekdays: [1],
      overrides: [],
      now: span,
      next: null,
      shifts: [span, gap],
    };
    return { body: [rota] };
  }
  if (path.endsWith('/heartbeat'))
    return { body: { enabled: false, everyMinutes: 5, host: null, lastOkAt: null, lastError: null } };
  const channel = {
    _id: CHANNEL,
    name: 'Duty chat',
    kind: 'webhook',
    enabled: false,
    emails: [],
    template: 'slack',
    host: 'hooks.slack.com',
    hasToken: false,
    phones: [],
    lastOkAt: null,
    lastError: 'It answered with status 410.',
    failingSince: null,
    offReason: 'gone',
  };
  if (path.endsWith('/channels'))
    return { body: method === 'GET' ? [channel] : { ...channel, name: 'Service', secret: null } };
  return { body: [] };
}

test('the page says who is on call, where nobody is, and which channel was turned off', async () => {
  signInAs();
  fakeNetwork(answer);
  await showScreen(<NotificationsPage />);
  expect(await screen.findByText(/^Ann is on call until/)).toBeTruthy();
  expect(screen.getByText(/^A gap: nobody is on call from/)).toBeTruthy();
  const strip = screen.getByRole('list', { name: 'Shifts of Nights in the next four weeks' });
  expect(within(strip).getByText('Nobody')).toBeTruthy();
  expect(await screen.findByText('Slack · hooks.slack.com')).toBeTruthy();
  expect(screen.getByText('Turned off: the address no longer exists')).toBeTruthy();
  expect(screen.getByText('No escalations')).toBeTruthy();
});

test('a list of addresses is made, and what is missing is said under its field', async () => {
  signInAs();
  const asked = fakeNetwork(answer);
  await showScreen(<NotificationsPage />);
  await userEvent.click(await screen.findByRole('button', { name: 'New channel' }));
  const dialog = await screen.findByRole('dialog');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
  expect(await within(dialog).findByText('Required')).toBeTruthy();
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'Service');
  await userEvent.type(
    within(dialog).getByLabelText('Addresses', { selector: 'input' }),
    'service@example.org{Enter}',
  );
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
  const sent = () => asked.find(({ method }) => method === 'POST')?.body;
  await vi.waitFor(() =>
    expect(sent()).toEqual({
      kind: 'email',
      name: 'Service',
      enabled: true,
      emails: ['service@example.org'],
    }),
  );
});
