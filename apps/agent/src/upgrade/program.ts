import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { upgradeEnd } from '@albedo/contract/upgrades/upgrades.schema';
import { z } from 'zod';

/** A new version that has not reported in yet. */
export const trial = z.object({
  id: z.string(),
  from: z.string(),
  to: z.string(),
  /** What the link named before, from the folder of the link. */
  back: z.string(),
  at: z.number(),
});
export type Trial = z.infer<typeof trial>;

/**
 * Where the installed program lies. `link` is what the service starts: a symbolic link into `versions/<version>/`, or a
 * plain file until the first upgrade.
 */
export interface Program {
  link: string;
  /** Holds each version, and the notes of upgrades. */
  versions: string;
  trialFile: string;
  /** The guard renames the note of a trial to this when it has brought the old version back. */
  returnedFile: string;
  lastFile: string;
}

/** Null for an agent that does not run as an installed program, such as one that runs from its source. */
export function programAt(argv1: string | undefined): Program | null {
  if (argv1 === undefined || basename(argv1) !== 'agent.mjs') return null;
  const versions = join(dirname(argv1), 'versions');
  return {
    link: argv1,
    versions,
    trialFile: join(versions, 'trial.json'),
    returnedFile: join(versions, 'returned.json'),
    lastFile: join(versions, 'last.json'),
  };
}

/** What the link names, from its folder; null while it is a plain file. */
export function targetOf({ link }: Program): string | null {
  return lstatSync(link).isSymbolicLink() ? readlinkSync(link) : null;
}

export const readTrial = (file: string): Trial | null => readNote(file, trial);
export const readEnd = ({ lastFile }: Program) => readNote(lastFile, upgradeEnd);

/** Null where there is none, or one that a cut of power left unreadable. */
function readNote<T>(file: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
