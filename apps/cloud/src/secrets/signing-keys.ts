import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

/** A new signing key, PEM. */
export function makeSigningKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}

/** Those in a text, in their order. */
export const keysIn = (pem: string): KeyObject[] =>
  (pem.match(/-----BEGIN PRIVATE KEY-----[\s\S]+?-----END PRIVATE KEY-----/g) ?? []).map((one) =>
    createPrivateKey(one),
  );

/**
 * Keys with a new one in front. The one that was in front stays for what it signed, until the next change; with `isAtOnce` every
 * session and API token ends.
 */
export function withNewKey(pem: string, isAtOnce: boolean): string {
  const [before = ''] = pem.match(/-----BEGIN PRIVATE KEY-----[\s\S]+?-----END PRIVATE KEY-----\n?/g) ?? [];
  return isAtOnce ? makeSigningKey() : makeSigningKey() + before;
}

/** Of anti-forgery tokens, known browsers, tickets of sockets and ids of scrolls. */
export const makeForgeryKey = (): string => crypto.randomUUID() + crypto.randomUUID();
