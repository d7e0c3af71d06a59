import { expect, test } from 'vitest';
import { demandPlain } from './plain.ts';

test('what no store can keep is refused, wherever it stands', () => {
  expect(() => demandPlain({ meta: { kWp: [JSON.parse('1e999')] } })).toThrow(
    'A number is larger than any that can be stored.',
  );
  expect(() => demandPlain({ name: 'a\0b' })).toThrow('NUL');
  expect(() => demandPlain({ '\ud800': 1 })).toThrow('half of a character');
  demandPlain({ kWp: [1e308, -0, null] });
});

test('what is nested too deeply is refused with the part where that begins', () => {
  let items: unknown[] = [];
  for (let depth = 0; depth < 40; depth++) items = [{ kind: 'group', items }];
  expect(() => demandPlain({ board: { items } })).toThrow(
    /board\.items\.0\.items\.0\..*…: .*nested too deeply/,
  );
});
