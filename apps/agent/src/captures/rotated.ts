import { closeSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { codeOf, messageOf } from '../log.ts';
import type { Position } from '../outbox/outbox.events.ts';
import {
  bytesAt,
  type Generation,
  goOnFrom,
  HEAD,
  openFile,
  pathOf,
  resume,
  TAIL,
  tryOpen,
} from './generation.ts';
import { firstOfPacked, PACKED } from './packed.ts';
import {
  isOfFamily,
  isOlder,
  isOtherDay,
  isPackedBefore,
  isTurned,
  isTurnedAfter,
  unpackedName,
} from './rotation.ts';

/** Files that took their turns while nobody looked and are held open, at most; those after them are looked for when these are read. */
export const SUCCESSORS = 400;
/** So many folders below that of the followed file are looked through for it. */
const FOLDERS = 100;
/** How often files are looked through again while somebody renames them. */
const LOOKS = 3;
/** By so much the clock of a file system may be behind, ms. */
const CLOCK_STEP_MS = 100;
const CHUNK = 1024 * 1024;
/** Times that programs which pack set are no finer everywhere. */
const SAME_NS = 2_000_000n;

/** The name of a file in its folder, and that of the followed one there. */
interface Neighbour {
  path: string;
  name: string;
  own: string;
  /** Beside the file that a link leads to, whose name may hold the day. */
  isTarget: boolean;
}

/**
 * The rest of a file that was replaced while the agent did not run: the same file under another name, or a copy of it, such as
 * the one that plugins keep for the day, or one that was made before the file was cut.
 */
export function leftover(path: string, position: Position): Generation | null {
  return steadily(
    path,
    () => lookForLeftover(path, position),
    (file) => file && closeSync(file.fd),
  );
}

function lookForLeftover(path: string, position: Position): Generation | null {
  const present = resume(path, position, 'content');
  for (const files of placesOf(path, position)) {
    const found = lookAmong(files, position, present);
    if (!found) continue;
    if (present) closeSync(present.fd);
    return found;
  }
  return present;
}

/** One that is the file itself, or the copy of it that comes before the `present` one. */
function lookAmong(
  neighbours: readonly Neighbour[],
  position: Position,
  present: Generation | null,
): Generation | null {
  const { notedAt = Number.POSITIVE_INFINITY } = position;
  const moved = movedAmong(neighbours, position);
  if (moved) return moved;
  let best: Generation | null = null;
  for (const one of neighbours.filter(isRelative)) {
    const copy = resume(one.path, position, 'content');
    if (!copy) continue;
    const isBetter = present ? isOlderThan(copy, present, best, notedAt) : !best || copy.size > best.size;
    if (best && isBetter) closeSync(best.fd);
    if (isBetter) best = copy;
    else closeSync(copy.fd);
  }
  return best;
}

/** The file of a position by its number, under whatever name. */
export function movedAmong(neighbours: readonly Neighbour[], position: Position): Generation | null {
  // A packed one is another file, whose number may have been that of the one that was packed.
  for (const { path } of neighbours.filter(({ name }) => !PACKED.test(name))) {
    const moved = resume(path, position);
    if (moved) return moved;
  }
  return null;
}

/**
 * Whether what was read so far stands at the beginning of the present file only because all files of the family begin like
 * that, and `copy` is the one that it was read from: one that was still changed after the agent stopped, and goes on otherwise.
 */
function isOlderThan(
  copy: Generation,
  present: Generation,
  best: Generation | null,
  notedAt: number,
): boolean {
  if (copy.changedAt < notedAt - CLOCK_STEP_MS || copy.writtenAt >= present.writtenAt) return false;
  if (best && best.writtenAt <= copy.writtenAt) return false;
  return !beginsAlike(copy, present);
}

interface BetweenOptions {
  notedAt?: number;
  most?: number;
  /** Where reading ended in files that were read, the newest ones first. */
  read?: readonly Position[];
}

/**
 * Files that were at the path after `last`, a file that was found again, and before the present one, oldest first: those with
 * names of its family that were written later, at most `most`. A copy of another one is left out, and what `isKnown`.
 */
export function between(
  path: string,
  last: Generation,
  isKnown: (file: Generation) => boolean,
  onUnreadable: (name: string, why: string) => void,
  options: BetweenOptions = {},
): Generation[] {
  const { files, unreadable } = steadily(
    path,
    () => lookBetween(path, last, isKnown, options),
    ({ files: some }) => {
      for (const { fd } of some) closeSync(fd);
    },
  );
  for (const [name, why] of unreadable) onUnreadable(name, why);
  return files;
}

function lookBetween(
  path: string,
  found: Generation,
  isKnown: (file: Generation) => boolean,
  { notedAt = Number.POSITIVE_INFINITY, most = SUCCESSORS, read = [] }: BetweenOptions,
): { files: Generation[]; unreadable: [name: string, why: string][] } {
  const unreadable: [name: string, why: string][] = [];
  const present = tryOpen(path);
  const later: Generation[] = [];
  const relatives = [...neighboursOf(path), ...besideMoved(path, found)].filter(isRelative);
  // Both got their names, or were copied, since the agent stopped; while it runs, after the last one was seen at the path.
  const isRunning = notedAt === Number.POSITIVE_INFINITY;
  const last = isRunning ? { ...found, name: nameOf(found, relatives) } : found;
  const isNextByName = (name: string, changedAt: number) => {
    const isSince = isRunning
      ? changedAt >= last.seenAt - CLOCK_STEP_MS
      : Math.min(changedAt, last.changedAt) > notedAt;
    return isSince && isTurnedAfter(last.name, name);
  };
  const names = new Set(relatives.map(({ name }) => name));
  for (const one of relatives) {
    // Packed beside the file that it is made of, it may not be finished.
    if (PACKED.test(one.name) && names.has(unpackedName(one.name))) continue;
    const file = openLater(one.path, last, isNextByName, (why) => unreadable.push([one.name, why]));
    if (!file) continue;
    const isAfter =
      file.writtenAt >= last.writtenAt ||
      isPackedBefore(last.name, file.name) ||
      isNextByName(file.name, file.changedAt);
    // The writer of an empty one may have it open; one that is copied, or read while the agent runs, is of no interest.
    const isOfUse = file.size > 0 || (!isRunning && !PACKED.test(file.name) && isTurned(one.own, file.name));
    const isLater = isAfter && isOfUse && !isSame(file, last);
    // Its writer went on in it when another one had its place already: it may have been read, and only its time is later.
    if (isLater && isTurnedAfter(file.name, last.name)) goOnFrom(file, read);
    const isUnread = isLater && (file.size > file.offset || file.size === 0);
    if (isUnread && file.inode !== present?.inode && !isKnown(file)) later.push(file);
    else closeSync(file.fd);
  }
  const isByName = later.some(
    (one) => one.writtenAt < last.writtenAt && isNextByName(one.name, one.changedAt),
  );
  later.sort((a, b) => {
    const byTime =
      isByName && isNextByName(a.name, a.changedAt) && isNextByName(b.name, b.changedAt)
        ? 0
        : Number(a.writtenAt - b.writtenAt);
    return byTime || (isOlder(a.name, b.name) ? -1 : 1);
  });
  const own = basename(path);
  const kept: Generation[] = [];
  const newest = later.at(-1);
  for (const file of later) {
    const isCopy =
      (file.size === 0 && file !== newest) ||
      [last, ...kept].some((one) => isCopyOf(file, one, own)) ||
      (present !== null && isCopyOf(file, present, own, 'younger'));
    if (isCopy || kept.length >= most) closeSync(file.fd);
    else kept.push(file);
  }
  if (present) closeSync(present.fd);
  return { files: kept, unreadable };
}

/** Looks again where files got other names meanwhile: one of them may have been missed. */
function steadily<T>(path: string, look: () => T, drop: (found: T) => void): T {
  for (let looks = 1; ; looks++) {
    const before = namesAndNumbers(path);
    const found = look();
    if (looks === LOOKS || namesAndNumbers(path) === before) return found;
    drop(found);
  }
}

function namesAndNumbers(path: string): string {
  const paths = [path, ...neighboursOf(path).map((one) => one.path)];
  return JSON.stringify(paths.map((one) => [one, inodeOf(one)]));
}

/** The name that a file has by now, also where it was packed, unless it was empty then. */
function nameOf(file: Generation, relatives: readonly Neighbour[]): string {
  const plain = relatives.find(({ path }) => !PACKED.test(path) && inodeOf(path) === file.inode);
  if (plain || file.size === 0) return plain?.name ?? file.name;
  return relatives.find(({ path }) => PACKED.test(path) && isPackOf(path, file))?.name ?? file.name;
}

const inodeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino;

/** Whether a packed file holds what a file holds; it is unpacked only where its beginning, or its time, is the same. */
function isPackOf(path: string, file: Generation): boolean {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (!stats) return false;
  const head = bytesAt(file.fd, 0, Math.min(file.size, HEAD));
  const first = firstOfPacked(path);
  const isLikely = first
    ? first.subarray(0, head.length).equals(head)
    : isSameTime(stats.mtimeNs, file.writtenAt);
  const unpacked = isLikely ? tryOpen(path, 'unpacked') : null;
  if (!unpacked) return false;
  const isIt = unpacked.size === file.size && beginsAlike(unpacked, file);
  closeSync(unpacked.fd);
  return isIt;
}

const isSameTime = (a: bigint, b: bigint): boolean => a - b < SAME_NS && b - a < SAME_NS;

/** Whether a file is another one under whatever name, also packed, which leaves it the time of its last line. */
export function isSame(file: Generation, other: Generation): boolean {
  if (file.inode === other.inode) return true;
  const isOfTime = isSameTime(file.writtenAt, other.writtenAt);
  return PACKED.test(file.name) && isOfTime && file.size === other.size && beginsAlike(file, other);
}

/**
 * Whether a file holds the lines of another one, maybe more or fewer of them. What was renamed in turn is a file of its own,
 * though it may hold the same: only what is packed beside what it was packed from is not, nor a copy of the present file that
 * was made after its last line.
 */
function isCopyOf(
  file: Generation,
  other: Generation,
  own: string,
  only: 'any' | 'younger' = 'any',
): boolean {
  if (!isTurned(own, file.name)) return hasLines(file, other) && beginsAlike(file, other);
  const isPair = unpackedName(file.name) === unpackedName(other.name);
  const isYounger = only === 'younger' && file.writtenAt >= other.writtenAt;
  return (isPair || isYounger) && file.size === other.size && beginsAlike(file, other);
}

/** Whether what two files have in common is enough to tell: a header alone, or a few bytes without a time, say nothing. */
function hasLines(a: Generation, b: Generation): boolean {
  const size = Math.min(a.size, b.size);
  const first = bytesAt(a.fd, 0, Math.min(size, HEAD));
  const body = first.toString().startsWith('#') ? first.indexOf(10) + 1 : 0;
  if (size - body >= TAIL) return true;
  return /^\d{4}-\d\d-\d\d[T ]/.test(first.subarray(body).toString());
}

/** Whether two files are the same as far as the shorter one goes. */
function beginsAlike(a: Generation, b: Generation): boolean {
  const size = Math.min(a.size, b.size);
  const [one, other] = [Buffer.allocUnsafe(Math.min(size, CHUNK)), Buffer.allocUnsafe(Math.min(size, CHUNK))];
  for (let at = 0; at < size; at += CHUNK) {
    const length = Math.min(CHUNK, size - at);
    readSync(a.fd, one, 0, length, at);
    readSync(b.fd, other, 0, length, at);
    if (!one.subarray(0, length).equals(other.subarray(0, length))) return false;
  }
  return true;
}

/** The files beside one that was moved into a folder below that of the path. */
function besideMoved(path: string, file: Generation): Neighbour[] {
  const folder = PACKED.test(file.name)
    ? file.folder
    : dirname(pathOf(file.fd) ?? join(file.folder, file.name));
  return dirname(folder) === dirname(path) ? filesIn(folder, basename(path)) : [];
}

/** The files beside the followed one, and beside the one that it leads to where it is a link. */
export function neighboursOf(path: string): Neighbour[] {
  const own = basename(path);
  const here = filesIn(dirname(path), own);
  const target = targetOf(path);
  if (target === null) return here;
  const known = new Set(here.map(({ path: one }) => targetOf(one) ?? one));
  const there = namesIn(dirname(target))
    .map((name) => ({ path: join(dirname(target), name), name, own: basename(target), isTarget: true }))
    .filter((one) => one.name !== one.own && !known.has(one.path));
  return [...here, ...there];
}

const filesIn = (folder: string, own: string): Neighbour[] =>
  namesIn(folder)
    .filter((name) => name !== own)
    .map((name) => ({ path: join(folder, name), name, own, isTarget: false }));

export const isRelative = ({ own, name, isTarget }: Neighbour): boolean =>
  isOfFamily(own, name) || (isTarget && isOtherDay(own, name));

/**
 * The files beside the followed one, and those in each folder below that may have been moved there, as `olddir` of `logrotate` has
 * it. Where little was read, others may begin alike: those of a file of the same name that takes turns there, and days of any file.
 */
export function* placesOf(path: string, position: Position): Generator<Neighbour[]> {
  yield neighboursOf(path);
  const own = basename(path);
  const isLong = position.offset - Buffer.byteLength(position.header ?? '') >= TAIL;
  for (const folder of foldersIn(dirname(path)).slice(0, FOLDERS)) {
    const files = filesIn(folder, own).filter((one) => isRelative(one) && (isLong || isNamedAfter(own, one)));
    if (files.length > 0 && (isLong || !statSync(join(folder, own), { throwIfNoEntry: false }))) yield files;
  }
}

const isNamedAfter = (own: string, { name }: Neighbour): boolean =>
  name.startsWith(own.slice(0, own.length - extname(own).length));

/** Where a link leads; null for what is none. */
function targetOf(path: string): string | null {
  try {
    const target = realpathSync(path);
    return target === join(realpathSync(dirname(path)), basename(path)) ? null : target;
  } catch {
    // It leads nowhere, or is gone.
    return null;
  }
}

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((one) => one.isDirectory()).map(({ name }) => join(folder, name));
  } catch {
    // As below.
    return [];
  }
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
function openLater(
  path: string,
  last: Generation,
  isNextByName: (name: string, changedAt: number) => boolean,
  onUnreadable: (why: string) => void,
): Generation | null {
  if (!PACKED.test(path)) return tryOpen(path);
  try {
    const { mtimeNs, ctimeMs } = statSync(path, { bigint: true });
    if (mtimeNs < last.writtenAt && !isNextByName(basename(path), Number(ctimeMs))) return null;
    return openFile(path, 'unpacked');
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || messageOf(error).includes('spawn')) onUnreadable(messageOf(error));
    return null;
  }
}
