import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, fstatSync, lstatSync, openSync, readlinkSync, readSync } from 'node:fs';
import { PassThrough, Readable, Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished, pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { PRODUCT } from '@albedo/contract/product';
import { Decrypter } from 'age-encryption';
import { extract, pack } from 'tar-stream';
import { CommandError } from '../command-line/command.ts';
import { type BackupBase, factOf, isAsBefore } from './backup.base.ts';
import type { BackupPlace } from './backup.place.ts';
import { sealFor } from './backup.seal.ts';

/** A whole backup has format 1, one that holds what is new since a whole one has format 2. */
const FORMAT = { whole: 1, incremental: 2 } as const;
/** Most of it is compressed already: higher levels take three times as long for as much. */
const QUICK = { [constants.ZSTD_c_compressionLevel]: 1 };
/** What is read and compressed at once, bytes: thousands of small files would wait for each step of their own. */
const PIECE = 1024 * 1024;
/** Of each file in a tar, bytes. */
const HEADER = 512;
/** First and last entry: what the backup is, and the checksums of all that stands between. */
const HEAD = 'backup.json';
/** Of an incremental one: what of the base is still there, with its checksums. */
const KEPT = 'kept.json';
const FOOT = 'checksums.json';

/** A file, or a link, of the data folder. */
export interface Source {
  /** Its name in the backup, with `/`. */
  name: string;
  path: string;
}

/** What a backup says of itself. */
export interface BackupHead {
  product: string;
  format: number;
  /** ISO 8601. */
  at: string;
  /** Name of the whole backup beside it that it adds to. */
  base?: string;
}

/** Takes what stands in a backup, entry by entry, in its order. */
export interface Taker {
  file(name: string, content: Readable): Promise<void>;
  link(name: string, target: string): Promise<void>;
}

export interface Wanted {
  recipients: readonly string[];
  sources: Iterable<Source>;
  at: Date;
  /** What is in this one is left out. */
  base?: BackupBase | null;
  format?: number;
}

export interface Written {
  files: number;
  bytes: number;
  /** What the file system says of each file that was written. */
  facts: BackupBase['files'];
}

/**
 * Writes a backup: a tar, compressed with zstd, encrypted with age for the recipients. It is at its place whole, or not at
 * all. Reads without waiting, so it belongs in a thread of its own beside a server (`backup.thread.ts`).
 */
export async function writeBackup(place: BackupPlace, name: string, of: Wanted): Promise<Written> {
  const archive = pack();
  const filling = fill(archive, of).catch((error: Error) => {
    archive.destroy(error);
    throw error;
  });
  filling.catch(() => {});
  const sealed = await sealFor(of.recipients);
  const compress = createZstdCompress({ params: QUICK, chunkSize: PIECE });
  const written = pipeline(archive, inPieces(), compress, sealed);
  written.catch(() => {}); // The place hears of it from the stream.
  await place.write(name, sealed);
  return filling;
}

async function fill(archive: ReturnType<typeof pack>, wanted: Wanted): Promise<Written> {
  const { sources, at, base } = wanted;
  const format = wanted.format ?? (base ? FORMAT.incremental : FORMAT.whole);
  const head: BackupHead = {
    product: PRODUCT,
    format,
    at: at.toISOString(),
    ...(base ? { base: base.name } : {}),
  };
  archive.entry({ name: HEAD }, `${JSON.stringify(head)}\n`);
  const sums: Record<string, string> = {};
  const kept: Record<string, string> = {};
  const facts: Written['facts'] = {};
  let bytes = 0;
  let waiting = 0;
  for (const { name, path } of sources) {
    const found = lstatSync(path);
    if (found.isSymbolicLink()) {
      archive.entry({ name, type: 'symlink', linkname: readlinkSync(path) });
      continue;
    }
    const file = openSync(path, 'r');
    try {
      const now = fstatSync(file);
      const before = base?.files[name];
      if (before && isAsBefore(file, now, before)) {
        kept[name] = before.sha256;
        continue;
      }
      const sum = createHash('sha256');
      // A file that grows meanwhile is taken as long as it was.
      const entry = archive.entry({ name, size: now.size, mtime: now.mtime });
      // Its failure is that of the archive, which tells it.
      entry.on('error', () => {});
      for (const piece of piecesOf(file, now.size)) {
        sum.update(piece);
        const isTaken = entry.write(piece);
        if (!isTaken && piece.length === PIECE) await once(entry, 'drain');
      }
      const isWritten = finished(entry);
      entry.end(null);
      waiting += now.size + HEADER;
      if (waiting >= PIECE) {
        await isWritten;
        waiting = 0;
      } else isWritten.catch(() => {}); // The archive hears of it.
      const sha256 = sum.digest('hex');
      sums[name] = sha256;
      facts[name] = factOf(now, sha256);
      bytes += now.size;
    } finally {
      closeSync(file);
    }
  }
  if (base) archive.entry({ name: KEPT }, `${JSON.stringify(kept)}\n`);
  archive.entry({ name: FOOT }, `${JSON.stringify(sums)}\n`);
  archive.finalize();
  return { files: Object.keys(sums).length, bytes, facts };
}

function* piecesOf(file: number, size: number): Generator<Buffer> {
  for (let at = 0; at < size; ) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE, size - at));
    const read = readSync(file, piece, 0, piece.length, at);
    if (read === 0) throw new Error('A file became shorter while it was read.');
    at += read;
    yield piece.subarray(0, read);
  }
}

/** Puts together what comes in crumbs. */
function inPieces(): Transform {
  let crumbs: Buffer[] = [];
  let length = 0;
  const taken = () => {
    const piece = crumbs.length === 1 ? crumbs[0] : Buffer.concat(crumbs);
    crumbs = [];
    length = 0;
    return piece;
  };
  return new Transform({
    transform(crumb: Buffer, _encoding, done) {
      crumbs.push(crumb);
      length += crumb.length;
      if (length < PIECE) done();
      else done(null, taken());
    },
    flush(done) {
      done(null, length > 0 ? taken() : undefined);
    },
  });
}

/**
 * Reads a backup from its begin to its end. Throws a sentence for people for one that is of a newer version, made for
 * another key, damaged or cut short; `take` may have been given a part of it by then.
 */
export async function readBackup(
  place: BackupPlace,
  name: string,
  identity: string,
  take: Taker,
): Promise<BackupHead> {
  const { head, kept } = await readOne(place, name, identity, take);
  if (head.base === undefined) return head;
  const missing = new Map(Object.entries(kept));
  if (!/^[\w.-]+$/.test(head.base)) throw new CommandError(`${place.label(name)} is no backup.`);
  const base = await readOne(place, head.base, identity, {
    link: async () => {},
    file: async (file, content) => {
      if (missing.has(file)) return take.file(file, content);
      content.resume();
      await finished(content);
    },
  });
  for (const [file, sum] of Object.entries(base.sums)) if (missing.get(file) === sum) missing.delete(file);
  if (missing.size > 0 || base.head.base !== undefined)
    throw new CommandError(`${place.label(head.base)} is not what ${name} was made to add to.`);
  return head;
}

interface OneRead {
  head: BackupHead;
  sums: Record<string, string>;
  kept: Record<string, string>;
}

async function readOne(place: BackupPlace, name: string, identity: string, take: Taker): Promise<OneRead> {
  const path = place.label(name);
  const decrypter = new Decrypter();
  try {
    decrypter.addIdentity(identity);
  } catch {
    throw new CommandError('This is no key of age: it begins with AGE-SECRET-KEY-1.');
  }
  let sealed: ReadableStream<Uint8Array>;
  try {
    const file = Readable.toWeb(await place.read(name)) as ReadableStream<Uint8Array>;
    sealed = (await decrypter.decrypt(file as never)) as unknown as ReadableStream<Uint8Array>;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const isOther = /identit/i.test((error as Error).message);
    throw new CommandError(
      isOther ? `${path} was made for another key.` : `${path} is no backup, or is damaged or cut short.`,
    );
  }
  try {
    return await readEntries(Readable.fromWeb(sealed as never), take, path);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${path} is damaged or cut short.`, { cause: error });
  }
}

async function readEntries(plain: Readable, take: Taker, path: string): Promise<OneRead> {
  const tar = extract();
  const done = pipeline(plain, createZstdDecompress(), tar);
  done.catch((error: Error) => tar.destroy(error));
  const sums: Record<string, string> = {};
  let head: BackupHead | null = null;
  let foot: Record<string, string> | null = null;
  let kept: Record<string, string> = {};
  for await (const entry of tar) {
    const { name, type, linkname } = entry.header;
    if (!head) {
      head = headOf(name, (await buffer(entry)).toString(), path);
    } else if (name === KEPT) kept = JSON.parse((await buffer(entry)).toString()) as Record<string, string>;
    else if (name === FOOT) foot = JSON.parse((await buffer(entry)).toString()) as Record<string, string>;
    else if (name.startsWith('/') || name.split('/').includes('..'))
      throw new CommandError(`${path} leads out of its folder.`);
    else if (type === 'symlink') {
      await take.link(name, linkname ?? '');
      entry.resume();
    } else {
      const sum = createHash('sha256');
      const through = new PassThrough();
      const reading = pipeline(entry, counted(sum), through);
      await Promise.all([take.file(name, through), reading]);
      sums[name] = sum.digest('hex');
    }
  }
  await done;
  if (!head || !foot || JSON.stringify(foot) !== JSON.stringify(sums))
    throw new CommandError(`${path} is damaged or cut short.`);
  return { head, sums, kept };
}

function headOf(name: string, text: string, path: string): BackupHead {
  if (name !== HEAD) throw new CommandError(`${path} is no backup.`);
  const head = JSON.parse(text) as BackupHead;
  if (head.format > FORMAT.incremental)
    throw new CommandError(
      `${path} was made by a newer version (format ${head.format}); this one reads up to format ${FORMAT.incremental}.`,
    );
  return head;
}

const counted = (sum: ReturnType<typeof createHash>): Transform =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sum.update(chunk);
      done(null, chunk);
    },
  });
