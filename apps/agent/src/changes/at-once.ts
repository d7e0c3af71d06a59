import { createHash } from 'node:crypto';
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
  writeFileSync,
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
export const change = z.object({ files: z.array(changedFile), remove: z.array(z.string()) });
export type Change = z.infer<typeof change>;
/** Agents from before wrote no hash. */
const journal = change.extend({ hash: z.string().optional() });

/** There is no place to write a change down before it is done. */
export class NoPlaceError extends Error {
  override name = 'NoPlaceError';
}

const journalOf = (root: Root): string => join(root.stateDirectory, 'restore.json');

/**
 * Puts every file on the disk, writes down what is to be done, and does it, which takes no more room. Killed before it is
 * written down the device is as it was; killed later the next start goes on, since each step can be done again.
 *
 * Throws NoPlaceError when the disk takes no more; then nothing has changed.
 */
export function changeAtOnce(root: Root, todo: Change, step: (name: string) => void = () => {}): void {
  const path = journalOf(root);
  const begun: string[] = [];
  try {
    mkdirSync(dirname(path), { recursive: true });
    step('before');
    for (const file of todo.files) {
      mkdirSync(dirname(root.at(file.path)), { recursive: true });
      begun.push(freshOf(root, file.path));
      write(freshOf(root, file.path), contentOf(file), file.mode);
      step(`${file.path} is there`);
    }
    begun.push(`${path}.new`);
    write(`${path}.new`, Buffer.from(JSON.stringify({ ...todo, hash: hashOf(todo) })), 0o600);
  } catch (error) {
    for (const left of begun) removeIfPossible(left);
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
 *
 * Throws what the disk says, and then it is tried again at the next start; or that what was written down is damaged, once.
 */
export function finishChange(root: Root, step: (name: string) => void = () => {}): string[] {
  const path = journalOf(root);
  if (!existsSync(path)) return [];
  const { files, remove } = readJournal(path);
  for (const file of files) {
    const place = root.at(file.path);
    mkdirSync(dirname(place), { recursive: true });
    const fresh = freshOf(root, file.path);
    // It is there unless an earlier try took it, or the disk lost it.
    if (!isSame(fresh, contentOf(file))) write(fresh, contentOf(file), file.mode);
    renameSync(fresh, place);
    syncFolder(dirname(place));
    step(file.path);
  }
  for (const gone of remove) rmSync(root.at(gone), { force: true });
  step('done');
  rmSync(path);
  syncFolder(dirname(path));
  return [...files.map((one) => one.path), ...remove];
}

/** What was left to do before a start. */
export interface Resumed {
  paths: string[];
  /** Why it could not be done; null where it could. */
  trouble: string | null;
}

/** As `finishChange`, for a device to whom measuring with what it has is worth more than not to start. */
export function resumeChange(root: Root): Resumed {
  try {
    return { paths: finishChange(root), trouble: null };
  } catch (error) {
    return { paths: [], trouble: messageOf(error) };
  }
}

function readJournal(path: string): Change {
  const bytes = readFileSync(path, 'utf8');
  try {
    const { hash, ...todo } = journal.parse(JSON.parse(bytes));
    if (hash === undefined || hash === hashOf(todo)) return todo;
  } catch {
    // Told below.
  }
  const aside = `${path}.damaged-${Date.now()}`;
  renameSync(path, aside);
  throw new Error(
    `A change of several files was under way and what was written down of it is damaged (kept as ${aside}). Restore a backup, or save the tasks and services again.`,
  );
}

/** Hidden, so that no run folder takes it for a task. */
const freshOf = (root: Root, path: string): string =>
  join(dirname(root.at(path)), `.${basename(root.at(path))}.new`);

const contentOf = ({ content }: ChangedFile): Buffer => Buffer.from(content, 'base64');

const hashOf = ({ files, remove }: Change): string =>
  createHash('sha256')
    .update(JSON.stringify([files.map(({ path, mode, content }) => [path, mode, content]), remove]))
    .digest('hex');

function isSame(path: string, content: Buffer): boolean {
  return existsSync(path) && readFileSync(path).equals(content);
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
    writeFileSync(fd, bytes);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** What stays is hidden and written over by the next change; why it could not be written is what people have to know. */
function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // A folder of somebody else, or a disk that takes nothing.
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
