import { afterEach, expect, test } from 'vitest';
import { showFirstShell } from './first-shell.ts';

afterEach(() => {
  localStorage.clear();
  window.history.replaceState(null, '', '/');
});

function shownAt(path: string): string | undefined {
  window.history.replaceState(null, '', path);
  const waiting = document.createElement('div');
  showFirstShell(waiting);
  return waiting.dataset.menu;
}

test('who is signed in sees bar and menu at once, the menu as they left it', () => {
  expect(shownAt('/devices')).toBe('open');
  localStorage.setItem('albedo.menu', 'closed');
  expect(shownAt('/devices')).toBe('narrow');
});

test('screens without a bar have none before they are there either', () => {
  for (const path of ['/logout', '/session-expired', '/reset/1234', '/activate/1234', '/display'])
    expect(shownAt(path), path).toBeUndefined();
});
