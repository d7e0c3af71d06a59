import { existsSync, rmSync } from 'node:fs';
import type { UpgradeEnd } from '@albedo/contract/upgrades/upgrades.schema';
import { messageOf } from '../log.ts';
import { sweepCutOff, writeNote } from './install.ts';
import { type Program, readTrial } from './program.ts';

/**
 * To be asked after a start: what the guard brought back is written down, and what attempts left that were cut off before
 * the switch is taken away, a note or a version half unpacked.
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
  await sweepCutOff(program).catch((error: unknown) =>
    log.warn(`What an upgrade left that was cut off cannot be removed: ${messageOf(error)}`),
  );
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
