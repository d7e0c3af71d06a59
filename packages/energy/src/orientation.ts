import type { SharedPlane } from './transposition.ts';

/** Where an azimuth of 0 degrees points. */
export const ZERO_DIRECTIONS = ['north', 'east', 'south', 'west'] as const;
export type ZeroDirection = (typeof ZERO_DIRECTIONS)[number];
const TURN: Record<ZeroDirection, number> = { north: 0, east: 90, south: 180, west: 270 };

/** Degrees clockwise from north, 0 up to 360, of an azimuth that is counted from another direction. */
export const rotateAzimuth = (azimuthDeg: number, zero: ZeroDirection = 'north'): number =>
  (((azimuthDeg + TURN[zero]) % 360) + 360) % 360;

/**
 * One azimuth with its slope, as people type it: `180` or `90{10}`; null for anything else, shares and lists included.
 * Digits, minus, braces and spaces only.
 */
export function parseAzimuth(text: string): { azimuthDeg: number; slopeDeg: number | null } | null {
  const match = /^\s*(-?\d+)\s*(?:\{\s*(-?\d+)\s*\})?\s*$/.exec(text);
  if (!match) return null;
  return { azimuthDeg: Number(match[1]), slopeDeg: match[2] === undefined ? null : Number(match[2]) };
}

/** What is wrong with an orientation, and where in its text. */
export interface OrientationFault {
  fault:
    | 'empty'
    | 'syntax'
    /** Not all items of a list have a share, or none. */
    | 'some_shares'
    /** Shares of a list that do not make 1, or that are 0 and less. */
    | 'shares'
    /** Outside -360 to 360 degrees. */
    | 'azimuth'
    /** Outside 0 (flat) to 90 degrees (upright). */
    | 'slope'
    /** No slope with the azimuth, and none beside it. */
    | 'no_slope';
  /** Place of the first letter that is wrong, from 0. */
  at: number;
  in: 'azimuth' | 'slope';
}

export type Orientation = { planes: SharedPlane[]; fault: null } | ({ planes: null } & OrientationFault);

/**
 * The planes of an array with their shares, which make 1.
 *
 * `azimuth` is a list as in `180`, `90,270`, `0.6:90,0.4:270` or `90{10},270{0.25:10,0.75:15}`: a share may stand before
 * each azimuth, and the slopes of that azimuth in braces behind it, again with shares. Without shares all are equal.
 * `slope` is a list of slopes for every azimuth that has none of its own, as in `10` or `0.25:10,0.75:15`.
 * Numbers are taken as text of one. `zero` says where an azimuth of 0 points; the planes count from north.
 */
export function parseOrientation(
  azimuth: string | number,
  slope: string | number | null = null,
  zero: ZeroDirection = 'north',
): Orientation {
  try {
    const beside = slope === null || `${slope}`.trim() === '' ? null : parseSlopes(`${slope}`);
    const reader = new Reader(`${azimuth}`, 'azimuth');
    const items = reader.list(() => readAzimuth(reader));
    reader.end();
    const planes = reader.shared(items).flatMap(({ value, share }) => {
      const slopes = value.slopes ?? beside;
      if (!slopes) throw new Fault('no_slope', value.at, 'azimuth');
      return slopes.map((one) => ({
        azimuthDeg: rotateAzimuth(value.azimuthDeg, zero),
        tiltDeg: one.value,
        share: share * one.share,
      }));
    });
    return { planes, fault: null };
  } catch (error) {
    if (error instanceof Fault) return { planes: null, fault: error.fault, at: error.at, in: error.in };
    throw error;
  }
}

/** The plane as one would write it: share, azimuth from north and slope. */
export const formatOrientation = (planes: readonly SharedPlane[]): string =>
  planes
    .map(({ azimuthDeg, tiltDeg, share }) => {
      const before = planes.length > 1 ? `${Number(share.toFixed(4))}:` : '';
      return `${before}${azimuthDeg}{${tiltDeg}}`;
    })
    .join(',');

interface Shared<Value> {
  value: Value;
  share: number;
}

function parseSlopes(text: string): Shared<number>[] {
  const reader = new Reader(text, 'slope');
  const items = reader.list(() => readSlope(reader));
  reader.end();
  return reader.shared(items);
}

function readAzimuth(reader: Reader) {
  const at = reader.at;
  const azimuthDeg = reader.number();
  if (Math.abs(azimuthDeg) > 360) throw reader.fault('azimuth', at);
  if (!reader.take('{')) return { azimuthDeg, slopes: null, at };
  const slopes = reader.shared(reader.list(() => readSlope(reader)));
  if (!reader.take('}')) throw reader.fault('syntax');
  return { azimuthDeg, slopes, at };
}

function readSlope(reader: Reader): number {
  const at = reader.at;
  const slopeDeg = reader.number();
  if (slopeDeg < 0 || slopeDeg > 90) throw reader.fault('slope', at);
  return slopeDeg;
}

class Fault extends Error {
  readonly fault: OrientationFault['fault'];
  readonly at: number;
  readonly in: OrientationFault['in'];

  constructor(fault: OrientationFault['fault'], at: number, place: OrientationFault['in']) {
    super(fault);
    this.fault = fault;
    this.at = at;
    this.in = place;
  }
}

/** Three shares of 0.33 are meant to make 1. */
const SHARES_MAY_LACK = 0.0101;

/** Reads a text from its beginning; spaces between words do not matter. */
class Reader {
  at = 0;
  readonly #text: string;
  readonly #in: OrientationFault['in'];

  constructor(text: string, place: OrientationFault['in']) {
    this.#text = text;
    this.#in = place;
    this.#skipSpaces();
    if (this.at === text.length) throw this.fault('empty');
  }

  fault(fault: OrientationFault['fault'], at = this.at): Fault {
    return new Fault(fault, at, this.#in);
  }

  take(letter: string): boolean {
    if (this.#text[this.at] !== letter) return false;
    this.at += 1;
    this.#skipSpaces();
    return true;
  }

  number(): number {
    const [text] = /^[+-]?(\d+(\.\d*)?|\.\d+)/.exec(this.#text.slice(this.at)) ?? [];
    if (text === undefined) throw this.fault('syntax');
    this.at += text.length;
    this.#skipSpaces();
    return Number(text);
  }

  /** Items with a comma between them, each with a share in front or without. */
  list<Value>(read: () => Value): { value: Value; share: number | null; at: number }[] {
    const items: { value: Value; share: number | null; at: number }[] = [];
    do {
      const at = this.at;
      const isShared = /^[^,:{}]*:/.test(this.#text.slice(at));
      const share = isShared ? this.number() : null;
      if (isShared && !this.take(':')) throw this.fault('syntax');
      items.push({ value: read(), share, at });
    } while (this.take(','));
    return items;
  }

  /** Shares that make 1 exactly. */
  shared<Value>(items: { value: Value; share: number | null; at: number }[]): Shared<Value>[] {
    const first = items[0]?.at ?? 0;
    const without = items.filter(({ share }) => share === null);
    if (without.length === items.length)
      return items.map(({ value }) => ({ value, share: 1 / items.length }));
    if (without[0]) throw this.fault('some_shares', without[0].at);
    const sum = items.reduce((total, { share }) => total + (share ?? 0), 0);
    const isWrong = items.some(({ share }) => (share ?? 0) <= 0) || Math.abs(sum - 1) > SHARES_MAY_LACK;
    if (isWrong) throw this.fault('shares', first);
    return items.map(({ value, share }) => ({ value, share: (share ?? 0) / sum }));
  }

  end(): void {
    if (this.at < this.#text.length) throw this.fault('syntax');
  }

  #skipSpaces(): void {
    while (this.#text[this.at] === ' ') this.at += 1;
  }
}
