import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { buildDevice } from '../devices/test-device.ts';
import { GlobalSearch } from './global-search.tsx';

const devices = [buildDevice('Harbour'), buildDevice('Hilltop'), buildDevice('Riverside')];

beforeEach(() => {
  signInAs();
  fakeNetwork(() => ({ body: devices }));
});

async function openSearch() {
  const shown = await showScreen(<GlobalSearch />);
  const user = userEvent.setup();
  await user.keyboard('{Control>}k{/Control}');
  const field = await screen.findByRole('combobox', { name: 'Search by name or id' });
  expect(screen.getByRole('dialog', { name: 'Search devices and pages' })).toBeTruthy();
  return { ...shown, user, field };
}

test('Ctrl-K opens it, and typing, an arrow and Enter lead to a device', async () => {
  const { user, field, router } = await openSearch();
  expect(document.activeElement).toBe(field);
  await user.type(field, 'h');
  await screen.findByText('Hilltop');
  expect(screen.getByRole('row', { selected: true }).textContent).toContain('Harbour');
  await user.keyboard('{ArrowDown}');
  expect(screen.getByRole('row', { selected: true }).textContent).toContain('Hilltop');
  await user.keyboard('{Enter}');
  await act(() => router.latestLocation);
  expect(router.latestLocation.pathname).toBe(`/devices/${devices[1]?.id}/general`);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a text that nothing has says so', async () => {
  const { user, field } = await openSearch();
  await user.type(field, 'qqq');
  expect(await screen.findByText('no results found')).toBeTruthy();
});

test('what was opened is offered again', async () => {
  const first = await openSearch();
  await first.user.type(first.field, 'river');
  await screen.findByText('Riverside');
  await first.user.keyboard('{Enter}');
  await first.user.keyboard('{Control>}k{/Control}');
  await screen.findByText('Recent');
  expect(screen.getByRole('row').textContent).toContain('Riverside');
});

test('a category leaves the others out', async () => {
  const { user, field } = await openSearch();
  await user.type(field, 'h');
  await screen.findByText('Hilltop');
  await user.click(screen.getByRole('button', { name: 'Pages' }));
  expect(screen.queryByText('Hilltop')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Pages', pressed: true }));
  expect(screen.getByText('Hilltop')).toBeTruthy();
});
