import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Decrypter, generateIdentity, identityToRecipient } from 'age-encryption';
import { expect, test } from 'vitest';
import { sealFor } from './backup.seal.ts';

const CHUNK = 64 * 1024;

test.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 300 * CHUNK + 5])(
  'what is sealed, here %d bytes, is read with the key by another program of age, and by each recipient',
  async (size) => {
    const identities = [await generateIdentity(), await generateIdentity()];
    const recipients = await Promise.all(identities.map((one) => identityToRecipient(one)));
    const plain = randomBytes(size);
    const pieces = [plain.subarray(0, size / 3), plain.subarray(size / 3)];
    const sealed = await buffer(Readable.from(pieces, { objectMode: false }).pipe(await sealFor(recipients)));
    for (const identity of identities) {
      const decrypter = new Decrypter();
      decrypter.addIdentity(identity);
      expect(Buffer.from(await decrypter.decrypt(sealed)).equals(plain)).toBe(true);
    }
  },
);

test('what is sealed for nobody that one can be, or twice, is not the same', async () => {
  await expect(sealFor(['nobody'])).rejects.toThrow();
  const recipient = await identityToRecipient(await generateIdentity());
  const seal = async () => buffer(Readable.from([Buffer.from('the same')]).pipe(await sealFor([recipient])));
  expect((await seal()).equals(await seal())).toBe(false);
});
