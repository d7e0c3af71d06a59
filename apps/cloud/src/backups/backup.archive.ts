import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { lstat, open, readlink, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PassThrough, Readable, Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { PRODUCT } from '@albedo/contract/product';
import { Decrypter, Encrypter } from 'age-encryption';
import { extract, pack } from 'tar-stream';
import { CommandError } from '../command-line/command.ts';

/** What this version writes and reads. */
export const FORMAT = 1;
/** First and last entry: what the backup is, and the checksums of all that stands between. */
const HEAD = 'backup.json';
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
}

/** Takes what stands in a backup, entry by entry, in its order. */
export interface Taker {
  file(name: string, content: Readable): Promise<void>;
  link(name: string, target: string): Promise<void>;
}

/**
 * Writes a backup: a tar, compressed with zstd, encrypted with age for the recipients. It is at `path` whole and on the
 * disk, or not at all.
 */
export async function writeBackup(
  path: string,
  of: { recipients: readonly string[]; sources: Iterable<Source>; at: Date; format?: number },
): Promise<{ files: number; bytes: number }> {
  const unfinished = `${path}.part`;
  const archive = pack();
  const filling = fill(archive, of).catch((error: Error) => {
    archive.destroy(error);
    throw error;
  });
  filling.catch(() => {});
  try {
    const encrypter = new Encrypter();
    for (const recipient of of.recipients) encrypter.addRecipient(recipient);
    const plain = archive.pipe(createZstdCompress());
    archive.once('error', (error) => plain.destroy(error));
    const sealed = await encrypter.encrypt(Readable.toWeb(plain) as ReadableStream<Uint8Array> as never);
    await pipeline(
      Readable.fromWeb(sealed as never),
      createWriteStream(unfinished, { mode: 0o600, flush: true }),
    );
    const told = await filling;
    await rename(unfinished, path);
    await syncFolder(dirname(path));
    return told;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

async function fill(
  archive: ReturnType<typeof pack>,
  { sources, at, format = FORMAT }: { sources: Iterable<Source>; at: Date; format?: number },
): Promise<{ files: number; bytes: number }> {
  const head: BackupHead = { product: PRODUCT, format, at: at.toISOString() };
  archive.entry({ name: HEAD }, `${JSON.stringify(head)}\n`);
  const sums: Record<string, string> = {};
  let bytes = 0;
  for (const { name, path } of sources) {
    const facts = await lstat(path);
    if (facts.isSymbolicLink()) {
      archive.entry({ name, type: 'symlink', linkname: await readlink(path) });
      continue;
    }
    const sum = createHash('sha256');
    const entry = archive.entry({ name, size: facts.size, mtime: facts.mtime });
    // A file that grows meanwhile is taken as long as it was.
    const content = facts.size > 0 ? createReadStream(path, { end: facts.size - 1 }) : Readable.from([]);
    await pipeline(content, counted(sum), entry);
    sums[name] = sum.digest('hex');
    bytes += facts.size;
  }
  archive.entry({ name: FOOT }, `${JSON.stringify(sums)}\n`);
  archive.finalize();
  return { files: Object.keys(sums).length, bytes };
}

/**
 * Reads a backup from its begin to its end. Throws a sentence for people for one that is of a newer version, made for
 * another key, damaged or cut short; `take` may have been given a part of it by then.
 */
export async function readBackup(path: string, identity: string, take: Taker): Promise<BackupHead> {
  const decrypter = new Decrypter();
  try {
    decrypter.addIdentity(identity);
  } catch {
    throw new CommandError('This is no key of age: it begins with AGE-SECRET-KEY-1.');
  }
  let sealed: ReadableStream<Uint8Array>;
  try {
    const file = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
    sealed = (await decrypter.decrypt(file as never)) as unknown as ReadableStream<Uint8Array>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new CommandError(`There is no file ${path}.`);
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

async function readEntries(plain: Readable, take: Taker, path: string): Promise<BackupHead> {
  const tar = extract();
  const done = pipeline(plain, createZstdDecompress(), tar);
  done.catch((error: Error) => tar.destroy(error));
  const sums: Record<string, string> = {};
  let head: BackupHead | null = null;
  let foot: Record<string, string> | null = null;
  for await (const entry of tar) {
    const { name, type, linkname } = entry.header;
    if (!head) {
      head = headOf(name, (await buffer(entry)).toString(), path);
    } else if (name === FOOT) foot = JSON.parse((await buffer(entry)).toString()) as Record<string, string>;
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
  return head;
}

function headOf(name: string, text: string, path: string): BackupHead {
  if (name !== HEAD) throw new CommandError(`${path} is no backup.`);
  const head = JSON.parse(text) as BackupHead;
  if (head.format > FORMAT)
    throw new CommandError(
      `${path} was made by a newer version (format ${head.format}); this one reads up to format ${FORMAT}.`,
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

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}
