import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { LINK_LIMITS } from '@albedo/contract/link/link.messages';
import { isImageName } from '@albedo/contract/photos/photo-type';
import type { CaptureFault } from '../outbox/faults.ts';
import type { Shape } from '../outbox/outbox.events.ts';
import type { Sink } from '../outbox/sink.ts';
import type { PhotoShelf } from '../photos/photo-shelf.ts';

/** Bytes of a large file that its hash is made of. */
const HASH_LIMIT = 64 * 1024 * 1024;

/** Fields of the events of a watched file. `content` is there when the scenario says `send_file` and it fits. */
export const WATCH_FIELDS: Shape['fields'] = [
  { name: 'file', type: 'keyword' },
  { name: 'change', type: 'keyword' },
  { name: 'size', type: 'integer', units: 'B' },
  { name: 'sha256', type: 'keyword' },
  { name: 'encoding', type: 'keyword' },
  { name: 'content', type: 'keyword' },
];

/** Those of pictures that are sent along: `photo` is the one that the cloud keeps. */
export const PHOTO_FIELDS: Shape['fields'] = [...WATCH_FIELDS, { name: 'photo', type: 'keyword' }];

/** How long a picture without an end may still be on its way from the camera, ms. */
export const UNFINISHED_MS = 30_000;

export interface WatchOptions {
  /** On this disk. */
  file: string;
  sink: Sink;
  report: (fault: CaptureFault) => void;
  photos: PhotoShelf;
}

/** Whether what is in such files goes to the cloud as a photo. SVG is text that can run scripts, and travels as text. */
export const isPhotoName = (file: string): boolean => isImageName(file) && !/\.svg$/i.test(file);

export interface WatchedFile {
  size: number;
  /** Hexadecimal. */
  sha256: string;
  /** Its beginning: all of it, where it is small. */
  first: Buffer;
}

/** Throws where it cannot be read. */
export function readWatched(path: string): WatchedFile {
  const fd = openSync(path, 'r');
  try {
    const { size } = fstatSync(fd);
    const hash = createHash('sha256');
    const chunk = Buffer.allocUnsafe(256 * 1024);
    let first = Buffer.alloc(0);
    for (let at = 0; at < Math.min(size, HASH_LIMIT); ) {
      const length = readSync(fd, chunk, 0, chunk.length, at);
      if (length === 0) break;
      if (at === 0) first = Buffer.from(chunk.subarray(0, length));
      hash.update(chunk.subarray(0, length));
      at += length;
    }
    return { size, sha256: hash.digest('hex'), first };
  } finally {
    closeSync(fd);
  }
}

/** What an event says of the content: text as it is, other bytes as base64; null where that is too long for one. */
export function contentOf({ size, first }: WatchedFile): { encoding: string; content: string } | null {
  const encoding = isUtf8(first) && !first.includes(0) ? 'text' : 'base64';
  const content = first.toString(encoding === 'text' ? 'utf8' : 'base64');
  return size <= first.length && content.length <= LINK_LIMITS.textLength ? { encoding, content } : null;
}
