import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readlinkSync, readSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Position } from '../outbox/outbox.events.ts';
import { firstOfPacked, openUnpacked, PACKED } from './packed.ts';

/** How many bytes before a position identify a file. */
export const TAIL = 64;
/** How many bytes at the start of a file identify it, as far as they were read. */
export const HEAD = 4096;

/** What Linux adds to the name of an open file that has lost it. */
const DELETED = / \(deleted\)$/;

/** One file that was, or is, at the followed path. */
export interface Generation {
  fd: number;
  /** The name it was opened by, and where that was. */
  name: string;
  folder: string;
  inode: number;
  offset: number;
  tail: Buffer;
  header: string | null;
  skipping: boolean;
  size: number;
  /** Size at which the reader refused its first line; it is read again when the file has another size. */
  refusedAt: number | null;
  /** Its first bytes when it was opened or began anew: other ones at its first read show that it was cut before that. */
  seen: Buffer;
  /** Bytes that had not been read when it was last seen to shrink. */
  cut: number;
  /** When its end was first seen after another file had taken its place. */
  endedAt: number | null;
  /** Last write, ns since 1970. */
  writtenAt: bigint;
  /** Last change of the file or of its name, ms since 1970; nobody can set it. */
  changedAt: number;
  /** When it was opened, or last seen at the path, ms since 1970. */
  seenAt: number;
  /** When it was made, ms since 1970; 0 where the file system does not say. */
  bornAt: number;
  /** SHA-256 of its first bytes up to `headSize`. */
  head: string;
  headSize: number;
}

/** Where the path was left by its file, and the next one has not come: that one is read from its start. */
export const NOTHING: Position = {
  inode: 0,
  offset: 0,
  tail: '',
  header: null,
  skipping: false,
  head: '',
  headSize: 0,
};

const START = { offset: 0, tail: Buffer.alloc(0), header: null, skipping: false, head: '', headSize: 0 };

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
  const { ino, size } = stats;
  const { mtimeNs: writtenAt, ctimeMs, birthtimeMs } = packed ?? stats;
  return {
    ...START,
    fd,
    name: basename(path),
    folder: dirname(path),
    inode: Number(ino),
    size: Number(size),
    refusedAt: null,
    seen: bytesAt(fd, 0, Math.min(Number(size), TAIL)),
    cut: 0,
    endedAt: null,
    writtenAt,
    changedAt: Number(ctimeMs),
    seenAt: Date.now(),
    bornAt: Number(birthtimeMs),
  };
}

/** The file with its size and the time of its last write as they are now; what is packed keeps those it came with. */
export function asWritten(file: Generation): Generation {
  if (PACKED.test(file.name)) return file;
  const { size, mtimeNs } = fstatSync(file.fd, { bigint: true });
  return { ...file, size: Number(size), writtenAt: mtimeNs };
}

/** Whether an empty file was written since it was opened, or last seen so. */
export const isWrittenSince = ({ fd, writtenAt }: Generation): boolean =>
  fstatSync(fd, { bigint: true }).mtimeNs !== writtenAt;

export function sawEmpty(file: Generation): void {
  file.writtenAt = fstatSync(file.fd, { bigint: true }).mtimeNs;
}

/** Notes how much was not read of a file that shrinks. */
export function resize(file: Generation, size: number): void {
  if (size < file.size) file.cut = Math.max(file.cut, file.size - file.offset);
  file.size = size;
}

export function positionOf({ tail, ...file }: Generation): Position {
  const { inode, offset, header, skipping, head, headSize } = file;
  return { inode, offset, tail: tail.toString('base64'), header, skipping, head, headSize };
}

export const isRefused = ({ refusedAt, size }: Generation): boolean => refusedAt === size;

/** The bytes before the position and what follows; null when those before are not what they were. */
export function readFrom(file: Generation, into: Buffer): Buffer | null {
  const length = readSync(file.fd, into, 0, into.length, file.offset - file.tail.length);
  // A read that came to the end shows the size; asking for it every time would cost as much as the read. One that found
  // nothing may have begun behind the end.
  if (length > 0 && length < into.length) resize(file, file.offset - file.tail.length + length);
  else resize(file, fstatSync(file.fd).size);
  const bytes = into.subarray(0, length);
  const before = bytes.subarray(0, file.tail.length);
  return before.equals(file.tail) ? bytes : null;
}

/** Moves the position to `to` in `bytes`, which begin `tail.length` before the old one. */
export function advance(file: Generation, bytes: Buffer, to: number): void {
  // As it was read: by the time that it is noted, the file may have been cut.
  if (file.offset === 0) putHead(file, bytes.subarray(0, Math.min(to, HEAD)));
  file.cut = 0;
  file.offset += to - file.tail.length;
  file.tail = Buffer.from(bytes.subarray(Math.max(0, to - TAIL), to));
}

/** Puts the position to the start. */
export function rewind(file: Generation): void {
  const { offset, tail, header, skipping, headSize } = START;
  const seen = bytesAt(file.fd, 0, Math.min(file.size, TAIL));
  Object.assign(file, { offset, tail, header, skipping, headSize, seen, cut: 0, refusedAt: null });
}

/** Puts the position behind the last line; `within` is how far back to look for its end. */
export function skipToEnd(file: Generation, within: number): void {
  const bytes = Buffer.alloc(Math.min(file.size, within));
  readSync(file.fd, bytes, 0, bytes.length, file.size - bytes.length);
  const end = bytes.lastIndexOf(10) + 1;
  if (end === 0 && file.size > 0) file.skipping = true;
  const upTo = file.skipping ? bytes.length : end;
  file.offset = file.size - bytes.length + upTo;
  file.tail = Buffer.from(bytes.subarray(Math.max(0, upTo - TAIL), upTo));
}

/** Notes what the file begins with, as far as that was read; by this it is known again under any name. */
export function noteHead(file: Generation): void {
  const size = Math.min(file.offset, HEAD);
  if (size === file.headSize) return;
  const bytes = bytesAt(file.fd, 0, size);
  // What was cut meanwhile begins with other bytes than those that were read.
  const isIt = file.headSize === 0 || hashOf(bytes.subarray(0, file.headSize)) === file.head;
  if (isIt && bytes.length === size) putHead(file, bytes);
}

function putHead(file: Generation, bytes: Buffer): void {
  file.head = hashOf(bytes);
  file.headSize = bytes.length;
}

/**
 * The file at `path`, at the position, when it is the one that the position was noted for; else null. Numbers of files are
 * given again: by its number it cannot be one that was made after the position was noted.
 */
export function resume(
  path: string,
  position: Position,
  by: 'inode' | 'content' = 'inode',
): Generation | null {
  const { offset, header, skipping, headSize = 0, head = '', notedAt = Number.POSITIVE_INFINITY } = position;
  const isPacked = by === 'content' && PACKED.test(path);
  if (isPacked && !beginsLike(path, head, headSize)) return null;
  const file = tryOpen(path, isPacked ? 'unpacked' : 'plain');
  if (!file) return null;
  const isNamed = by === 'content' ? headSize > 0 : file.inode === position.inode && file.bornAt <= notedAt;
  if (isNamed && holds(file, position)) {
    const tail = Buffer.from(position.tail, 'base64');
    return { ...file, offset, header, skipping, tail, head, headSize };
  }
  closeSync(file.fd);
  return null;
}

/** Whether a file holds what was read up to the position. */
function holds({ fd, size }: Generation, position: Position): boolean {
  const { offset, head = '', headSize = 0 } = position;
  const tail = Buffer.from(position.tail, 'base64');
  if (size < offset || !bytesAt(fd, offset - tail.length, tail.length).equals(tail)) return false;
  return headSize === 0 || hashOf(bytesAt(fd, 0, headSize)) === head;
}

/** Puts the position of a file to where reading ended in it, where it is one of those that were `read`. */
export function goOnFrom(file: Generation, read: readonly Position[]): void {
  const isIt = (one: Position) => (PACKED.test(file.name) ? Boolean(one.headSize) : one.inode === file.inode);
  const known = read.find((one) => isIt(one) && holds(file, one));
  if (!known) return;
  const { offset, header, skipping, head = '', headSize = 0 } = known;
  Object.assign(file, { offset, header, skipping, head, headSize, tail: Buffer.from(known.tail, 'base64') });
}

/** Puts the position of a file behind what is known from the one whose place it took. */
export function continueAt(file: Generation, offset: number, before: Generation): void {
  const { tail, header } = before;
  Object.assign(file, { offset, tail, header });
}

/** Whether a packed file can be the one with these first bytes; where that is dear to know, it can. */
function beginsLike(path: string, head: string, headSize: number): boolean {
  const first = headSize > 0 ? firstOfPacked(path) : null;
  if (!first || first.length < headSize) return headSize > 0;
  return hashOf(first.subarray(0, headSize)) === head;
}

/** Where an open file is by now, also where it has lost its name; null where the system does not say. */
export function pathOf(fd: number): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`).replace(DELETED, '');
  } catch {
    return null;
  }
}

export function tryOpen(path: string, as: 'plain' | 'unpacked' = 'plain'): Generation | null {
  try {
    return openFile(path, as);
  } catch {
    // Not readable is not the file that is looked for.
    return null;
  }
}

export function bytesAt(fd: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, from));
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
