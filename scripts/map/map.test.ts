import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { faultsOf, filesOf, mapPages } from './pages.ts';
import { faultOf, HOUSE, sourceOf, witnesses } from './source.ts';

const pages = await mapPages();

test('everything that the specification names is declared, and the test that is named shows it', () => {
  expect(faultsOf(pages)).toEqual([]);
});

test.each(Object.entries(filesOf(pages)))('%s is up to date', (file, text) => {
  expect(readFileSync(join(HOUSE, file), 'utf8'), 'npm run docs:map').toBe(text);
});

test('nothing of the specification was taken out of the map', () => {
  const counts = Object.fromEntries(Object.entries(pages).map(([name, { rows }]) => [name, rows.length]));
  expect(counts).toEqual({ routes: 86, calls: 186, socket: 18, messages: 193, constants: 96 });
});

test('a test that is not there, has another title, or does not contain what it is to show is a fault', () => {
  const file = 'scripts/map/map.test.ts';
  const [shown] = witnesses({
    [file]: { 'nothing of the specification was taken out of the map': ['GET x'] },
  });
  const [, witness] = shown ?? [];
  expect(faultOf('GET x', witness, (source) => source.includes('GET x'))).toBeNull();
  expect(faultOf('GET x', witness, () => false)).toContain('does not contain');
  expect(faultOf('GET x', undefined, () => true)).toContain('no test');
  const elsewhere = { file, sees: null, title: ['no such', 'title'].join(' ') };
  expect(faultOf('GET x', elsewhere, () => true)).toContain('has no test');
  expect(faultOf('GET x', { ...elsewhere, file: 'scripts/none.ts' }, () => true)).toContain('there is no');
  expect(sourceOf('scripts/none.ts')).toBeNull();
  expect(() => witnesses({ a: { b: ['GET x', 'GET x'] } })).toThrow('twice');
});
