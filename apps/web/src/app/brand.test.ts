import { BRAND, contrast } from '@albedo/contract/branding/colours';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readableOn, shadesOf } from './brand.ts';

test('the brand colour as it is would be lost on white, its text shade is not', () => {
  expect(contrast(BRAND.primary, '#ffffff')).toBeLessThan(3);
  expect(contrast(readableOn(BRAND.primary, '#ffffff'), '#ffffff')).toBeGreaterThanOrEqual(4.5);
});

test('any colour gets a readable shade on a light and on a dark ground', () => {
  const colour = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`);
  fc.assert(
    fc.property(colour, fc.constantFrom('#ffffff', '#f6f7f6', '#191c19', '#121412'), (one, ground) => {
      expect(contrast(readableOn(one, ground), ground)).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

test('the sixth shade is the colour itself', () => {
  expect(shadesOf('#b0c748')[5]).toBe('#b0c748');
});
