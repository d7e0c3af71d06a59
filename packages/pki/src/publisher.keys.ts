import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Key } from '@tufjs/models';

export const ROLES = ['root', 'targets', 'snapshot', 'timestamp'] as const;
export type PublisherRole = (typeof ROLES)[number];

/** A key of the publisher, and how metadata name it. */
export interface RoleKey {
  id: string;
  key: Key;
  secret: KeyObject;
}
export type PublisherKeys = Record<PublisherRole, RoleKey>;

/**
 * The keys of whoever publishes plugins, one for each role, in a folder of their own. They are made the first time. No
 * server needs them: the folder belongs on a medium that is only there while something is published.
 */
export function publisherKeys(folder: string): PublisherKeys {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return Object.fromEntries(ROLES.map((role) => [role, keyIn(join(folder, `${role}.pem`))])) as PublisherKeys;
}

function keyIn(path: string): RoleKey {
  if (!existsSync(path)) {
    const { privateKey } = generateKeyPairSync('ed25519');
    writeFileSync(path, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
  }
  const secret = createPrivateKey(readFileSync(path));
  const { x = '' } = createPublicKey(secret).export({ format: 'jwk' });
  const hex = Buffer.from(x, 'base64url').toString('hex');
  const id = createHash('sha256').update(`ed25519:${hex}`).digest('hex');
  const key = new Key({ keyID: id, keyType: 'ed25519', scheme: 'ed25519', keyVal: { public: hex } });
  return { id, key, secret };
}
