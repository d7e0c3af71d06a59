import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Root } from '../root.ts';
import { backup, syncFolder } from './backup.ts';

/** All that a restore does, decided beforehand. */
const journal = z.object({ files: backup.shape.files, remove: z.array(z.string()) });
export type Journal = z.infer<typeof journal>;

const journalOf = (root: Root): string => join(root.stateDirectory, 'restore.json');

/**
 * Writes down what is to be done, all at once, and does it. Killed before it is written down the device is as it was; killed
 * later the next start goes on, since each step can be done again.
 */
export function restore(root: Root, todo: Journal, step: (name: string) => void = () => {}): void {
  const path = journalOf(root);
  mkdirSync(dirname(path), { recursive: true });
  step('before');
  write(`${path}.new`, Buffer.from(JSON.stringify(todo)), 0o600);
  step('written');
  renameSync(`${path}.new`, path);
  syncFolder(dirname(path));
  step('decided');
  finishRestore(root, step);
}

/** Does what is written down; nothing where nothing is. Called before anything reads the configuration. */
export function finishRestore(root: Root, step: (name: string) => void = () => {}): void {
  const path = journalOf(root);
  if (!existsSync(path)) return;
  const { files, remove } = journal.parse(JSON.parse(readFileSync(path, 'utf8')));
  for (const { path: to, mode, content } of files) {
    const place = root.at(to);
    mkdirSync(dirname(place), { recursive: true });
    write(`${place}.restoring`, Buffer.from(content, 'base64'), mode);
    renameSync(`${place}.restoring`, place);
    syncFolder(dirname(place));
    step(to);
  }
  for (const gone of remove) rmSync(root.at(gone), { force: true });
  step('done');
  rmSync(path);
  syncFolder(dirname(path));
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
