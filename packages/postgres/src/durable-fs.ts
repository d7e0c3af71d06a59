import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { NodeFS } from '@electric-sql/pglite/nodefs';

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

/** Syncs every file and folder below a folder: what `initdb` wrote is not synced by PostgreSQL. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) syncTree(path);
    else if (entry.isFile()) syncPath(path);
  }
  syncPath(folder);
}

function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
