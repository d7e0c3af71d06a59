import { scrubbedPath } from './scrubbed.ts';

const ID = /^(?:[0-9a-f]{8}-[0-9a-f-]{27}|\d+|[0-9a-f]{12,}|\[secret\]|\[address\])$/i;

/**
 * The name under which a page is counted: its address without ids. The name that the browser sends is used if it fits the
 * address; otherwise, as with older versions of the app, everything that looks like an id is left out.
 */
export function pageName(location: string, page: string | undefined): string {
  const parts = scrubbedPath(location).split('/');
  const named = page?.split('/');
  const fits =
    named?.length === parts.length &&
    named.every((part, at) => /^\$\w{1,40}$/.test(part) || part === parts[at]);
  const name = fits ? named : parts.map((part) => (ID.test(part) ? '$id' : part));
  return name.join('/').slice(0, 150);
}
