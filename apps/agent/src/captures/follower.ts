import { closeSync, fstatSync, readSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { LINK_LIMITS } from '@albedo/contract/link/link.messages';
import { codeOf, messageOf } from '../log.ts';
import type { Capture } from '../outbox/outbox.events.ts';
import type { Sink } from '../outbox/sink.ts';
import { CutFile } from './cut-file.ts';
import {
  advance,
  asWritten,
  continueAt,
  type Generation,
  isRefused,
  NOTHING,
  noteHead,
  openFile,
  positionOf,
  readFrom,
  resize,
  rewind,
  skipToEnd,
  TAIL,
} from './generation.ts';
import { endOfHole, isInHole } from './hole.ts';
import { LateFile } from './late-file.ts';
import { type LineReader, rubbish, withoutColours } from './lines.ts';
import { between, isSame, leftover, SUCCESSORS } from './rotated.ts';
import { findAgain, readBefore } from './written-anew.ts';

export interface FollowerOptions {
  /** Names the position in the outbox. */
  key: string;
  path: string;
  reader: LineReader;
  sink: Sink;
  /** Where to begin in a file that was never read before. */
  firstSight: 'start' | 'end';
  /** So many files that came and went are held open at most; 400 by default. */
  successors?: number;
}

const SLICE = 256 * 1024;
const MAX_LINE = LINK_LIMITS.messageBytes;
const GRACE_MS = 500;
const MAX_GENERATIONS = 500;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
/** Events older than this are back-fill. */
export const LIVE_MS = 600_000;

const slice = Buffer.allocUnsafe(SLICE + TAIL);

/** What came of reading on in a followed file. */
type ReadResult =
  /** There is more to read now. */
  | 'more'
  /** Everything complete was read. */
  | 'idle'
  /** The outbox has no room. */
  | 'blocked'
  /** An old file has ended; look again shortly whether its writer adds to it. */
  | 'waiting';

/**
 * Follows one path: reads complete lines, and hands events and position to the outbox as one unit.
 *
 * A file that is renamed, deleted or replaced is read to its end before the next one begins, for it stays open. A
 * file is recognised by its inode and the bytes before the position, so one that was cut or rewritten begins at
 * its start. The position never stands inside a line, except in one that is too long and thrown away.
 */
export class Follower {
  readonly path: string;
  readonly reader: LineReader;
  readonly #options: FollowerOptions;
  #generations: Generation[] = [];
  readonly #late: LateFile;
  readonly #cut: CutFile;
  #missingSince: number | null = null;
  /** When the folder was last changed, as of the last look for files that came and went in it, ns since 1970. */
  #folderAt = 0n;
  /** Where reading ended in a file that was gone when the agent started. */
  #vanishedAt: number | null = null;
  #lastEventAt = Number.POSITIVE_INFINITY;
  /** More files came and went than are held open: the next ones are looked for after the last of these. */
  #areMore = false;
  /** Why the path cannot be read; null when it can, or does not exist. */
  trouble: string | null = null;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.path = options.path;
    this.reader = options.reader;
    this.#late = new LateFile(options);
    this.#cut = new CutFile({
      path: options.path,
      after: (file) => this.#after(asWritten(file)),
      lost: (message) => this.#lost(message),
    });
  }

  /** Finds the place where reading ended before the agent stopped. */
  start(): void {
    const position = this.#options.sink.position(this.#options.key);
    if (position) {
      const isUnread = position.offset === 0;
      // A file of which nothing was read is known by its number alone, and that may be another one's by now.
      const [last] = isUnread ? this.#late.read : [];
      const read = last ? leftover(this.path, last) : null;
      const found = read ? null : findAgain(this.path, position);
      if (found) this.#generations.push(found);
      this.#late.resume(found);
      const isThere = found?.inode === this.#stat()?.ino;
      // None, or none that was read of: what came and went since lies after the last one that was.
      const before = isUnread && (!found || isThere) ? (read ?? this.#late.file) : null;
      if (before) this.#generations.unshift(...this.#after(before, position.notedAt));
      else if (found && !isThere) this.#generations.push(...this.#after(found, position.notedAt));
      if (read) closeSync(read.fd);
      if (!found && !isUnread) this.#vanishedAt = position.offset;
    }
    this.check(position ? 'start' : this.#options.firstSight);
    const [first] = this.#generations;
    if (first) this.reader.begin(first.header);
  }

  /** Files that were at the path after one, and before the present one. */
  #after(file: Generation, notedAt?: number): Generation[] {
    const most = this.#options.successors ?? SUCCESSORS;
    const found = between(
      this.path,
      file,
      (other) => [this.#late.file, ...this.#generations].some((one) => one && isSame(other, asWritten(one))),
      (name, why) => this.#lost(`${name} came between, and cannot be unpacked: ${why}`),
      { ...(notedAt === undefined ? {} : { notedAt }), most, read: this.#late.read },
    );
    this.#areMore = found.length === most;
    return found;
  }

  stop(): void {
    for (const { fd } of this.#generations) closeSync(fd);
    this.#generations = [];
    this.#late.close();
    this.#cut.close();
  }

  /** Bytes not read yet, as of the last look. */
  get unread(): number {
    const late = this.#late.file;
    const files = late ? [late, ...this.#generations] : this.#generations;
    return files.reduce((sum, one) => sum + Math.max(0, one.size - one.offset), 0);
  }

  /** Whether what is read here is older than ten minutes. */
  get isBackfill(): boolean {
    return this.#lastEventAt < Date.now() - LIVE_MS;
  }

  /** Whether the path is gone and everything that was there is read. */
  get isGone(): boolean {
    return this.#generations.length === 0 && this.#missingSince !== null;
  }

  /** Looks which file is at the path now; true when there may be something to read. */
  check(firstSight: 'start' | 'end' | null = null): boolean {
    const isMore = this.#checkPath(firstSight);
    return this.#late.check() || isMore;
  }

  #checkPath(firstSight: 'start' | 'end' | null): boolean {
    const stats = this.#stat();
    const newest = this.#generations.at(-1);
    if (!stats) {
      this.#missingSince ??= performance.now();
      this.#checkMissing();
      return this.#generations.length > 0;
    }
    this.#missingSince = null;
    if (newest && newest.inode === stats.ino) {
      newest.seenAt = Date.now();
      resize(newest, stats.size);
      return stats.size !== newest.offset && !isRefused(newest);
    }
    if (this.#generations.length >= MAX_GENERATIONS) return true;
    const opened = this.#open();
    if (opened) {
      if (this.#vanishedAt !== null) {
        const what = `what was added after its byte ${this.#vanishedAt} is not there any more`;
        this.#vanishedAt = null;
        this.#lost(`${this.path} was replaced while the agent did not run; ${what}`);
      }
      if (firstSight === 'end') {
        skipToEnd(opened, SLICE);
        this.#save(opened, []);
      }
      // Several may have had their turn since the last look: the agent, or its machine, may have stood still.
      const last = firstSight === null ? (newest ?? this.#late.file) : null;
      this.#generations.push(opened);
      if (this.#generations.length === 1) this.reader.begin(null);
      // Known by now, since it may be renamed and packed while others are looked for.
      if (last) this.#generations.splice(-1, 0, ...this.#after(asWritten(last)));
    }
    return opened !== null;
  }

  /** Nothing is at the path, and all that was there is read: what comes and goes now is found by its new name alone. */
  #checkMissing(): void {
    const last = this.#late.file;
    if (!last || this.#generations.length > 0) return;
    const folder = statSync(dirname(this.path), { bigint: true, throwIfNoEntry: false })?.mtimeNs ?? 0n;
    if (folder === this.#folderAt) return;
    this.#folderAt = folder;
    this.#generations.push(...this.#after(asWritten(last)));
    if (this.#generations.length > 0) this.reader.begin(null);
  }

  read(): ReadResult {
    const [current] = this.#generations;
    if (!current && !this.#late.file) return 'idle';
    if (!this.#options.sink.hasRoom(this.isBackfill ? 'backfill' : 'live')) return 'blocked';
    try {
      if (this.#readLate() || (current && this.#readSlice(current))) return 'more';
    } catch (error) {
      this.trouble = `${this.path} cannot be read: ${messageOf(error)}`;
      this.reader.fault(this.trouble, '');
      return 'idle';
    }
    return current && this.#isSuperseded() ? this.#finish(current) : 'idle';
  }

  /** Lines are gone that nobody has read: a fault, and a gap in the ledger. */
  #lost(message: string): void {
    this.reader.fault(message, '');
    const { table, source } = this.reader.stream;
    this.#options.sink.append({ captures: [], lost: { table, source } });
  }

  #isSuperseded(): boolean {
    return this.#generations.length > 1 || this.#missingSince !== null;
  }

  /** Leaves a file whose place was taken, once its writer had time to end its last line. */
  #finish(current: Generation): ReadResult {
    const now = performance.now();
    current.endedAt ??= now;
    if (now - current.endedAt < GRACE_MS) return 'waiting';
    if (this.#areMore && this.#generations.length <= 2)
      this.#generations.splice(1, 0, ...this.#after(asWritten(current)));
    const rest = current.size - current.offset;
    const [, next] = this.#generations;
    const known = next && next.offset === 0 ? readBefore(this.path, current, next) : 0;
    if (known > 0 && next) continueAt(next, known, current);
    else if (rest > 0 && !isRefused(current)) this.#keepRest(current, rest);
    // What its writer adds later has a place of its own, which is there before the next file takes this one's.
    this.#late.take(current);
    this.#save(current, []);
    this.#late.noteRead();
    this.#generations.shift();
    // The next one is known from now on: without it, a stop between the two would forget what is in it.
    if (next) this.#save(next, []);
    else this.#options.sink.append({ captures: [], position: { key: this.#options.key, value: NOTHING } });
    if (!next) return 'idle';
    this.reader.begin(next.header);
    return 'more';
  }

  #keepRest(file: Generation, rest: number): void {
    const bytes = Buffer.alloc(Math.min(rest, 1000));
    readSync(file.fd, bytes, 0, bytes.length, file.offset);
    const reason = `${this.path} was replaced; its last ${rest} bytes are no complete line`;
    this.reader.fault(reason, bytes.toString());
    const captures: Capture[] = [];
    this.reader.unread(reason, bytes, Date.now(), captures);
    this.#options.sink.append({ captures });
  }

  #readLate(): boolean {
    const late = this.#late.file;
    if (!late || late.size <= late.offset) return false;
    const offset = late.offset;
    this.reader.begin(late.header);
    const isMore = this.#readSlice(late);
    if (late.offset > offset) this.#late.noteRead();
    this.reader.begin(this.#generations[0]?.header ?? null);
    return isMore && late.offset > offset;
  }

  /** Reads up to one slice; true when there is more. */
  #readSlice(file: Generation): boolean {
    if (file.refusedAt !== null) resize(file, fstatSync(file.fd).size);
    if (isRefused(file)) return false;
    let bytes = readFrom(file, slice);
    if (!bytes) {
      const position = file === this.#late.file ? null : positionOf(file);
      const copies = this.#cut.copies(file, position);
      rewind(file);
      const [first] = copies;
      this.reader.begin(first?.header ?? null);
      this.#generations.unshift(...copies);
      if (first) return true;
      bytes = readFrom(file, slice);
    } else if (file.offset === 0 && file !== this.#late.file) {
      const missed = this.#cut.missed(file, bytes, this.#late.file);
      this.#generations.unshift(...missed);
      if (missed.length > 0) return true;
    }
    if (!bytes || bytes.length === file.tail.length) return false;
    let end = bytes.lastIndexOf(10);
    if (end < file.tail.length && bytes.length === slice.length) {
      bytes = readFrom(file, Buffer.allocUnsafe(MAX_LINE + TAIL)) ?? bytes;
      end = bytes.lastIndexOf(10);
    }
    if (end < file.tail.length) return this.#withoutNewline(file, bytes);
    file.endedAt = null;
    this.#readLines(file, bytes, end);
    return !isRefused(file) && file.offset < file.size;
  }

  /** No end of a line within reach: wait for it, or throw a line away that is longer than any line may be. */
  #withoutNewline(file: Generation, bytes: Buffer): boolean {
    const length = bytes.length - file.tail.length;
    if (!file.skipping && length < MAX_LINE) return false;
    if (isInHole(file) && endOfHole(bytes, file.tail.length) > file.tail.length) {
      advance(file, bytes, endOfHole(bytes, file.tail.length));
      this.#save(file, []);
      return true;
    }
    const captures: Capture[] = [];
    if (!file.skipping) {
      const line = bytes.subarray(file.tail.length);
      const sample = line.subarray(0, 200).toString('utf8');
      const needed = this.reader.needsHeader && this.reader.header === null;
      const fate = needed ? 'so the file cannot be read' : 'and is left out';
      this.reader.fault(`a line of ${this.path} is longer than ${MAX_LINE} bytes ${fate}`, sample);
      if (needed) {
        file.refusedAt = file.size;
        return false;
      }
      this.reader.unread(`the line is longer than ${MAX_LINE} bytes`, line, Date.now(), captures);
    }
    file.skipping = true;
    advance(file, bytes, bytes.length);
    this.#save(file, captures);
    return file.offset < file.size;
  }

  #readLines(file: Generation, bytes: Buffer, end: number): void {
    const captures: Capture[] = [];
    const arrivedAt = Date.now();
    let at = file.tail.length;
    if (isInHole(file)) at = endOfHole(bytes, at);
    if (file.skipping) {
      at = bytes.indexOf(10, at) + 1;
      file.skipping = false;
    }
    while (at <= end) {
      const newline = bytes.indexOf(10, at);
      const stop = bytes[newline - 1] === 13 && newline > at ? newline - 1 : newline;
      if (!this.#line(bytes.subarray(at, stop), arrivedAt, captures)) {
        file.refusedAt = file.size;
        break;
      }
      at = newline + 1;
    }
    advance(file, bytes, at);
    file.header = this.reader.header;
    const last = captures.at(-1)?.rows.at(-1);
    if (last) this.#lastEventAt = last.eventAt;
    this.#save(file, captures);
  }

  #line(line: Buffer, arrivedAt: number, captures: Capture[]): boolean {
    // In the middle of a file too, where several were put together.
    const bytes = line.subarray(0, BOM.length).equals(BOM) ? line.subarray(BOM.length) : line;
    if (bytes.length === 0) return true;
    const text = withoutColours(bytes.toString('utf8'));
    const reason = rubbish(text);
    if (!reason) return this.reader.line(text, arrivedAt, captures);
    this.reader.fault(reason, bytes.subarray(0, 100).toString('hex'));
    this.reader.unread(reason, bytes, arrivedAt, captures);
    return !(this.reader.needsHeader && this.reader.header === null);
  }

  #save(file: Generation, captures: Capture[]): void {
    noteHead(file);
    const value = positionOf(file);
    const key = file === this.#late.file ? this.#late.key : this.#options.key;
    this.#options.sink.append({ captures, position: { key, value } });
  }

  #stat(): Stats | null {
    try {
      const stats = statSync(this.path);
      if (stats.isFile()) return stats;
      this.trouble = `${this.path} is no file`;
    } catch (error) {
      this.trouble = codeOf(error) === 'ENOENT' ? null : `${this.path} cannot be read: ${messageOf(error)}`;
    }
    return null;
  }

  #open(): Generation | null {
    try {
      const file = openFile(this.path);
      this.trouble = null;
      return file;
    } catch (error) {
      // Gone between two looks is normal; anything else stays visible in `trouble`.
      if (codeOf(error) !== 'ENOENT') this.trouble = `${this.path} cannot be read: ${messageOf(error)}`;
      return null;
    }
  }
}
