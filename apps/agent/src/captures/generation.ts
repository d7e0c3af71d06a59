import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Position } from '../outbox/outbox.events.ts';

/** How many bytes before a position identify a file. */
export const TAIL = 64;

/** One file that was, or is, at the followed path. */
export interface Generation {
  fd: number;
  inode: number;
  offset: number;
  tail: Buffer;
  header: string | null;
  skipping: boolean;
  size: number;
  /** Size at which the reader refused its first line; it is read again when the file has another size. */
  refusedAt: number | null;
  /** When its end was first seen after another file had taken its place. */
  endedAt: number | null;
}

/** Opens a file at its start. Null when it is no file; throws what the system throws. */
export function openFile(path: string): Generation | null {
  const fd = openSync(path, 'r');
  const stats = fstatSync(fd);
  if (!stats.isFile()) {
    closeSync(fd);
    return null;
  }
  const fresh = { offset: 0, tail: Buffer.alloc(0), header: null, skipping: false };
  return { ...fresh, fd, inode: stats.ino, size: stats.size, refusedAt: null, endedAt: null };
}

/** The file at `path`, at the position, when it is the one that the position was noted for; else null. */
export function resume(path: string, position: Position, anyInode = false): Generation | null {
  const file = tryOpen(path);
  if (!file) return null;
  const tail = Buffer.from(position.tail, 'base64');
  const before = Buffer.alloc(tail.length);
  if (file.size >= position.offset && (anyInode || file.inode === position.inode)) {
    readSync(file.fd, before, 0, before.length, position.offset - tail.length);
    if (before.equals(tail)) {
      const { offset, header, skipping } = position;
      return { ...file, offset, header, skipping, tail };
    }
  }
  closeSync(file.fd);
  return null;
}

/**
 * The rest of a file that was replaced while the agent did not run: the same file under another name, or the copy
 * that plugins keep beside it for the day. A copy is trusted only with a header and 64 equal bytes before the place.
 */
export function leftover(path: string, position: Position): Generation | null {
  const folder = dirname(path);
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name !== basename(path));
  } catch {
    // The folder is gone, and the file with it.
    return null;
  }
  for (const name of names) {
    const moved = resume(join(folder, name), position);
    if (moved) return moved;
  }
  if (position.header === null || position.offset < TAIL) return null;
  for (const name of names) {
    if (!/\.csv(\.\d+)?$/.test(name)) continue;
    const copy = resume(join(folder, name), position, true);
    if (copy && beginsWith(copy, `${position.header}\n`) && !isWrittenTogether(path, copy)) return copy;
    if (copy) closeSync(copy.fd);
  }
  return null;
}

function tryOpen(path: string): Generation | null {
  try {
    return openFile(path);
  } catch {
    // Not readable is not the file that is looked for.
    return null;
  }
}

function beginsWith({ fd }: Generation, text: string): boolean {
  const expected = Buffer.from(text);
  const first = Buffer.alloc(expected.length);
  readSync(fd, first, 0, first.length, 0);
  return first.equals(expected);
}

/** Whether a copy is the one of the present file, so that reading both would count lines twice. */
function isWrittenTogether(path: string, copy: Generation): boolean {
  const present = tryOpen(path);
  if (!present) return false;
  const isSame = lastLine(present).equals(lastLine(copy));
  closeSync(present.fd);
  return isSame;
}

/** The last line of a file, as far as it is near the end. */
function lastLine({ fd, size }: Generation): Buffer {
  const bytes = Buffer.alloc(Math.min(size, 4096));
  readSync(fd, bytes, 0, bytes.length, size - bytes.length);
  return bytes.subarray(bytes.lastIndexOf(10, bytes.length - 2) + 1);
}
