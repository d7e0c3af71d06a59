import { extname } from 'node:path';
import { PACKED } from './packed.ts';

/**
 * `meter.log.1`, `meter.1.log`, `meter.log-20260301`, `meter-2026-03-01T10-20.log`: a number, the highest for the oldest file, or a
 * time, behind the whole name or before its ending.
 */
const TURN = /^(?<stem>.*?)[._-](?<mark>\d[\d_T:-]*?(?:\.\d{3})?Z?)(?<ending>\.[a-z]\w*)?$/i;
const NUMBER = /^\d{1,4}$/;
/** What a copy for the day has in its name has eight digits: more of them say the hour, or count seconds. */
const DAY_DIGITS = 8;

interface Turn {
  /** What all files have in common that take turns with it. */
  of: string;
  mark: string;
  isNumber: boolean;
}

/** A name without what packing adds to it. */
export const unpackedName = (name: string): string => name.replace(PACKED, '');

function turnOf(file: string): Turn | null {
  const { stem, mark, ending = '' } = TURN.exec(unpackedName(file))?.groups ?? {};
  if (stem === undefined || mark === undefined) return null;
  return { of: `${stem}/${ending}`, mark, isNumber: NUMBER.test(mark) };
}

/** Whether a file has its name from a rotation that renames, or copies what is then cut: one of these is no copy to keep. */
export function isTurned(own: string, file: string): boolean {
  const turn = turnOf(file);
  if (!turn) return false;
  const isBehind = turn.of === `${own}/`;
  return turn.isNumber || isBehind || turn.mark.replace(/\D/g, '').length > DAY_DIGITS;
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
  const [first, second] = [turnOf(a), turnOf(b)];
  if (first?.isNumber && second?.isNumber && first.mark !== second.mark) return isFurther(first, second);
  return a < b;
}

/**
 * Whether `other` took its turn after `last`, going by their marks alone: for files that were all renamed or copied since, and
 * have times that say nothing, as after a copy of the disk without them.
 */
export function isTurnedAfter(last: string, other: string): boolean {
  const [first, second] = [turnOf(last), turnOf(other)];
  if (!first || !second || first.of !== second.of || first.isNumber !== second.isNumber) return false;
  return first.isNumber ? isFurther(first, second) : first.mark < second.mark;
}

const isFurther = (a: Turn, b: Turn): boolean => Number(a.mark) > Number(b.mark);

/**
 * Whether `other` took its turn after `packed`, whatever their times say: packing may give a file the time of that moment, and what
 * is packed first is older.
 */
export function isPackedBefore(packed: string, other: string): boolean {
  if (!PACKED.test(packed) || PACKED.test(other)) return false;
  return turnOf(packed) !== null && turnOf(other) !== null && isOlder(unpackedName(packed), other);
}
