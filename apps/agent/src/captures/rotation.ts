import { extname } from 'node:path';

/** `log.1`, `log.2`: names that a file gets in turn, the oldest with the highest number. */
export const MOVED = /[._-](\d{1,4})$/;
const PACKED = /\.(gz|xz|zst|bz2|zip|lz4)$/i;

/**
 * Whether a file may have been at the followed path earlier, going by its name: `meter.csv.1`, `meter.csv-20260301`,
 * `meter-2026-03-01.csv`, `meter_old.csv`; beside `latest.csv` every CSV file.
 */
export function isOfFamily(own: string, name: string): boolean {
  if (name === own || PACKED.test(name)) return false;
  const extension = extname(own);
  const stem = own.slice(0, own.length - extension.length);
  if (/^[._~-]/.test(name.slice(own.length)) && name.startsWith(own)) return true;
  if (stem === 'latest') return /\.csv(\.\d+)?$/.test(name);
  if (extension === '' || stem === '') return false;
  return name.startsWith(stem) && name.endsWith(extension) && /^[._~-]/.test(name.slice(stem.length));
}

/** Of two files that were written at the same moment, whether the first is the older one. */
export function isOlder(a: string, b: string): boolean {
  const [first, second] = [MOVED.exec(a)?.[1], MOVED.exec(b)?.[1]];
  if (first !== undefined && second !== undefined && first !== second) return Number(first) > Number(second);
  return a < b;
}
