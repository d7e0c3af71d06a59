import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Pack, pack as tarPack } from 'tar-stream';

/** One file of a tar. */
export interface TarFile {
  name: string;
  content: string | (() => Readable);
  /** Bytes; needed where the content is a stream. */
  size?: number;
  mode: number;
  mtime: Date;
}

/** A tar ends with two empty blocks. */
const END_BYTES = 1024;

/**
 * A gzip member with these files as a piece of a tar. Members in a row are one gzip file, and the pieces in them one
 * tar; only the last one carries the tar's end.
 */
export async function gzipMember(files: TarFile[], { isLast }: { isLast: boolean }): Promise<Buffer> {
  const tar = tarPack();
  const chunks: Buffer[] = [];
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) chunks.push(chunk);
  };
  const written = writeFiles(tar, files).catch((error: Error) => {
    tar.destroy(error);
    throw error;
  });
  const source = isLast ? tar : withoutEnd(tar as unknown as AsyncIterable<Buffer>);
  await Promise.all([written, pipeline(source, createGzip({ level: 5 }), collect)]);
  return Buffer.concat(chunks);
}

async function writeFiles(tar: Pack, files: TarFile[]): Promise<void> {
  for (const { name, content, size, mode, mtime } of files) {
    const header = { name, mode, mtime };
    if (typeof content === 'string') tar.entry(header, content);
    else {
      const entry = tar.entry({ ...header, ...(size === undefined ? {} : { size }) });
      await pipeline(content(), entry);
    }
  }
  tar.finalize();
}

async function* withoutEnd(tar: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  for await (const chunk of tar) {
    const all = Buffer.concat([held, chunk]);
    const cut = Math.max(0, all.length - END_BYTES);
    if (cut > 0) yield all.subarray(0, cut);
    held = all.subarray(cut);
  }
}
