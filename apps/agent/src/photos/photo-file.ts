import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { basename } from 'node:path';
import { isWholePhoto, photoTypeOf } from '@albedo/contract/photos/photo-type';
import { PHOTO_LIMITS, type WaitingPhoto } from '@albedo/contract/photos/photos.schema';

export interface PhotoFile {
  photo: WaitingPhoto;
  bytes: Buffer;
}

/** What a file is that is called like a picture: one to keep, still being written, or none, and why. */
export type FoundPhoto =
  | PhotoFile
  | { isUnfinished: true; why: string }
  | { isUnfinished: false; why: string };

/** Reads a picture as a whole. Throws where the file cannot be read. */
export function readPhoto(path: string, of: { table: string; source: string }): FoundPhoto {
  const fd = openSync(path, 'r');
  try {
    const before = fstatSync(fd);
    if (before.size > PHOTO_LIMITS.bytes) {
      return { isUnfinished: false, why: `is larger than ${PHOTO_LIMITS.bytes / 1024 / 1024} MB` };
    }
    const bytes = readAll(fd, before.size);
    const type = photoTypeOf(bytes);
    if (bytes.length < before.size || !isSame(before, fstatSync(fd)) || bytes.length === 0) {
      return { isUnfinished: true, why: 'is written to all the time' };
    }
    if (!type)
      return {
        isUnfinished: bytes.length < 32,
        why: 'is no JPEG, PNG, GIF, BMP or WebP, whatever its name says',
      };
    if (!isWholePhoto(type, bytes))
      return { isUnfinished: true, why: 'has no end: it was not written completely' };
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const takenAt = Math.round(before.mtimeMs);
    const id = idOf(`${of.table}\n${of.source}\n${takenAt}\n${sha256}`);
    const file = basename(path).toWellFormed().slice(0, 255);
    return { photo: { id, ...of, file, takenAt, size: bytes.length, sha256 }, bytes };
  } finally {
    closeSync(fd);
  }
}

function readAll(fd: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  while (at < size) {
    const length = readSync(fd, bytes, at, size - at, at);
    if (length === 0) break;
    at += length;
  }
  return bytes.subarray(0, at);
}

const isSame = (a: Stats, b: Stats): boolean => a.size === b.size && a.mtimeMs === b.mtimeMs;

/** The same photo has the same id, however often it is found: a UUID made of a hash. */
function idOf(text: string): string {
  const hash = createHash('sha256').update(text).digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}
