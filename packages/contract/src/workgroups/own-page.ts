/** Addresses of this host that are no place to begin: they sign in or out, belong to one e-mail, or are no screens. */
const NO_START =
  /^\/(?:api|docs|assets|login|logout|session-expired|access-denied|vrouter|activate|invitation|reset)(?:[/?#]|$)/i;

/**
 * Whether somebody can begin at the address: a path of this host, and of the web app. Browsers leave control characters
 * out, so that a path with one could be another host, and take two slashes for one; what they make of dots and escapes
 * counts, so that `/./logout` is no way around.
 */
export function isOwnPage(path: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (!/^\/(?![/\\])[^\0-\x1f\x7f\\]*$/.test(path)) return false;
  const opened = openedBy(path);
  return opened !== null && !opened.startsWith('//') && !NO_START.test(opened);
}

/** The path that a browser opens, without its escapes; null where they cannot be read. */
function openedBy(path: string): string | null {
  try {
    return decodeURI(new URL(path, 'http://own.invalid').pathname);
  } catch {
    return null;
  }
}
