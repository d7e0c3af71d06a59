import { COOKIE_PREFIX } from '@albedo/contract/http/cookies';

/**
 * A cookie that the server left for scripts; it has the prefix where the page came over https. One without the prefix there may
 * be of another host of the domain, or of a server behind a proxy that does not say so: `isOurs` takes the first for sure.
 */
export function readCookie(name: string, { isOurs = false } = {}): string | null {
  const all = new Map(
    document.cookie.split('; ').map((one) => {
      const at = one.indexOf('=');
      return [one.slice(0, at), one.slice(at + 1)];
    }),
  );
  const plain = isOurs && location.protocol === 'https:' ? undefined : all.get(name);
  const found = all.get(COOKIE_PREFIX + name) ?? plain;
  return found ? decodeURIComponent(found) : null;
}

export function clearCookie(name: string): void {
  const gone = '=; path=/; max-age=0; samesite=lax';
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store.
  document.cookie = name + gone;
  // Browsers change one with the prefix only where it stays secure.
  // biome-ignore lint/suspicious/noDocumentCookie: as above.
  document.cookie = `${COOKIE_PREFIX}${name}${gone}; secure`;
}
