import { extname } from 'node:path';
import { PACKED } from './packed.ts';

/** `log.1`, `log.2`: names that a file gets in turn, the oldest with the highest number. */
const MOVED = /[._-](\d{1,4})$/;
/** A name without what packing adds to it. */
export const unpackedName = (name: string): string => name.replace(PACKED, '');
/** A date behind the whole name, as `logrotate` adds it: `meter.csv-20260301`. */
const DATED = /^[._-]\d[\d_T-]*$/;

/** Whether a file has its name from a rotation that renames, or copies what is then cut: one of these is no copy to keep. */
export function isTurned(own: string, file: string): boolean {
  const name = unpackedName(file);
  return MOVED.test(name) || (name.startsWith(own) && DATED.test(name.slice(own.length)));
}

/** Whether two names differ only in their numbers: `day-2026-03-01.log` and `day-2026-03-02.log`. */
export const isOtherDay = (own: string, file: string): boolean =>
  /\d/.test(own) && unpackedName(file).replace(/\d+/g, '0') === own.replace(/\d+/g, '0');

/**
 * Whether a file may have been at the followed path earlier, going by its name: `meter.csv.1`, `meter.csv-20260301`,
 * `meter-2026-03-01.csv`, `meter_old.csv`; beside `latest.csv` every CSV file; each of them packed too.
 */
export function isOfFamily(own: string, file: string): boolean {
  if (file === own) return false;
  const name = unpackedName(file);
  // Packed where it stood: `meter.csv.gz`.
  if (name === own) return true;
  const extension = extname(own);
  const stem = own.slice(0, own.length - extension.length);
  if (/^[._~-]/.test(name.slice(own.length)) && name.startsWith(own)) return true;
  if (stem === 'latest') return /\.csv(\.\d+)?$/.test(name);
  if (extension === '' || stem === '') return false;
  return name.startsWith(stem) && name.endsWith(extension) && /^[._~-]/.test(name.slice(stem.length));
}

/** Of two files that were written at the same moment, whether the first is the older one. */
export function isOlder(a: string, b: string): boolean {
  const [first, second] = [MOVED.exec(unpackedName(a))?.[1], MOVED.exec(unpackedName(b))?.[1]];
  if (first !== undefined && second !== undefined && first !== second) return Number(first) > Number(second);
  return a < b;
}

/**
 * Whether `other` took its turn after `last`, going by their numbers alone: for files that were all renamed or copied since, and
 * have times that say nothing, as after a copy of the disk without them.
 */
export function isTurnedAfter(last: string, other: string): boolean {
  const [first, second] = [last, other].map((name) => MOVED.exec(unpackedName(name)));
  if (!first || !second) return false;
  const isSameStem = unpackedName(last).slice(0, first.index) === unpackedName(other).slice(0, second.index);
  return isSameStem && Number(first[1]) > Number(second[1]);
}

/**
 * Whether `other` took its turn after `packed`, whatever their times say: packing may give a file the time of that moment, and what
 * is packed first is older.
 */
export function isPackedBefore(packed: string, other: string): boolean {
  if (!PACKED.test(packed) || PACKED.test(other)) return false;
  const areTurned = [packed, other].every((name) => /[._-]\d[\d_T-]*$/.test(unpackedName(name)));
  return areTurned && isOlder(unpackedName(packed), other);
}
