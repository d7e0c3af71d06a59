import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
let trim: ((kept: number) => number) | null | undefined;

/**
 * Gives the machine back the memory that the C library keeps of what was freed. By itself it lets go of the end of its heap
 * only, and one small block that lasts keeps all that was freed below it. Takes some milliseconds, in which others of the
 * process wait for memory. Does nothing where the C library knows no such call (musl, macOS, Windows).
 */
export function giveBackFreed(): void {
  if (trim === undefined) trim = trimOfLibrary();
  trim?.(0);
}

function trimOfLibrary(): typeof trim {
  try {
    const koffi = require('koffi') as typeof import('koffi');
    return koffi.load(null).func('int malloc_trim(size_t kept)');
  } catch {
    return null;
  }
}
