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

/** Seals texts with AES-256-GCM; each is bound to its owner, so that rows cannot be swapped. */
export class Seal {
  readonly #key: Buffer;

  /** The key is 32 bytes in base64. */
  constructor(key: string) {
    this.#key = Buffer.from(key, 'base64');
  }

  close(text: string, owner: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
  }

  /** Throws when it was changed, sealed with another key, or for another owner. */
  open(sealed: string, owner: string): string {
    const bytes = Buffer.from(sealed, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(owner))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return (
      decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    );
  }
}
