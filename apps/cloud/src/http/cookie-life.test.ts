import { expect, test } from 'vitest';
import { cookieLifeS } from './cookie-life.ts';

test.each([
  ['180', 15_552_000],
  ['180d', 15_552_000],
  ['12h', 43_200],
  ['90m', 5400],
  ['45s', 45],
  ['1d 12h', 129_600],
  [' 1D12H ', 129_600],
  ['0', null],
  ['0h', null],
  ['', null],
  ['1w', null],
  ['1h 2h', null],
  ['-1d', null],
  ['1.5d', null],
  ['for ever', null],
])('a life of "%s" is %j seconds', (text, seconds) => {
  expect(cookieLifeS(text)).toBe(seconds);
});
