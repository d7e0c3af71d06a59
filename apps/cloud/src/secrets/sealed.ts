import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { keepSecret, type SecretsHome } from './secrets.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A new key, base64. */
export const makeSealKey = (): string => randomBytes(32).toString('base64');

/** The seal with the key that this installation keeps. */
export async function openSeal(home: SecretsHome): Promise<Seal> {
  return new Seal(await keepSecret(home, 'secrets/mfa', makeSealKey));
}

/**
 * Seals with AES-256-GCM; each text or file is bound to its owner, so that rows and files cannot be swapped. The first key seals,
 * all of them open.
 */
export class Seal {
  readonly #keys: readonly [Buffer, ...Buffer[]];

  /** 32 bytes in base64, a line for each key. */
  constructor(keys: string) {
    const [first = '', ...others] = keys.trim().split('\n');
    this.#keys = [Buffer.from(first, 'base64'), ...others.map((key) => Buffer.from(key, 'base64'))];
  }

  close(text: string, owner: string): string {
    return this.closeBytes(Buffer.from(text), owner).toString('base64');
  }

  /** Throws when it was changed, sealed with another key, or for another owner. */
  open(sealed: string, owner: string): string {
    return this.openBytes(Buffer.from(sealed, 'base64'), owner).toString('utf8');
  }

  closeBytes(bytes: Uint8Array, owner: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#keys[0], nonce).setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  /** Throws as `open`. */
  openBytes(sealed: Buffer, owner: string): Buffer {
    const [first, ...others] = this.#keys;
    try {
      return openWith(first, sealed, owner);
    } catch (error) {
      for (const key of others) {
        try {
          return openWith(key, sealed, owner);
        } catch {
          // The first one's complaint is told.
        }
      }
      throw error;
    }
  }
}

function openWith(key: Buffer, sealed: Buffer, owner: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(owner))
    .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
}
