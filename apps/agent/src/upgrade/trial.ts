import { existsSync, rmSync } from 'node:fs';
import type { UpgradeEnd } from '@albedo/contract/upgrades/upgrades.schema';
import { writeNote } from './install.ts';
import { type Program, readTrial } from './program.ts';

/**
 * The upgrade that is tried now; null where none is. To be asked after a start: notes of attempts that were cut off
 * before the switch are taken away, and what the guard brought back is written down.
 */
export async function settleTrial(program: Program, version: string, log: { warn(text: string): void }) {
  const returned = readTrial(program.returnedFile);
  if (returned) {
    await endTrial(program, { ...returned, outcome: 'returned' });
    rmSync(program.returnedFile, { force: true });
    log.warn(`Version ${returned.to} did not report in, so that ${version} is back.`);
  }
  const trial = readTrial(program.trialFile);
  if (trial && trial.to !== version) rmSync(program.trialFile, { force: true });
  else if (!trial && existsSync(program.trialFile)) rmSync(program.trialFile, { force: true });
}

/** The new version stays; false where this upgrade is not the one that is tried. */
export async function confirmTrial(program: Program, id: string, version: string): Promise<boolean> {
  const trial = readTrial(program.trialFile);
  if (trial?.id !== id || trial.to !== version) return false;
  // Before the note of the trial goes: cut off between the two, it is confirmed again.
  await endTrial(program, { ...trial, outcome: 'done' });
  rmSync(program.trialFile, { force: true });
  return true;
}

const endTrial = (program: Program, { id, from, to, outcome }: Omit<UpgradeEnd, 'at'>): Promise<void> =>
  writeNote(program.lastFile, { id, from, to, outcome, at: Date.now() } satisfies UpgradeEnd);
