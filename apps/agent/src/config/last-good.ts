import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Log, messageOf } from '../log.ts';
import type { Root } from '../root.ts';

/** The newest configuration that could be used. */
export const goodFile = (root: Root): string => join(root.stateDirectory, 'albedo.last-good.yaml');

/** A device must come back after a restart even if its configuration was broken remotely. */
export function keepGood(root: Root, text: string, log: Log): void {
  const file = goodFile(root);
  try {
    mkdirSync(root.stateDirectory, { recursive: true });
    writeFileSync(`${file}.new`, text, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch (error) {
    log.warn(`The configuration could not be kept for a restart: ${messageOf(error)}`);
  }
}
