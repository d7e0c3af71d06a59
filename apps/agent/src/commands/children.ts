import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../log.ts';

/**
 * The processes that this agent has started and ends itself, each the leader of a group of its own. They are noted on the
 * disk, because an agent that is killed can end nothing: the next one ends what it left, so that nothing runs twice.
 * Disowned commands are not among them.
 */
let folder: string | null = null;

/** From now on children are noted in `place`; what an agent that is gone left there is ended. */
export function adoptChildren(place: string, log: Log): void {
  folder = place;
  let names: string[] = [];
  try {
    names = readdirSync(place);
  } catch {
    // The first start on this machine, or since it started.
  }
  for (const name of names) {
    const [child = '', parent = ''] = noteAt(join(place, name));
    if (parent !== '' && identityOf(pidOf(parent)) === parent) continue;
    rmSync(join(place, name), { force: true });
    if (child === '' || identityOf(pidOf(child)) !== child) continue;
    killGroup(pidOf(child));
    log.warn(`process ${pidOf(child)}, which an agent before this one left behind, has been ended`);
  }
}

/** Notes a child until the function that it gives is called. */
export function noteChild(pid: number | undefined): () => void {
  const identity = pid === undefined ? '' : identityOf(pid);
  if (folder === null || identity === '') return () => {};
  const file = join(folder, String(pid));
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(file, `${identity}\n${identityOf(process.pid)}\n`);
  } catch {
    // A full disk must not keep a command from running.
    return () => {};
  }
  return () => rmSync(file, { force: true });
}

/** Ends a process and all that are in its group. */
export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has already ended.
  }
}

function noteAt(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch {
    // Another agent of this folder has just removed it.
    return [];
  }
}

const pidOf = (identity: string): number => Number(identity.split(' ')[0]);

/**
 * What no other process has ever had: its number, when it began (in the kernel's ticks) and the boot of the machine.
 *
 * Gaps: empty where no such process runs, or the system does not tell.
 */
function identityOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state = '', ...facts] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return state === 'Z' ? '' : `${pid} ${facts[18]} ${boot}`;
  } catch {
    return '';
  }
}
