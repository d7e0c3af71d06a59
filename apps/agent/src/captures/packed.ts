import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, constants as zlib, zstdDecompressSync } from 'node:zlib';

/** Names that programs which rotate files give to what they pack. */
export const PACKED = /\.(gz|xz|zst|bz2|zip|lz4)$/i;
/** A file is unpacked by another process, so that its size costs this one neither memory nor time of its own. */
const UNPACK_MS = 120_000;
const READ_FIRST = 64 * 1024;

const streaming = (make: string): [string, ...string[]] => [
  process.execPath,
  '-e',
  `require('node:stream').pipeline(process.stdin, require('node:zlib').${make}(), process.stdout, (e) => process.exit(e ? 1 : 0))`,
];
const PROGRAMS: Record<string, [string, ...string[]]> = {
  gz: streaming('createGunzip'),
  zst: streaming('createZstdDecompress'),
  xz: ['xz', '-dc'],
  bz2: ['bzip2', '-dc'],
};

const kindOf = (path: string): string => (PACKED.exec(path)?.[1] ?? '').toLowerCase();

/** A packed file as it was before: an open file without a name, which is gone when it is closed. Throws where it cannot be read. */
export function openUnpacked(path: string): number {
  const [program, ...args] = PROGRAMS[kindOf(path)] ?? [];
  if (!program) throw new Error(`${path} is packed in a way that cannot be read`);
  const folder = mkdtempSync(join(tmpdir(), 'albedo-unpacked-'));
  const packed = openSync(path, 'r');
  let plain: number | null = null;
  try {
    plain = openSync(join(folder, 'plain'), 'w+', 0o600);
    execFileSync(program, args, { stdio: [packed, plain, 'ignore'], timeout: UNPACK_MS });
    return plain;
  } catch (error) {
    if (plain !== null) closeSync(plain);
    throw error;
  } finally {
    closeSync(packed);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The first bytes that a packed file holds, as many as can be had cheaply; null where only unpacking it tells. */
export function firstOfPacked(path: string): Buffer | null {
  let fd: number | null = null;
  try {
    fd = openSync(path, 'r');
    const bytes = Buffer.alloc(READ_FIRST);
    const packed = bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, 0));
    if (kindOf(path) === 'gz') return gunzipSync(packed, { finishFlush: zlib.Z_SYNC_FLUSH });
    if (kindOf(path) === 'zst') return zstdDecompressSync(packed, { finishFlush: zlib.ZSTD_e_flush });
    return null;
  } catch {
    // Damaged, gone, or cut in a place where the library wants more.
    return null;
  } finally {
    if (fd !== null) closeSync(fd);
  }
}
