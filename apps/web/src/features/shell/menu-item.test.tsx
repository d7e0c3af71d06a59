import { IconSettings } from '@tabler/icons-react';
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { showScreen } from '../../app/test-screen.tsx';
import { NARROW_PX } from '../../ui/use-is-narrow.ts';
import { MenuItem } from './menu-item.tsx';

const admin = {
  at: 10,
  title: 'menu.admin',
  Icon: IconSettings,
  items: [{ at: 10, title: 'menu.workgroup', to: '/admin/workgroup' }],
};
const useFailure = () => {
  throw new Error('An odd answer.');
};
const isOpen = () => screen.queryByRole('menuitem', { name: 'Workgroup' }) !== null;

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('a submenu opens when the pointer rests for 100 ms and closes 300 ms after it left', async () => {
  await showScreen(
    <ul>
      <MenuItem entry={admin} kind="wide" onFollow={() => {}} />
    </ul>,
  );
  const button = screen.getByRole('button', { name: 'Admin' });
  // Focus loads its code.
  fireEvent.focus(button);
  await vi.waitFor(() => expect(button.id).not.toBe(''));
  vi.useFakeTimers();
  fireEvent.mouseEnter(button);
  await act(() => vi.advanceTimersByTimeAsync(90));
  expect(isOpen()).toBe(false);
  await act(() => vi.advanceTimersByTimeAsync(200));
  expect(isOpen()).toBe(true);
  fireEvent.mouseLeave(button);
  await act(() => vi.advanceTimersByTimeAsync(280));
  expect(button.getAttribute('aria-expanded')).toBe('true');
  await act(() => vi.advanceTimersByTimeAsync(40));
  expect(button.getAttribute('aria-expanded')).toBe('false');
});

test('a submenu opens as well for a click that comes before its code', async () => {
  await showScreen(
    <ul>
      <MenuItem entry={admin} kind="wide" onFollow={() => {}} />
    </ul>,
  );
  const button = screen.getByRole('button', { name: 'Admin', expanded: false });
  fireEvent.click(button);
  await vi.waitFor(() => expect(isOpen()).toBe(true));
  expect(button.getAttribute('aria-expanded')).toBe('true');
  expect(screen.getByRole('menu').getAttribute('aria-labelledby')).toBe(button.id);
});

test('a badge that fails is missing, and the menu stays', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  await showScreen(
    <ul>
      <MenuItem
        entry={{ ...admin, items: admin.items.map((item) => ({ ...item, useBadge: useFailure })) }}
        kind="drawer"
        onFollow={() => {}}
      />
    </ul>,
  );
  expect(screen.getByRole('link', { name: 'Workgroup' })).toBeTruthy();
});

test('the menu is a drawer below 700 px', () => {
  expect(NARROW_PX).toBe(700);
});
