import i18next from 'i18next';
import { beforeAll, expect, test } from 'vitest';
import { loadAllTexts, startTranslation } from '../app/i18n.ts';
import { severalNames } from './several-names.ts';

beforeAll(async () => {
  await startTranslation();
  await loadAllTexts();
});
const names = Array.from({ length: 300 }, (_, i) => `n${i + 1}`);

test('a few are all named, of very many the first ones and how many more there are', () => {
  expect(severalNames(i18next.t, names.slice(0, 2))).toBe('n1 and n2');
  expect(severalNames(i18next.t, names.slice(0, 11))).toMatch(/n10,? and n11$/);
  expect(severalNames(i18next.t, names)).toMatch(/^n1, .*n10,? and 290 more$/);
});
