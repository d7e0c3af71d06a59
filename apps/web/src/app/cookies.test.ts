import { afterEach, expect, test, vi } from 'vitest';
import { clearCookie, readCookie } from './cookies.ts';

afterEach(() => vi.unstubAllGlobals());

/** A browser that has these cookies for a page of this protocol. */
function browser(protocol: string, cookie: string) {
  const kept = { cookie };
  vi.stubGlobal('document', kept);
  vi.stubGlobal('location', { protocol });
  return kept;
}

test('of two cookies the one that only this host can set is read', () => {
  browser('https:', 'one=theirs; __Host-one=o%20urs==');
  expect(readCookie('one')).toBe('o urs==');
  expect(readCookie('other')).toBeNull();
});

test('over https a cookie that any host of the domain can set is nothing to sign in with', () => {
  browser('https:', 'one=theirs');
  expect(readCookie('one', { isOurs: true })).toBeNull();
  expect(readCookie('one')).toBe('theirs');
  browser('http:', 'one=ours');
  expect(readCookie('one', { isOurs: true })).toBe('ours');
});

test('a cookie is cleared with the attributes without which browsers would keep it', () => {
  const kept = browser('https:', '__Host-one=ours');
  clearCookie('one');
  expect(kept.cookie).toBe('__Host-one=; path=/; max-age=0; samesite=lax; secure');
});
