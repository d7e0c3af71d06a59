import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FoundDamage } from '@albedo/contract/store-checks/store-checks.schema';
import type { FileStore } from '../files/files.store.ts';
import { asStored } from './as-stored.ts';
import type { PhotoRow, PhotosStore } from './photos.store.ts';

/** Records that are read in one go. */
const PAGE = 200;

/**
 * Reads every photo and compares it with the SHA-256 that it had when it was stored. Yields after each photo, so that others get
 * their turn: null, or what is damaged once all photos of a device are read.
 */
export async function* damagedPhotos(
  store: PhotosStore,
  files: FileStore,
): AsyncGenerator<FoundDamage | null> {
  let device = { id: '', photos: 0, damaged: [] as string[] };
  for await (const row of everyPhoto(store)) {
    if (row.deviceId !== device.id) {
      yield damageOf(device);
      device = { id: row.deviceId, photos: 0, damaged: [] };
    }
    device.photos++;
    // One that was deleted meanwhile is not missing.
    const isDamaged =
      !(await isAsStored(files, row)) && (await store.get(row.workgroup, row.deviceId, row.id));
    if (isDamaged) device.damaged.push(row.id);
    yield null;
  }
  yield damageOf(device);
}

/** Whether the bytes of a photo are there, and the ones that were stored. */
export async function isAsStored(files: FileStore, row: PhotoRow): Promise<boolean> {
  try {
    const bytes = await files.get(row.fileKey);
    if (!bytes) return false;
    await pipeline(asStored(bytes, row), new Writable({ write: (_bytes, _encoding, done) => done() }));
    return true;
  } catch {
    return false;
  }
}

async function* everyPhoto(store: PhotosStore): AsyncGenerator<PhotoRow> {
  let rows = await store.page(null, PAGE);
  for (let last = rows.at(-1); last; last = rows.at(-1)) {
    yield* rows;
    rows = await store.page(last, PAGE);
  }
}

function damageOf(device: { id: string; photos: number; damaged: readonly string[] }): FoundDamage | null {
  const [first] = device.damaged;
  if (first === undefined) return null;
  const counts = `${device.damaged.length} of its ${device.photos} photos are changed or gone`;
  return { what: `photos of device ${device.id}`, reason: `${counts}, the first of them is ${first}` };
}
