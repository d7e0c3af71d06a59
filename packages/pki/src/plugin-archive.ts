import { constants } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, gzipSync } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import { UntrustedError } from './repository.ts';

/** A file of a package; the first one is the spec. */
export interface ArchiveFile {
  name: string;
  bytes: Buffer;
  isProgram: boolean;
}

const LIMITS = { files: 500, totalBytes: 512 * 1024 * 1024 };
/** Folders and names as programs have them; nothing that begins with a dot, so neither `..` nor hidden files. */
const NAME = /^(?:[A-Za-z0-9_][A-Za-z0-9._-]{0,80}\/){0,6}[A-Za-z0-9_][A-Za-z0-9._-]{0,80}$/;

/** A gzip tar of these files; the same files give the same bytes. */
export async function packArchive(files: ArchiveFile[]): Promise<Buffer> {
  const tar = pack();
  const chunks: Buffer[] = [];
  for (const { name, bytes, isProgram } of files) {
    tar.entry({ name, mode: isProgram ? 0o755 : 0o644, mtime: new Date(0) }, bytes);
  }
  tar.finalize();
  for await (const chunk of tar as AsyncIterable<Buffer>) chunks.push(chunk);
  const zipped = gzipSync(Buffer.concat(chunks), { level: 9 });
  // The byte that names the system which compressed it.
  zipped[9] = 255;
  return zipped;
}

/**
 * Unpacks below a folder that is empty. Throws `UntrustedError` for anything but plain files with plain names, for a name
 * that comes twice, and for more files or bytes than packages have: also what a publisher signed is looked at.
 */
export async function unpackArchive(archive: Buffer, folder: string, limits = LIMITS): Promise<void> {
  const seen = new Set<string>();
  let total = 0;
  const tar = extract();
  tar.on('entry', (header, stream, next) => {
    // A refusal reaches the entry too; the pipeline tells of it.
    stream.on('error', () => {});
    const take = async (): Promise<void> => {
      const { name, type, size = 0, mode = 0 } = header;
      if (type === 'directory') return void stream.resume();
      if (type !== 'file') throw new UntrustedError(`it has a ${String(type)}, which packages may not have`);
      if (!NAME.test(name)) throw new UntrustedError('it has a file whose name leads elsewhere');
      if (seen.has(name) || seen.size >= limits.files) throw new UntrustedError('it has too many files');
      seen.add(name);
      total += size;
      if (total > limits.totalBytes) throw new UntrustedError('it is larger than packages may be');
      await writeNew(join(folder, name), stream as unknown as AsyncIterable<Buffer>, mode);
    };
    take().then(
      () => next(),
      (error: Error) => tar.destroy(error),
    );
  });
  try {
    await pipeline(Readable.from([archive]), createGunzip(), bounded(limits), tar as unknown as Writable);
  } catch (error) {
    if (error instanceof UntrustedError) throw error;
    throw new UntrustedError(`it cannot be unpacked (${(error as Error).message.slice(0, 100)})`);
  }
}

async function writeNew(path: string, bytes: AsyncIterable<Buffer>, mode: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o755 });
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file = await open(path, flags, mode & 0o111 ? 0o755 : 0o644);
  try {
    for await (const chunk of bytes) await file.write(chunk);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Ends what a small archive grows to, headers and all, while it is unpacked. */
function bounded(limits: typeof LIMITS): Transform {
  let total = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      total += chunk.length;
      const isTooMuch = total > limits.totalBytes + limits.files * 2048;
      done(isTooMuch ? new UntrustedError('it is larger than packages may be') : null, chunk);
    },
  });
}
