import { can, member, staff } from '@albedo/contract/access/access';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Command } from '../../app/feature.ts';
import type { RouteInfo } from '../../app/guard.ts';
import { openInside, provideFeatures } from '../../app/inside.ts';
import { queryClient } from '../../app/query-client.ts';
import { takeWorkgroups } from '../../app/session.ts';
import { areShortcutsShown, showShortcuts } from '../../app/shortcuts.ts';
import { showScreen, signInAs } from '../../app/test-screen.tsx';
import { GlobalSearch } from './global-search.tsx';
import { rememberItem } from './recent-items.ts';

const done = vi.fn();
let commands: readonly Command[] = [];
const devices = ['Harbour', 'Hilltop', 'Riverside', 'Ödland Süd'].map((title) => ({
  id: crypto.randomUUID(),
  title,
}));
const Detail = ({ id }: { id: string }) => <span>{id === devices[3]?.id ? 'online' : ''}</span>;

provideFeatures(async () => [
  {
    parts: {
      palette: [
        {
          at: 10,
          category: 'devices',
          useItems: () => ({ items: devices, error: null }),
          addressOf: (id) => `/devices/${id}/general`,
          Detail,
        },
      ],
      commands: [{ at: 10, useCommands: () => commands }],
    },
  },
]);
await openInside();

beforeEach(() => {
  commands = [];
  signInAs();
});

afterEach(() => {
  vi.useRealTimers();
});

async function openSearch() {
  const shown = await showScreen(<GlobalSearch />);
  const user = userEvent.setup();
  await user.keyboard('{Control>}k{/Control}');
  const field = await screen.findByRole('combobox', { name: 'Search by name or ID' });
  expect(screen.getByRole('dialog', { name: 'Search devices, pages and actions' })).toBeTruthy();
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

test('an action is found by its words and done', async () => {
  commands = [{ id: 'dark', title: 'Switch to the dark theme', group: 'do', run: done }];
  const { user, field } = await openSearch();
  expect(screen.getByText('Switch to the dark theme')).toBeTruthy();
  await user.type(field, 'dark th');
  await vi.waitFor(async () => {
    await user.keyboard('{Enter}');
    expect(done).toHaveBeenCalledTimes(1);
  });
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a name is found without its accents, with how the device is now', async () => {
  const { user, field } = await openSearch();
  await user.type(field, 'odland sud');
  const row = (await screen.findByText('Ödland Süd')).closest('[role="row"]');
  expect(row?.textContent).toContain('online');
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

test('typing that rests for 200 ms is searched, and rows are 45 px high', async () => {
  const { field } = await openSearch();
  vi.useFakeTimers();
  fireEvent.change(field, { target: { value: 'h' } });
  await act(() => vi.advanceTimersByTimeAsync(190));
  expect(screen.queryByText('Hilltop')).toBeNull();
  fireEvent.change(field, { target: { value: 'hi' } });
  await act(() => vi.advanceTimersByTimeAsync(190));
  expect(screen.queryByText('Hilltop')).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(20));
  expect(screen.getByText('Hilltop').closest<HTMLElement>('[role="row"]')?.style.height).toBe('45px');
});

test('Enter before the typing rested opens what was typed, and not what was opened before', async () => {
  rememberItem('7c1f3a52-0b0e-4c55-9d5a-2f8f8f0f7a11', 'demo', {
    category: 'devices',
    id: `${devices[2]?.id}`,
  });
  const { field, router } = await openSearch();
  await screen.findByText('Riverside');
  fireEvent.change(field, { target: { value: 'hill' } });
  fireEvent.keyDown(field, { key: 'Enter' });
  await vi.waitFor(() => expect(router.latestLocation.pathname).toBe(`/devices/${devices[1]?.id}/general`));
});

test('pages are those without parameters that the user may open by permission, addon and setting', async () => {
  const scope = { role: 'power', permissions: [], ps: 'rd co', devGroup: null, scopes: { device: [] } };
  signInAs({ scopes: { demo: scope } });
  takeWorkgroups([
    { name: 'demo', addons: [{ id: 'machines' }], settings: { perfRatio: true } },
  ] as unknown as Parameters<typeof takeWorkgroups>[0]);
  const root = createRootRoute({ component: GlobalSearch });
  const inside = createRoute({ getParentRoute: () => root, id: 'shell' });
  const page = (path: string, data: RouteInfo) =>
    createRoute({ getParentRoute: () => inside, path, staticData: { title: `Screen ${path}`, ...data } });
  const pages = [
    page('/mine', { access: can('audit', 'coordinate') }),
    page('/audit', { access: can('audit') }),
    page('/machines', { access: { ...member, addon: 'machines' } }),
    page('/reports', { access: { ...member, addon: ['machines', 'daily-energy'] } }),
    page('/ratio', { access: { ...member, settings: ['perfRatio'] } }),
    page('/meters', { access: { ...member, settings: ['meterSites'] } }),
    page('/team', { access: staff }),
    page('/one/$id', {}),
    page('/hidden', { isUnlisted: true }),
    createRoute({ getParentRoute: () => root, path: '/public', staticData: { title: 'Screen /public' } }),
  ];
  const router = createRouter({
    routeTree: root.addChildren([inside.addChildren(pages)]),
    history: createMemoryHistory({ initialEntries: ['/mine'] }),
  });
  await router.load();
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  fireEvent.keyDown(window, { key: 'k', metaKey: true });
  fireEvent.change(await screen.findByRole('combobox'), { target: { value: 'screen' } });
  await screen.findByText('Screen /mine');
  const found = screen.getAllByRole('row').map((row) => row.firstElementChild?.textContent);
  expect(found).toEqual(['Screen /machines', 'Screen /mine', 'Screen /ratio']);
});

test('Ctrl-K leaves a dialog alone that somebody may be typing in, and takes the place of the list of keys', async () => {
  await showScreen(<GlobalSearch />);
  const user = userEvent.setup();
  const form = document.createElement('div');
  form.setAttribute('role', 'dialog');
  form.setAttribute('aria-modal', 'true');
  document.body.append(form);
  await user.keyboard('{Control>}k{/Control}');
  expect(screen.queryByRole('combobox', { name: 'Search by name or ID' })).toBeNull();
  showShortcuts(true);
  await user.keyboard('{Control>}k{/Control}');
  expect(await screen.findByRole('combobox', { name: 'Search by name or ID' })).toBeTruthy();
  expect(areShortcutsShown()).toBe(false);
  form.remove();
});
