import { open } from 'node:fs/promises';
import { FRAME_LIMITS } from '@albedo/contract/link/link.frames';
import { AskError } from '../link/ask-error.ts';
import type { PhotoShelf } from '../photos/photo-shelf.ts';
import type { AskHandlers } from './asks.ts';

/** Photos that wait for the cloud. Sending one leaves the line to measurements, as every exchange does. */
export const photoAsks = (
  shelf: PhotoShelf,
): Pick<AskHandlers, 'photos.list' | 'photos.read' | 'photos.forget'> => ({
  'photos.list': async () => ({ photos: shelf.list() }),
  'photos.read': async ({ input: { id, from }, signal, write }) => {
    const path = shelf.fileOf(id);
    if (path === null) throw new AskError('changed', 'This photo does not wait here any more.');
    const file = await open(path, 'r');
    try {
      const chunk = Buffer.alloc(FRAME_LIMITS.chunkBytes);
      for (let at = from; ; ) {
        signal.throwIfAborted();
        const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
        if (bytesRead === 0) return { bytes: at };
        await write(chunk.subarray(0, bytesRead));
        at += bytesRead;
      }
    } finally {
      await file.close();
    }
  },
  'photos.forget': async ({ input: { ids } }) => {
    shelf.forget(ids);
    return {};
  },
});
