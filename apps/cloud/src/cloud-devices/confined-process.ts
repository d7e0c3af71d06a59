import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { dirname } from 'node:path';

/** Heap of a program that reads a few machines, MB. */
const HEAP_MB = 96;
/** One file may not grow beyond it, in blocks of 512 bytes: 256 MB. */
const FILE_BLOCKS = 524_288;
/** Below the cloud itself: it never waits for its devices. */
const NICE = 10;

interface Confinement {
  /** The one folder that it may write into, and read besides its own program. */
  root: string;
  openFiles: number;
  /** Stands in front of the program: what joins the network of the plant. */
  launcher: readonly string[];
  env: Readonly<Record<string, string>>;
  hasChannel: boolean;
}

/**
 * Starts a program of ours with limits that it cannot lift: Node's permission model leaves it its own folder and no child
 * processes, the kernel a number of open files, a size of files and no core dumps. It sees nothing of our environment.
 */
export function spawnConfined(program: string, args: readonly string[], how: Confinement): ChildProcess {
  const node = [
    process.execPath,
    '--permission',
    `--allow-fs-read=${dirname(program)}`,
    `--allow-fs-read=${how.root}`,
    `--allow-fs-write=${how.root}`,
    `--max-old-space-size=${HEAP_MB}`,
    '--max-semi-space-size=1',
  ];
  const limits = `ulimit -n ${how.openFiles} && ulimit -c 0 && ulimit -f ${FILE_BLOCKS} && exec "$@"`;
  const child = spawn('/bin/sh', ['-c', limits, 'sh', ...how.launcher, ...node, program, ...args], {
    cwd: how.root,
    env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', HOME: how.root, TMPDIR: `${how.root}/tmp`, ...how.env },
    stdio: ['ignore', 'pipe', 'pipe', ...(how.hasChannel ? (['ipc'] as const) : [])],
    // A group of its own, so that it goes as a whole.
    detached: true,
  });
  if (child.pid !== undefined) {
    try {
      setPriority(child.pid, NICE);
    } catch {
      // It ended at once, which its exit tells.
    }
  }
  return child;
}

/** Memory that a process holds, MB; null where it cannot be read. */
export function memoryOf(pid: number | undefined): number | null {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kB = /^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1];
    return kB === undefined ? null : Math.round(Number(kB) / 1024);
  } catch {
    return null;
  }
}

/** Ends a process with everything that it began. */
export function endGroup(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended already.
  }
}
