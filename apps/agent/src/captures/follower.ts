import { closeSync, fstatSync, readSync, type Stats, statSync } from 'node:fs';
import { LINK_LIMITS } from '@albedo/contract/link/link.messages';
import { codeOf, messageOf } from '../log.ts';
import type { Capture, Position } from '../outbox/outbox.events.ts';
import { between, type Generation, leftover, noteHead, openFile, resume, TAIL } from './generation.ts';
import { type LineReader, rubbish, withoutColours } from './lines.ts';
import type { Sink } from './sink.ts';

export interface FollowerOptions {
  /** Names the position in the outbox. */
  key: string;
  path: string;
  reader: LineReader;
  sink: Sink;
  /** Where to begin in a file that was never read before. */
  firstSight: 'start' | 'end';
}

export type ReadResult =
  /** There is more to read now. */
  | 'more'
  /** Everything complete was read. */
  | 'idle'
  /** The outbox has no room. */
  | 'blocked'
  /** An old file has ended; look again shortly whether its writer adds to it. */
  | 'waiting';

const SLICE = 256 * 1024;
const MAX_LINE = LINK_LIMITS.messageBytes;
const GRACE_MS = 500;
const MAX_GENERATIONS = 500;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
/** Events older than this are back-fill. */
export const LIVE_MS = 600_000;

const slice = Buffer.allocUnsafe(SLICE + TAIL);

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
  #missingSince: number | null = null;
  /** Where reading ended in a file that was gone when the agent started. */
  #vanishedAt: number | null = null;
  #lastEventAt = Number.POSITIVE_INFINITY;
  /** Why the path cannot be read; null when it can, or does not exist. */
  trouble: string | null = null;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.path = options.path;
    this.reader = options.reader;
  }

  /** Finds the place where reading ended before the agent stopped. */
  start(): void {
    const position = this.#options.sink.position(this.#options.key);
    if (position) {
      const found = resume(this.path, position) ?? leftover(this.path, position);
      if (found) this.#generations.push(found);
      if (found && found.inode !== this.#stat()?.ino) {
        this.#generations.push(
          ...between(this.path, found, (name, why) =>
            this.#lost(`${name} came between, and cannot be unpacked: ${why}`),
          ),
        );
      }
      if (!found && position.offset > 0) this.#vanishedAt = position.offset;
    }
    this.check(position ? 'start' : this.#options.firstSight);
    const [first] = this.#generations;
    if (first) this.reader.begin(first.header);
  }

  stop(): void {
    for (const { fd } of this.#generations) closeSync(fd);
    this.#generations = [];
  }

  /** Bytes not read yet, as of the last look. */
  get unread(): number {
    return this.#generations.reduce((sum, one) => sum + Math.max(0, one.size - one.offset), 0);
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
  check(firstSight: 'start' | 'end' = 'start'): boolean {
    const stats = this.#stat();
    const newest = this.#generations.at(-1);
    if (!stats) {
      this.#missingSince ??= performance.now();
      return this.#generations.length > 0;
    }
    this.#missingSince = null;
    if (newest && newest.inode === stats.ino) {
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
      if (firstSight === 'end') this.#skipToEnd(opened);
      if (this.#generations.push(opened) === 1) this.reader.begin(null);
    }
    return opened !== null;
  }

  read(): ReadResult {
    const [current] = this.#generations;
    if (!current) return 'idle';
    if (!this.#options.sink.hasRoom(this.isBackfill ? 'backfill' : 'live')) return 'blocked';
    try {
      if (this.#readSlice(current)) return 'more';
    } catch (error) {
      this.trouble = `${this.path} cannot be read: ${messageOf(error)}`;
      this.reader.fault(this.trouble, '');
      return 'idle';
    }
    return this.#isSuperseded() ? this.#finish(current) : 'idle';
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
    const rest = current.size - current.offset;
    if (rest > 0 && !isRefused(current)) {
      const bytes = Buffer.alloc(Math.min(rest, 1000));
      readSync(current.fd, bytes, 0, bytes.length, current.offset);
      const reason = `${this.path} was replaced; its last ${rest} bytes are no complete line`;
      this.reader.fault(reason, bytes.toString());
      const captures: Capture[] = [];
      this.reader.unread(reason, bytes, Date.now(), captures);
      this.#options.sink.append({ captures });
    }
    closeSync(current.fd);
    this.#generations.shift();
    const [next] = this.#generations;
    // The next one is known from now on: without it, a stop between the two would forget what is in it.
    this.#save(next ?? null, []);
    if (!next) return 'idle';
    this.reader.begin(null);
    return 'more';
  }

  /** Reads up to one slice; true when there is more. */
  #readSlice(file: Generation): boolean {
    if (file.refusedAt !== null) resize(file, fstatSync(file.fd).size);
    if (isRefused(file)) return false;
    let bytes = this.#readFrom(file, slice);
    if (!bytes) {
      const rest = this.#copyOf(file);
      if (!rest && file.cut > 0 && file.refusedAt === null) {
        this.#lost(`${this.path} was cut; ${file.cut} bytes that had not been read are not there any more`);
      }
      this.#rewind(file);
      if (rest) {
        this.#generations.unshift(rest);
        this.reader.begin(rest.header);
        return true;
      }
      bytes = this.#readFrom(file, slice);
    }
    if (!bytes || bytes.length === file.tail.length) return false;
    let end = bytes.lastIndexOf(10);
    if (end < file.tail.length && bytes.length === slice.length) {
      bytes = this.#readFrom(file, Buffer.allocUnsafe(MAX_LINE + TAIL)) ?? bytes;
      end = bytes.lastIndexOf(10);
    }
    if (end < file.tail.length) return this.#withoutNewline(file, bytes);
    file.endedAt = null;
    this.#readLines(file, bytes, end);
    return !isRefused(file) && file.offset < file.size;
  }

  /** The bytes before the position and what follows; null when those before are not what they were. */
  #readFrom(file: Generation, into: Buffer): Buffer | null {
    const length = readSync(file.fd, into, 0, into.length, file.offset - file.tail.length);
    // A read that came to the end shows the size; asking for it every time would cost as much as the read.
    if (length < into.length) resize(file, file.offset - file.tail.length + length);
    else resize(file, fstatSync(file.fd).size);
    const bytes = into.subarray(0, length);
    const before = bytes.subarray(0, file.tail.length);
    return before.equals(file.tail) ? bytes : null;
  }

  /** A file that was cut may have been copied before, with lines that were not read yet. */
  #copyOf(file: Generation): Generation | null {
    if (file.offset === 0 || file.headSize === 0) return null;
    const copy = leftover(this.path, this.#positionOf(file));
    if (copy && (copy.inode === file.inode || copy.size === copy.offset)) {
      closeSync(copy.fd);
      return null;
    }
    return copy;
  }

  #rewind(file: Generation): void {
    file.offset = 0;
    file.cut = 0;
    file.tail = Buffer.alloc(0);
    file.header = null;
    file.skipping = false;
    file.refusedAt = null;
    file.headSize = 0;
    this.reader.begin(null);
  }

  /** No end of a line within reach: wait for it, or throw a line away that is longer than any line may be. */
  #withoutNewline(file: Generation, bytes: Buffer): boolean {
    const length = bytes.length - file.tail.length;
    if (!file.skipping && length < MAX_LINE) return false;
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
    this.#advance(file, bytes, bytes.length);
    this.#save(file, captures);
    return file.offset < file.size;
  }

  #readLines(file: Generation, bytes: Buffer, end: number): void {
    const captures: Capture[] = [];
    const arrivedAt = Date.now();
    let at = file.tail.length;
    if (file.offset === 0 && bytes.subarray(0, BOM.length).equals(BOM)) at = BOM.length;
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
    this.#advance(file, bytes, at);
    file.header = this.reader.header;
    const last = captures.at(-1)?.rows.at(-1);
    if (last) this.#lastEventAt = last.eventAt;
    this.#save(file, captures);
  }

  #line(bytes: Buffer, arrivedAt: number, captures: Capture[]): boolean {
    if (bytes.length === 0) return true;
    const text = withoutColours(bytes.toString('utf8'));
    const reason = rubbish(text);
    if (!reason) return this.reader.line(text, arrivedAt, captures);
    this.reader.fault(reason, bytes.subarray(0, 100).toString('hex'));
    this.reader.unread(reason, bytes, arrivedAt, captures);
    return !(this.reader.needsHeader && this.reader.header === null);
  }

  /** Moves the position to `to` in `bytes`, which begin `tail.length` before the old one. */
  #advance(file: Generation, bytes: Buffer, to: number): void {
    file.cut = 0;
    file.offset += to - file.tail.length;
    file.tail = Buffer.from(bytes.subarray(Math.max(0, to - TAIL), to));
  }

  #save(file: Generation | null, captures: Capture[]): void {
    if (file) noteHead(file);
    const value = file && this.#positionOf(file);
    this.#options.sink.append({ captures, position: { key: this.#options.key, value } });
  }

  #positionOf({ inode, offset, tail, header, skipping, head, headSize }: Generation): Position {
    return { inode, offset, tail: tail.toString('base64'), header, skipping, head, headSize };
  }

  #skipToEnd(file: Generation): void {
    const bytes = Buffer.alloc(Math.min(file.size, SLICE));
    readSync(file.fd, bytes, 0, bytes.length, file.size - bytes.length);
    const end = bytes.lastIndexOf(10) + 1;
    if (end === 0 && file.size > 0) file.skipping = true;
    const upTo = file.skipping ? bytes.length : end;
    file.offset = file.size - bytes.length + upTo;
    file.tail = Buffer.from(bytes.subarray(Math.max(0, upTo - TAIL), upTo));
    this.#save(file, []);
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

/** Notes how much was not read of a file that shrinks. */
function resize(file: Generation, size: number): void {
  if (size < file.size) file.cut = Math.max(file.cut, file.size - file.offset);
  file.size = size;
}

const isRefused = ({ refusedAt, size }: Generation): boolean => refusedAt === size;
