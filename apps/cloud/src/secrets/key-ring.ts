import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { Sealing } from '@albedo/pki/key-files';

const MARK = 'albedo-sealed:1';
/** In front of what no key seals. */
const PLAIN_MARK = 'albedo-plain:1';
/** A secret as it lay before it had a mark: blocks of PEM, JSON, or keys in lines. */
const UNMARKED = /^(?:-----BEGIN|\{|[\w+/=\s-]+$)/;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A reason not to start that one sentence tells. */
export class KeyError extends Error {
  override readonly name = 'KeyError';
}

interface Key {
  /** Names the key in what it sealed, and tells nothing of it. */
  id: string;
  bytes: Buffer;
}

/**
 * The keys that seal what the installation keeps secret (AES-256-GCM, each text bound to its name). The first one seals,
 * all of them open. Without a key nothing is sealed, and what is sealed cannot be opened.
 */
export class KeyRing implements Sealing {
  readonly #read: () => Promise<readonly string[]>;
  #keys: readonly Key[];

  /** `read` gives the keys again, when something is sealed with one that came later. */
  constructor(keys: readonly string[] = [], read: () => Promise<readonly string[]> = async () => keys) {
    this.#keys = keys.map(keyOf);
    this.#read = read;
  }

  get isEmpty(): boolean {
    return this.#keys.length === 0;
  }

  /** Plain where there is no key, with a checksum: a bit that the disk flips makes of most keys another one. */
  close(text: string, name: string): string {
    const [key] = this.#keys;
    if (!key) return `${PLAIN_MARK}:${checksumOf(text, name)}\n${text}`;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce).setAAD(Buffer.from(name));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    const body = Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
    return `${MARK}:${key.id}:${body}\n`;
  }

  /** Throws `KeyError` for what another key sealed, and for what was changed or lies under another name. */
  async open(text: string, name: string): Promise<string> {
    const id = sealedBy(text);
    if (id === null) return openPlain(text, name);
    const key = this.#find(id) ?? (await this.#findAgain(id));
    if (!key) throw this.#missing(id);
    const bytes = Buffer.from(text.slice(MARK.length + id.length + 2).trim(), 'base64');
    try {
      const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(name))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return (
        decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      );
    } catch {
      throw changed(name);
    }
  }

  /** True when it is kept as it would be written now. */
  isCurrent(text: string): boolean {
    const [key] = this.#keys;
    return key ? sealedBy(text) === key.id : text.startsWith(`${PLAIN_MARK}:`);
  }

  #find(id: string): Key | undefined {
    return this.#keys.find((key) => key.id === id);
  }

  async #findAgain(id: string): Promise<Key | undefined> {
    this.#keys = (await this.#read()).map(keyOf);
    return this.#find(id);
  }

  #missing(id: string): KeyError {
    const given = this.#keys.map((key) => key.id).join(' and ');
    const named = 'Give the right one with ALBEDO_KEY_FILE, ALBEDO_KEY or ALBEDO_KEY_COMMAND.';
    return new KeyError(
      given === ''
        ? `The secrets of this installation are sealed with the key ${id}, and no key is given. ${named}`
        : `The secrets of this installation are sealed with the key ${id}, and ${given} is given. ${named}`,
    );
  }
}

/** A new key, as text. */
export const makeKey = (): string => randomBytes(32).toString('base64');

/** The name of the key that sealed a text; null for one that is not sealed. */
const sealedBy = (text: string): string | null =>
  text.startsWith(`${MARK}:`) ? (text.split(':')[2] ?? '') : null;

function openPlain(text: string, name: string): string {
  const end = text.indexOf('\n');
  if (text.startsWith(`${PLAIN_MARK}:`)) {
    const value = text.slice(end + 1);
    if (text.slice(0, end) === `${PLAIN_MARK}:${checksumOf(value, name)}`) return value;
  } else if (UNMARKED.test(text)) return text;
  throw changed(name);
}

const changed = (name: string): KeyError =>
  new KeyError(`${name} was changed or damaged; put it back from a backup.`);

/** Over the name too, so that two files cannot be swapped. */
const checksumOf = (text: string, name: string): string =>
  createHash('sha256').update(`${name}\n${text}`).digest('hex');

function keyOf(text: string): Key {
  const bytes = Buffer.from(hkdfSync('sha256', text, '', MARK, 32));
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
}
