import { afterEach, expect, test } from 'vitest';
import { sizeText } from './file-drop.tsx';
import { setLocale } from './units/locale.ts';

afterEach(() => setLocale('en'));

test('a limit steps by 1000, and is written as in the language', () => {
  setLocale('en');
  expect([400, 340_000, 10_000_000, 5_000_000_000].map(sizeText)).toEqual([
    '1 kB',
    '340 kB',
    '10 MB',
    '5 GB',
  ]);
  setLocale('de');
  expect(sizeText(2_500_000_000)).toMatch(/^2,5\sGB$/);
});
