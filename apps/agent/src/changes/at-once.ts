import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../log.ts';
import type { Root } from '../root.ts';

export const changedFile = z.object({
  path: z.string().min(1).max(4096),
  /** Permission bits. */
  mode: z.number().int().min(0).max(0o777),
  /** Base64. */
  content: z.string(),
});
export type ChangedFile = z.infer<typeof changedFile>;
/** All that a change does, decided beforehand. Paths are those of an installed agent. */
const change = z.object({ files: z.array(changedFile), remove: z.array(z.string()) });
export type Change = z.infer<typeof change>;

/** There is no place to write a change down before it is done. */
export class NoPlaceError extends Error {
  override name = 'NoPlaceError';
}

const journalOf = (root: Root): string => join(root.stateDirectory, 'restore.json');

/**
 * Writes down what is to be done, all at once, and does it. Killed before it is written down the device is as it was; killed
 * later the next start goes on, since each step can be done again.
 */
export function changeAtOnce(root: Root, todo: Change, step: (name: string) => void = () => {}): void {
  const path = journalOf(root);
  try {
    mkdirSync(dirname(path), { recursive: true });
    step('before');
    write(`${path}.new`, Buffer.from(JSON.stringify(todo)), 0o600);
  } catch (error) {
    throw new NoPlaceError(messageOf(error));
  }
  step('written');
  renameSync(`${path}.new`, path);
  syncFolder(dirname(path));
  step('decided');
  finishChange(root, step);
}

/**
 * Does what is written down, and gives the paths; nothing where nothing is. Called before anything reads the
 * configuration.
 */
export function finishChange(root: Root, step: (name: string) => void = () => {}): string[] {
  const path = journalOf(root);
  if (!existsSync(path)) return [];
  const { files, remove } = change.parse(JSON.parse(readFileSync(path, 'utf8')));
  for (const { path: to, mode, content } of files) {
    const place = root.at(to);
    mkdirSync(dirname(place), { recursive: true });
    // Hidden, so that no run folder takes it for a task.
    const fresh = join(dirname(place), `.${basename(place)}.new`);
    write(fresh, Buffer.from(content, 'base64'), mode);
    renameSync(fresh, place);
    syncFolder(dirname(place));
    step(to);
  }
  for (const gone of remove) rmSync(root.at(gone), { force: true });
  step('done');
  rmSync(path);
  syncFolder(dirname(path));
  return [...files.map((one) => one.path), ...remove];
}

/** The change that makes these paths what they are now. */
export function asItIs(root: Root, paths: string[]): Change {
  const present = paths.filter((path) => existsSync(root.at(path)));
  return {
    files: present.map((path) => ({
      path,
      mode: lstatSync(root.at(path)).mode & 0o777,
      content: readFileSync(root.at(path)).toString('base64'),
    })),
    remove: paths.filter((path) => !present.includes(path)),
  };
}

function write(path: string, bytes: Buffer, mode: number): void {
  rmSync(path, { force: true });
  const fd = openSync(path, 'wx', mode);
  try {
    writeSync(fd, bytes);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** What was written or renamed in the folder survives a loss of power. */
function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
