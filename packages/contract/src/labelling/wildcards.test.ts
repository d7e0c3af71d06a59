import { expect, test } from 'vitest';
import { fitsPattern } from './wildcards.ts';

test('stars stand for any signs and question marks for one, whatever the case', () => {
  const fits: [string, string, boolean][] = [
    ['', 'anything', true],
    ['*', '', true],
    ['inverter/*', 'Inverter/12', true],
    ['inverter/?', 'inverter/12', false],
    ['*/1?', 'inverter/12', true],
    ['*a*b', 'xaxbxab', true],
    ['*a*b', 'xaxbxa', false],
    ['meter', 'meter 2', false],
    ['meter.*', 'meter 2', false],
    ['[a-z]+', 'abc', false],
  ];
  for (const [pattern, text, is] of fits)
    expect([pattern, text, fitsPattern(pattern, text)]).toEqual([pattern, text, is]);
});

test('a pattern that would keep a regular expression busy for years is answered at once', () => {
  expect(fitsPattern('*a'.repeat(100), 'a'.repeat(5000))).toBe(true);
  expect(fitsPattern(`${'*a'.repeat(100)}b`, 'a'.repeat(5000))).toBe(false);
});
