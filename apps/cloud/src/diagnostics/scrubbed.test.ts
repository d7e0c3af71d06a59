import { expect, test } from 'vitest';
import { pageName } from './page-name.ts';
import { scrubbed, scrubbedPath } from './scrubbed.ts';

test('addresses of people are taken out of texts and paths, also as browsers write them in addresses', () => {
  expect(scrubbed('No user ann%40example.org, ann@example.org')).toBe('No user [address], [address]');
  expect(scrubbedPath('/users/ann%40localhost/edit?as=1')).toBe('/users/[address]/edit');
  expect(scrubbedPath('/users/@ann')).toBe('/users/[address]');
  expect(pageName('/users/ann@example.org', '/users/ann@example.org')).toBe('/users/$id');
  expect(pageName('/users/ann%40example.org', '/users/$user')).toBe('/users/$user');
});
