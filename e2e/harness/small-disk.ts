import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MB = 1024 * 1024;

/** A file system of its own that can be filled to the last byte. */
export class SmallDisk {
  readonly path: string;

  constructor(path: string, megabytes: number) {
    this.path = path;
    mkdirSync(path, { recursive: true });
    execFileSync('/usr/bin/mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], {
      stdio: 'pipe',
    });
  }

  fill(): void {
    const file = openSync(join(this.path, 'ballast'), 'a');
    try {
      for (let size = MB; size >= 1; size = Math.floor(size / 2)) this.#fillWith(file, Buffer.alloc(size));
    } finally {
      closeSync(file);
    }
  }

  #fillWith(file: number, block: Buffer): void {
    try {
      while (writeSync(file, block) > 0);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }

  free(): void {
    rmSync(join(this.path, 'ballast'), { force: true });
  }

  unmount(): void {
    execFileSync('/usr/bin/umount', ['-l', this.path], { stdio: 'pipe' });
  }
}

/** Null where file systems can be mounted. */
export function whyNoMount(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'albedo-mount-'));
  try {
    new SmallDisk(folder, 1).unmount();
    return null;
  } catch (error) {
    return (error as Error).message.trim();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
