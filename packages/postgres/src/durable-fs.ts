import { fsyncSync, readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** More than the threads that Node has for files: one is always ready. */
const SYNCS_AT_A_TIME = 8;

/** EIO of the C library that PGlite is built with. */
const EIO = 29;

interface NodeStream {
  nfd: number;
}

interface EmscriptenModule {
  NODEFS: { stream_ops: { fsync?: (stream: NodeStream) => number } };
  FS: { ErrnoError: new (errno: number) => Error };
}

/**
 * PGlite's file system on a folder, with the fsync that it lacks: without it every commit stays in the memory of the
 * operating system. It works together with start parameters that turn PostgreSQL's own fsync on.
 */
export class DurableFS extends NodeFS {
  /** Syncs so far; what tests hold against the number of commits. */
  syncs = 0;

  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...args);
    const addSync = (module: EmscriptenModule) => {
      module.NODEFS.stream_ops.fsync = ({ nfd }) => {
        this.syncs++;
        try {
          fsyncSync(nfd);
        } catch {
          throw new module.FS.ErrnoError(EIO); // PostgreSQL stops at a failed sync, as it should.
        }
        return 0;
      };
    };
    const preRun = (emscriptenOpts.preRun ?? []) as ((module: EmscriptenModule) => void)[];
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...preRun, addSync] as never } };
  }
}

/**
 * Syncs every file and folder below a folder: what `initdb` wrote is not synced by PostgreSQL. Several at a time, which
 * the disk writes together.
 */
export async function syncTree(folder: string): Promise<void> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
  const left = [folder, ...paths];
  const sync = async () => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) await syncPath(path);
  };
  await Promise.all(Array.from({ length: SYNCS_AT_A_TIME }, sync));
}

async function syncPath(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
