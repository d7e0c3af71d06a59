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
