import type { Announcement } from '@albedo/contract/announcements/announcements.schema';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { queryClient } from '../../app/query-client.ts';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { AnnouncementBell } from './announcement-bell.tsx';
import { myAnnouncementsQuery } from './announcements.queries.ts';
import { AnnouncementsDialog } from './announcements-dialog.tsx';

const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
const one = (title: string, from: number, more: Partial<Announcement> = {}): Announcement => ({
  _id: crypto.randomUUID(),
  title,
  startDate: inDays(from),
  endDate: inDays(1),
  isAcknowledged: false,
  thumbnailUrl: null,
  bodyMarkdown: `Text of ${title}`,
  ...more,
});
const answering = (list: Announcement[]) => fakeNetwork(() => ({ body: list }));
const dashboardOnly = {
  role: 'readonly',
  permissions: ['dashboardOnly'],
  ps: 'do',
  devGroup: null,
  scopes: {},
};

test('it goes from the oldest start to the newest, and Done dismisses all of them', async () => {
  signInAs();
  const list = [one('Newer', -1), one('Older', -2), one('Over', -5, { endDate: inDays(-4) })];
  const asked = answering(list);
  await showScreen(<AnnouncementsDialog />, '/devices');
  expect(await screen.findByRole('dialog', { name: 'Older' })).toBeTruthy();
  expect(screen.getByText('1 of 2')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Next' }));
  await userEvent.click(screen.getByRole('button', { name: 'Back' }));
  expect(screen.queryByRole('button', { name: 'Done' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Next' }));
  await userEvent.click(screen.getByRole('button', { name: 'Done' }));
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const dismissed = asked
    .filter(({ method }) => method === 'DELETE')
    .map(({ path }) => path.split('/').at(-1));
  expect(dismissed.toSorted()).toEqual([list[0]?._id, list[1]?._id].toSorted());
});

test('closed without Done it dismisses nothing, and comes again with the next announcement', async () => {
  signInAs();
  const list = [one('First', -2)];
  const asked = answering(list);
  await showScreen(<AnnouncementsDialog />, '/devices');
  await screen.findByRole('dialog', { name: 'First' });
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(asked.some(({ method }) => method === 'DELETE')).toBe(false);
  queryClient.setQueryData(myAnnouncementsQuery.queryKey, [...list, one('Second', -1)]);
  expect(await screen.findByRole('dialog', { name: 'First' })).toBeTruthy();
  expect(screen.getByText('1 of 2')).toBeTruthy();
});

test.each([
  ['a dashboard-only user', '/devices', { scopes: { demo: dashboardOnly } }],
  ['anybody on the announcements page', '/announcements', {}],
  ['anybody on the announcements page with a slash at its end', '/announcements/', {}],
  ['anybody on the start page, which lists them', '/', {}],
])('it stays away from %s', async (_who, address, claims) => {
  signInAs(claims);
  answering([one('News', -1)]);
  await showScreen(
    <>
      <AnnouncementsDialog />
      <AnnouncementBell />
    </>,
    address,
  );
  await screen.findByRole('button', { name: 'Announcements, 1 new' });
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the bell shows at most five, the newest first, and the way to all', async () => {
  signInAs();
  answering([1, 2, 3, 4, 5, 6].map((days) => one(`News ${days}`, -days)));
  await showScreen(<AnnouncementBell />);
  await userEvent.click(await screen.findByRole('button', { name: 'Announcements, 6 new' }));
  const titles = (await screen.findAllByText(/^News \d$/)).map(({ textContent }) => textContent);
  expect(titles).toEqual(['News 1', 'News 2', 'News 3', 'News 4', 'News 5']);
  expect(screen.getByRole('link', { name: 'View all' }).getAttribute('href')).toBe('/announcements');
});
