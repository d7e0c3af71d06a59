import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Transform } from 'node:stream';
import { Encrypter } from 'age-encryption';

/** Source: the age file encryption format, C2SP, "Payload". */
const CHUNK = 64 * 1024;
const NONCE = 16;
const TAG = 16;

/**
 * Encrypts with age for the recipients. The head is the library's; the content is Node's own ChaCha20-Poly1305,
 * since one in JavaScript seals 40 MB a second and keeps the loop from what comes in meanwhile.
 */
export async function sealFor(recipients: readonly string[]): Promise<Transform> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  let fileKey: Buffer | null = null;
  encrypter.addRecipient({
    wrapFileKey(key) {
      fileKey = Buffer.from(key);
      return [];
    },
  });
  const empty = Buffer.from(await encrypter.encrypt(new Uint8Array()));
  if (!fileKey) throw new Error('age gave no key for the file.');
  const head = empty.subarray(0, empty.length - NONCE - TAG);
  // Of its own: one nonce must not seal two contents.
  const nonce = randomBytes(NONCE);
  const key = Buffer.from(hkdfSync('sha256', fileKey, nonce, 'payload', 32));
  return sealed(Buffer.concat([head, nonce]), key);
}

/** Chunks of 64 KiB, each with its number; only the last has its mark, and is shorter or full. */
function sealed(head: Buffer, key: Buffer): Transform {
  let rest: Buffer = Buffer.alloc(0);
  let number = 0;
  const seal = (chunk: Buffer, isLast: boolean) => {
    const counter = Buffer.alloc(12);
    counter.writeUIntBE(number++, 5, 6);
    if (isLast) counter[11] = 1;
    const cipher = createCipheriv('chacha20-poly1305', key, counter, { authTagLength: TAG });
    return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
  };
  const stream = new Transform({
    transform(piece: Buffer, _encoding, done) {
      rest = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
      let at = 0;
      for (; rest.length - at > CHUNK; at += CHUNK) this.push(seal(rest.subarray(at, at + CHUNK), false));
      rest = rest.subarray(at);
      done();
    },
    flush(done) {
      done(null, seal(rest, true));
    },
  });
  stream.push(head);
  return stream;
}
