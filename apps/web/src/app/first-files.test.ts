import { afterEach, expect, test } from 'vitest';
import { fetchScreen } from './first-files.ts';

afterEach(() => document.head.replaceChildren());

const FILES = {
  '/devices': ['/assets/list-1.js', '/assets/list-2.css'],
  '/entities/': ['/assets/board-3.js'],
};

/** What the browser fetches ahead for that address. */
function fetchedAt(path: string, list: string | null = JSON.stringify(FILES)): string[] {
  document.body.innerHTML =
    list === null ? '' : `<script type="application/json" id="screen-files">${list}</script>`;
  document.head.replaceChildren();
  fetchScreen(path);
  return [...document.head.querySelectorAll('link')].map(
    (link) => `${link.rel} ${link.getAttribute('href')}`,
  );
}

test('the files of the screen at an address are fetched ahead, and of no other', () => {
  expect(fetchedAt('/devices')).toEqual(['modulepreload /assets/list-1.js', 'preload /assets/list-2.css']);
  expect(fetchedAt('/entities/dash3/7')).toEqual(['modulepreload /assets/board-3.js']);
  expect(fetchedAt('/profile')).toEqual([]);
});

test('a page without a list, as in development, fetches nothing ahead', () => {
  expect(fetchedAt('/devices', '')).toEqual([]);
  expect(fetchedAt('/devices', null)).toEqual([]);
});
