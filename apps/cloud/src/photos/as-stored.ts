import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { PhotoRow } from './photos.store.ts';

/**
 * The bytes of a photo, which end in an error before the last of them where they are not the ones that were stored: what the
 * disk has changed is no proof of anything, and whoever reads it must not take it for the picture of the camera.
 */
export function asStored(bytes: Readable, photo: Pick<PhotoRow, 'id' | 'size' | 'sha256'>): Readable {
  return Readable.from(checked(bytes, photo), { objectMode: false });
}

async function* checked(
  bytes: AsyncIterable<Buffer>,
  { id, size, sha256 }: Pick<PhotoRow, 'id' | 'size' | 'sha256'>,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let length = 0;
  let held: Buffer | null = null;
  for await (const chunk of bytes) {
    if (held) yield held;
    hash.update(chunk);
    length += chunk.length;
    held = chunk;
  }
  if (length !== size || hash.digest('hex') !== sha256)
    throw new Error(`The disk has changed the photo ${id}; put files/photos back from a backup.`);
  if (held) yield held;
}
