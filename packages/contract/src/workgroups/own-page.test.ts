import { expect, test } from 'vitest';
import { isOwnPage } from './own-page.ts';

test.each([
  '/devices',
  '/devices?x=1#y',
  '/entities/dash3/büro',
  '/search/%C3%BC',
  '/analysis?from=-1d',
  '/',
])('%s is a page to begin at', (path) => {
  expect(isOwnPage(path)).toBe(true);
});

test.each([
  'https://other.example',
  '//other.example',
  '/\\other.example',
  '/\t/other.example',
  '/.//other.example',
  '/x/..//other.example',
  '/%2e//other.example',
  'javascript:alert(1)',
  '/logout',
  '/logout?x',
  '/./logout',
  '/devices/../logout',
  '/%6Cogout',
  '/LOGOUT/',
  '/api/v1/version',
  '/%zz',
])('%s is none', (path) => {
  expect(isOwnPage(path)).toBe(false);
});
