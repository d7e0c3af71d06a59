import { closeSync, fstatSync, readSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Position } from '../outbox/outbox.events.ts';
import { bytesAt, type Generation, HEAD, pathOf, resume, TAIL, tryOpen } from './generation.ts';
import { leftover, neighboursOf } from './rotated.ts';

/**
 * Files that programs write anew instead of adding to them: all lines again and some more, or the last ones of them alone
 * (`rsync`, `tail -n 1000 log > new; mv new log`, a table that is saved each minute). What was read stays read.
 */

/** So far is a file looked through for the place where reading ended in the one before it. */
const SEARCHED = 64 * 1024 * 1024;
const CHUNK = 1024 * 1024;
/** A mark of the byte order before a header and the end of its line, bytes. */
const AROUND_HEADER = 5;
/** The bytes before a position name it when they stand in so many bytes before it once alone. */
const NEAR = 64 * 1024;

/** Up to where a file holds what was read of the one whose place it took; 0 where that is nothing, or cannot be told. */
export function readBefore(path: string, before: Generation, now: Generation): number {
  const { tail, offset } = before;
  if (tail.length < TAIL || isElsewhere(path, before) || isRepeated(before.fd, offset, tail)) return 0;
  if (now.size >= offset && isSame(now.fd, 0, before.fd, 0, offset)) return offset;
  const head = headerSize(before, now);
  for (const end of placesOf(tail, now.fd, now.size)) {
    const length = end - head;
    if (length <= offset && length >= TAIL && isSame(now.fd, head, before.fd, offset - length, length))
      return end;
  }
  return 0;
}

/** The file of a position, at it, under whatever name and in whatever form. */
export function findAgain(path: string, position: Position): Generation | null {
  const copied = isHeaderAlone(position) ? leftover(path, position) : null;
  return copied ?? resume(path, position) ?? leftover(path, position) ?? continuedAt(path, position);
}

/** Where nothing but the header was read, what was written into the file after a cut begins alike. */
const isHeaderAlone = ({ header, offset }: Position): boolean =>
  header !== null && offset <= Buffer.byteLength(header) + AROUND_HEADER;

/** The file at `path`, behind what stood before the position in another one, where that stands in it once. */
function continuedAt(path: string, position: Position): Generation | null {
  const tail = Buffer.from(position.tail, 'base64');
  const file = tail.length === TAIL ? tryOpen(path) : null;
  if (!file) return null;
  const [end, second] = placesOf(tail, file.fd, file.size);
  if (end !== undefined && second === undefined)
    return { ...file, offset: end, tail, header: position.header };
  closeSync(file.fd);
  return null;
}

/**
 * Whether the file goes on under another name, and so what took its place is another one. One that lies in another folder by its
 * own name does not, nor one that was deleted.
 */
function isElsewhere(path: string, { fd }: Generation): boolean {
  const { nlink, ino } = fstatSync(fd);
  if (nlink === 0) return false;
  const now = pathOf(fd);
  if (now === null) return true;
  // `.nfs…` is what a network file system keeps of a deleted file.
  const name = basename(now);
  if (name !== basename(path) && !name.startsWith('.nfs')) return true;
  return neighboursOf(path).some((one) => statSync(one.path, { throwIfNoEntry: false })?.ino === ino);
}

function isRepeated(fd: number, offset: number, tail: Buffer): boolean {
  const from = Math.max(0, offset - NEAR);
  return bytesAt(fd, from, offset - from - 1).includes(tail);
}

/** Size of a header that both files begin with. */
function headerSize(a: Generation, b: Generation): number {
  const [one, other] = [a, b].map(({ fd, size }) => bytesAt(fd, 0, Math.min(size, HEAD)));
  const end = (one?.indexOf(10) ?? -1) + 1;
  return one?.[0] === 35 && end > 0 && other?.subarray(0, end).equals(one.subarray(0, end)) ? end : 0;
}

/** Where these bytes end in a file, each time they stand in it. */
function* placesOf(bytes: Buffer, fd: number, size: number): Generator<number> {
  const chunk = Buffer.allocUnsafe(Math.min(size, CHUNK) + bytes.length);
  for (let from = 0; from < Math.min(size, SEARCHED); from += CHUNK) {
    const read = chunk.subarray(0, readSync(fd, chunk, 0, chunk.length, from));
    for (let at = read.indexOf(bytes); at >= 0 && at < CHUNK; at = read.indexOf(bytes, at + 1))
      yield from + at + bytes.length;
  }
}

function isSame(a: number, atA: number, b: number, atB: number, length: number): boolean {
  for (let done = 0; done < length; done += CHUNK) {
    const size = Math.min(CHUNK, length - done);
    if (!bytesAt(a, atA + done, size).equals(bytesAt(b, atB + done, size))) return false;
  }
  return true;
}
