import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf, messageOf } from '../log.ts';
import type { Position } from '../outbox/outbox.events.ts';
import { firstOfPacked, openUnpacked, PACKED } from './packed.ts';
import { isMoved, isOfFamily, isOlder } from './rotation.ts';

/** How many bytes before a position identify a file. */
export const TAIL = 64;
/** How many bytes at the start of a file identify it, as far as they were read. */
const HEAD = 4096;
/** Files that took their turns while nobody looked, at most. */
const SUCCESSORS = 400;

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
  /** Bytes that had not been read when it was last seen to shrink. */
  cut: number;
  /** When its end was first seen after another file had taken its place. */
  endedAt: number | null;
  /** Last write, ns since 1970. */
  writtenAt: bigint;
  /** SHA-256 of its first bytes up to `headSize`. */
  head: string;
  headSize: number;
}

/** Opens a file at its start, a packed one as it was before. Null when it is no file; throws what the system throws. */
export function openFile(path: string, as: 'plain' | 'unpacked' = 'plain'): Generation | null {
  // What packs a file leaves it the time of its last line.
  const packed = as === 'unpacked' ? statSync(path, { bigint: true }) : null;
  const fd = packed ? openUnpacked(path) : openSync(path, 'r');
  const stats = fstatSync(fd, { bigint: true });
  if (!stats.isFile()) {
    closeSync(fd);
    return null;
  }
  const fresh = { offset: 0, tail: Buffer.alloc(0), header: null, skipping: false, head: '', headSize: 0 };
  const { ino, size } = stats;
  const writtenAt = packed?.mtimeNs ?? stats.mtimeNs;
  return {
    ...fresh,
    fd,
    inode: Number(ino),
    size: Number(size),
    refusedAt: null,
    cut: 0,
    endedAt: null,
    writtenAt,
  };
}

/** Notes what the file begins with, as far as that was read; by this it is known again under any name. */
export function noteHead(file: Generation): void {
  const size = Math.min(file.offset, HEAD);
  if (size === file.headSize) return;
  file.head = hashOf(file.fd, size);
  file.headSize = size;
}

/** The file at `path`, at the position, when it is the one that the position was noted for; else null. */
export function resume(
  path: string,
  position: Position,
  by: 'inode' | 'content' = 'inode',
): Generation | null {
  const { offset, header, skipping, headSize = 0, head = '' } = position;
  const isPacked = by === 'content' && PACKED.test(path);
  if (isPacked && !beginsLike(path, head, headSize)) return null;
  const file = tryOpen(path, isPacked ? 'unpacked' : 'plain');
  if (!file) return null;
  const tail = Buffer.from(position.tail, 'base64');
  const isNamed = by === 'inode' ? file.inode === position.inode : headSize > 0;
  if (isNamed && file.size >= offset && bytesAt(file.fd, offset - tail.length, tail.length).equals(tail)) {
    if (headSize === 0 || hashOf(file.fd, headSize) === head) {
      return { ...file, offset, header, skipping, tail, head, headSize };
    }
  }
  closeSync(file.fd);
  return null;
}

/**
 * The rest of a file that was replaced while the agent did not run: the same file under another name, or a copy of it, such as
 * the one that plugins keep for the day, or one that was made before the file was cut.
 */
export function leftover(path: string, position: Position): Generation | null {
  const folder = dirname(path);
  const names = namesIn(folder).filter((name) => name !== basename(path));
  for (const name of names) {
    const moved = resume(join(folder, name), position);
    if (moved) return moved;
  }
  const present = resume(path, position, 'content');
  if (present) return present;
  let longest: Generation | null = null;
  for (const name of names.filter((one) => isOfFamily(basename(path), one))) {
    const copy = resume(join(folder, name), position, 'content');
    if (!copy) continue;
    if (longest && longest.size >= copy.size) closeSync(copy.fd);
    else {
      if (longest) closeSync(longest.fd);
      longest = copy;
    }
  }
  return longest;
}

/**
 * Files that were at the path after `last`, a file that was found again, and before the present one, oldest first: those with
 * names of its family that were written later. A copy of another one is left out.
 */
export function between(
  path: string,
  last: Generation,
  onUnreadable: (name: string, why: string) => void = () => {},
): Generation[] {
  const own = basename(path);
  const present = tryOpen(path);
  const found: { name: string; file: Generation }[] = [];
  for (const name of namesIn(dirname(path))) {
    if (name === own || !isOfFamily(own, name)) continue;
    const file = openLater(join(dirname(path), name), last, (why) => onUnreadable(name, why));
    if (!file) continue;
    const isLater = file.writtenAt >= last.writtenAt && file.inode !== last.inode && file.size > 0;
    if (isLater && file.inode !== present?.inode) found.push({ name, file });
    else closeSync(file.fd);
  }
  found.sort((a, b) => Number(a.file.writtenAt - b.file.writtenAt) || (isOlder(a.name, b.name) ? -1 : 1));
  const kept: Generation[] = [];
  for (const { name, file } of found) {
    const others = [last, ...kept, ...(present ? [present] : [])];
    const isCopy = others.some((one) => isSame(one, file, isMoved(name)));
    if (isCopy || kept.length >= SUCCESSORS) closeSync(file.fd);
    else kept.push(file);
  }
  if (present) closeSync(present.fd);
  return kept;
}

/**
 * Whether two files hold the same lines, one maybe more of them. What was renamed in turn is a file of its own, unless both
 * are equal to the last byte.
 */
function isSame(a: Generation, b: Generation, isMoved: boolean): boolean {
  const size = Math.min(a.size, b.size);
  if (isMoved && a.size !== b.size) return false;
  const first = bytesAt(a.fd, 0, Math.min(size, HEAD));
  // A header alone says nothing.
  const body = first.subarray(0, 1).toString() === '#' ? first.indexOf(10) + 1 : 0;
  if (size - body < TAIL) return false;
  const from = Math.max(0, size - HEAD);
  return (
    first.equals(bytesAt(b.fd, 0, first.length)) &&
    bytesAt(a.fd, from, size - from).equals(bytesAt(b.fd, from, size - from))
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The folder is gone, and the files with it.
    return [];
  }
}

/** A file that may have come after `last`; a packed one that came before it is not even unpacked. */
function openLater(path: string, last: Generation, onUnreadable: (why: string) => void): Generation | null {
  if (!PACKED.test(path)) return tryOpen(path);
  try {
    if (statSync(path, { bigint: true }).mtimeNs < last.writtenAt) return null;
    return openFile(path, 'unpacked');
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || messageOf(error).includes('spawn')) onUnreadable(messageOf(error));
    return null;
  }
}

/** Whether a packed file can be the one with these first bytes; where that is dear to know, it can. */
function beginsLike(path: string, head: string, headSize: number): boolean {
  const first = headSize > 0 ? firstOfPacked(path) : null;
  if (!first || first.length < headSize) return headSize > 0;
  return createHash('sha256').update(first.subarray(0, headSize)).digest('hex') === head;
}

function tryOpen(path: string, as: 'plain' | 'unpacked' = 'plain'): Generation | null {
  try {
    return openFile(path, as);
  } catch {
    // Not readable is not the file that is looked for.
    return null;
  }
}

function bytesAt(fd: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, from));
}

const hashOf = (fd: number, size: number): string =>
  createHash('sha256')
    .update(bytesAt(fd, 0, size))
    .digest('hex');
