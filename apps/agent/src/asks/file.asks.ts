import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import {
  chmod,
  type FileHandle,
  lstat,
  open,
  opendir,
  readFile,
  realpath,
  rename,
  stat,
} from 'node:fs/promises';
import { basename, dirname, join, normalize } from 'node:path';
import type { FileEntry } from '@albedo/contract/device-files/device-files.schema';
import { FRAME_LIMITS } from '@albedo/contract/link/link.frames';
import { AskError } from '../link/ask-error.ts';
import type { AskHandlers } from './asks.ts';

const MAX_ENTRIES = 2000;
/** Files of services are smaller. */
const INSPECTED_BYTES = 1_000_000;
const ORDERED =
  'Schedules of setpoints reach this device by a signed order alone: change them on the page Controls.';

export interface Guarded {
  /** Nothing in these folders is read or written. */
  secret: readonly string[];
  /** These files are not written. */
  kept: readonly string[];
  /** Nothing of these files and folders is written: it comes by a signed order, or is what the control plugin keeps. */
  ordered: () => readonly string[];
  /** Throws for a file that may not be there as it is; asked once it is whole, before it has its name. */
  inspect: (path: string, text: string) => void;
}

/** Files of the machine, as the user of the agent may read and write them; never its keys. */
export const fileAsks = (
  guarded: Guarded,
): Pick<AskHandlers, 'files.list' | 'files.read' | 'files.part' | 'files.write'> => ({
  'files.list': async ({ input }) => {
    const path = await place(input.path, guarded);
    const entries: FileEntry[] = [];
    let isCut = false;
    for await (const { name } of await opendir(path)) {
      if (entries.length >= MAX_ENTRIES) {
        isCut = true;
        break;
      }
      const entry = await entryOf(path, name);
      if (entry) entries.push(entry);
    }
    return { path, entries: entries.toSorted(byKindAndName), isCut };
  },
  'files.read': async ({ input, signal, tell, write }) => {
    const path = await place(input.path, guarded);
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const facts = await file.stat();
      if (!facts.isFile()) throw new AskError('invalid', `${path} is no file.`);
      await tell({ size: facts.size, changedAt: facts.mtimeMs });
      const chunk = Buffer.alloc(FRAME_LIMITS.chunkBytes);
      let at = input.from;
      for (;;) {
        signal.throwIfAborted();
        const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
        if (bytesRead === 0) return { bytes: at };
        await write(chunk.subarray(0, bytesRead));
        at += bytesRead;
      }
    } finally {
      await file.close();
    }
  },
  'files.part': async ({ input: { path, hash } }) => {
    const facts = await stat(partOf(await target(path, guarded), hash)).catch(() => null);
    return { bytes: facts?.size ?? 0 };
  },
  'files.write': async ({ input: { path: asked, hash, size, from }, signal, incoming }) => {
    const path = await target(asked, guarded);
    const part = partOf(path, hash);
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW;
    const file = await open(part, flags, 0o600);
    try {
      const { size: have } = await file.stat();
      if (from > have) throw new AskError('changed', `Only ${have} bytes are there, not ${from}.`);
      await file.truncate(from);
      let at = from;
      for await (const chunk of incoming) {
        if (at + chunk.length > size) throw new AskError('invalid', 'More bytes came than were announced.');
        await file.write(chunk, 0, chunk.length, at);
        at += chunk.length;
      }
      signal.throwIfAborted();
      await file.sync();
      if (at < size) return { isComplete: false, bytes: at };
      if ((await hashOf(file)) !== hash) {
        await file.truncate(0);
        throw new AskError('changed', 'What arrived is not what was sent. Send it again.');
      }
      if (size <= INSPECTED_BYTES) guarded.inspect(path, await readFile(part, 'utf8'));
      const mode = (await stat(path).catch(() => null))?.mode ?? 0o644;
      await chmod(part, mode & 0o7777);
      await rename(part, path);
      return { isComplete: true, bytes: at };
    } finally {
      await file.close();
    }
  },
});

async function hashOf(file: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(1024 * 1024);
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(chunk.subarray(0, bytesRead));
    at += bytesRead;
  }
}

/** What has come of a file so far lies beside its place, under the hash of the whole. */
const partOf = (path: string, hash: string): string =>
  join(dirname(path), `.${basename(path).slice(0, 100)}.${hash.slice(0, 16)}.part`);

/** The real path of something that is there, outside the secret folders. */
async function place(path: string, { secret }: Guarded): Promise<string> {
  const real = await realpath(normalize(path));
  for (const folder of secret) {
    const closed = await realpath(folder).catch(() => folder);
    if (real === closed || real.startsWith(`${closed}/`)) {
      throw new AskError('refused', 'The keys of the device are not shown.');
    }
  }
  return real;
}

/** The path of a file that is written: its folder is there. */
async function target(path: string, guarded: Guarded): Promise<string> {
  const name = basename(normalize(path));
  if (name === '' || name === '.' || name === '..' || path.endsWith('/')) {
    throw new AskError('invalid', 'Name the file, not a folder.');
  }
  const file = join(await place(dirname(normalize(path)), guarded), name);
  const kept = await Promise.all(guarded.kept.map((one) => realpath(one).catch(() => one)));
  if (kept.includes(file)) {
    throw new AskError('refused', 'The configuration is changed on its own page.');
  }
  for (const place of guarded.ordered()) {
    const closed = await realpath(place).catch(() => place);
    if (file === closed || file.startsWith(`${closed}/`)) throw new AskError('refused', ORDERED);
  }
  const facts = await lstat(file).catch(() => null);
  if (facts?.isDirectory()) throw new AskError('invalid', `${file} is a folder.`);
  return file;
}

async function entryOf(folder: string, name: string): Promise<FileEntry | null> {
  // Gone since it was listed, or not to be looked at.
  const facts = await lstat(join(folder, name)).catch(() => null);
  if (!facts || name.length > 255) return null;
  const kind = facts.isDirectory()
    ? 'folder'
    : facts.isFile()
      ? 'file'
      : facts.isSymbolicLink()
        ? 'link'
        : 'other';
  return { name, kind, size: facts.size, changedAt: facts.mtimeMs, mode: facts.mode & 0o7777 };
}

const byKindAndName = (a: FileEntry, b: FileEntry): number =>
  Number(b.kind === 'folder') - Number(a.kind === 'folder') || (a.name < b.name ? -1 : 1);
