/** Addresses of this host that are no place to begin: they sign in or out, belong to one e-mail, or are no screens. */
const NO_START =
  /^\/(?:api|docs|assets|login|logout|session-expired|access-denied|vrouter|activate|invitation|reset)(?:[/?#]|$)/i;

/**
 * Whether somebody can begin at the address: a path of this host, and of the web app. Browsers leave control characters
 * out, so that a path with one could be another host, and take two slashes for one.
 */
export const isOwnPage = (path: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  /^\/(?![/\\])[^\0-\x1f\x7f\\]*$/.test(path) && !NO_START.test(path);
