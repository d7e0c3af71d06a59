import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { UPGRADE_CHECKS, type UpgradeCheck } from '@albedo/contract/upgrades/upgrades.schema';

/** The five things that have to be there before an upgrade. Source: specification 2, section 5. */
export function upgradeChecks(): { check: UpgradeCheck; isMet: boolean }[] {
  return UPGRADE_CHECKS.map((check) => ({ check, isMet: isMet(check) }));
}

function isMet(check: UpgradeCheck): boolean {
  if (check === 'root') return process.getuid?.() === 0;
  if (check === 'atd') return isRunning('atd');
  return isThere(check);
}

function isThere(program: string): boolean {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/bin', '/usr/sbin', '/sbin'];
  return folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function isRunning(name: string): boolean {
  return readdirSync('/proc').some((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === name;
    } catch {
      // It ended while we looked.
      return false;
    }
  });
}
