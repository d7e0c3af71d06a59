import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const WAIT_MS = 50;

/** Another process that still runs holds the file. */
export class HeldError extends Error {
  override name = 'HeldError';
}

/**
 * Takes `<folder>/<name>.pid` for this process and gives the function that releases it.
 *
 * A file whose process is gone, or whose number now belongs to another process, is taken over.
 * Throws `HeldError` naming the process that holds it.
 */
export function takePidFile(name: string, folder = pidFolder()): () => void {
  const path = join(folder, `${name.replace(/[^\w.]+/g, '-').replace(/^-/, '')}.pid`);
  for (let tries = 0; tries < 3; tries++) {
    try {
      const file = openSync(path, 'wx');
      writeSync(file, `${process.pid} ${startOf(process.pid) ?? ''}\n`);
      closeSync(file);
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const holder = holderOf(path);
      if (holder !== null) throw new HeldError(`${name} is already running as process ${holder} (${path})`);
      rmSync(path, { force: true });
    }
  }
  throw new HeldError(`${name}: others keep taking ${path}`);
}

/** As `takePidFile`, but waits for a holder to finish. Rejects when the signal aborts. */
export async function waitForPidFile(
  name: string,
  signal: AbortSignal,
  folder = pidFolder(),
): Promise<() => void> {
  for (;;) {
    try {
      return takePidFile(name, folder);
    } catch (error) {
      if (!(error instanceof HeldError)) throw error;
      await sleep(WAIT_MS, undefined, { signal });
    }
  }
}

/** /run for root, the folder for temporary files for others. */
function pidFolder(): string {
  const folder = process.getuid?.() === 0 ? '/run' : join(tmpdir(), `albedo-${process.getuid?.() ?? 0}`);
  mkdirSync(folder, { recursive: true });
  return folder;
}

function holderOf(path: string): number | null {
  try {
    const [pid = '', startedAt = ''] = readFileSync(path, 'utf8').trim().split(' ');
    const running = startOf(Number(pid));
    return running !== null && (running === startedAt || startedAt === '') ? Number(pid) : null;
  } catch {
    // The holder finished between the two looks.
    return null;
  }
}

/**
 * When a process began, in the kernel's ticks, so that a reused number is noticed.
 *
 * Gaps: null when no such process runs, empty where the system does not tell.
 */
function startOf(pid: number): string | null {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return null;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
