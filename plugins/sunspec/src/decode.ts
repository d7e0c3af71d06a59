import { saysNothing } from '@albedo/plugin-kit/fields/not-measured';
import type { Value } from '@albedo/plugin-kit/records/record';
import type { Point, PointType } from './model.ts';

/**
 * Value of a point in its units; null when the device does not have it.
 *
 * Shapes: `registers` are those of one model with its id at 0; `blockAt` is where the point's repeating block begins.
 * Sentinels: those of the types, as `fields/not-measured` of the kit has them.
 */
export function decodePoint(registers: ArrayLike<number>, point: Point, blockAt = 0): Value {
  const at = blockAt + point.offset;
  const high = registers[at] ?? 0;
  const low = registers[at + 1] ?? 0;
  switch (point.type) {
    case 'enum16':
      return saysNothing('enum16', [high]) ? null : (point.names?.[high] ?? String(high));
    // The highest bit says that the others mean nothing, and so do all of them at once.
    case 'bits16':
      return high & 0x8000 ? null : bitNames(high, point.names ?? {});
    case 'bits32':
      return high & 0x8000 ? null : bitNames(high * 0x10000 + low, point.names ?? {});
    case 'float32':
      return floatIn(float32(high, low), point);
    case 'acc64':
      return long64(registers, at);
    default:
      return scaled(rawNumber(point.type, high, low), registers, point);
  }
}

function rawNumber(
  type: Exclude<PointType, 'enum16' | 'bits16' | 'bits32' | 'float32' | 'acc64'>,
  high: number,
  low: number,
): number | null {
  const isShort = type === 'int16' || type === 'uint16';
  if (saysNothing(type, isShort ? [high] : [high, low])) return null;
  if (type === 'int16') return high > 0x7fff ? high - 0x10000 : high;
  return type === 'uint16' ? high : high * 0x10000 + low;
}

function scaled(raw: number | null, registers: ArrayLike<number>, point: Point): number | null {
  if (raw === null) return null;
  let power = 0;
  if (point.scaleAt !== null) {
    const register = registers[point.scaleAt] ?? 0x8000;
    if (saysNothing('int16', [register])) return null;
    power = register > 0x7fff ? register - 0x10000 : register;
    if (Math.abs(power) > 10) return null;
  }
  const exponent = power + Math.log10(point.factor);
  // A division keeps the decimal digits that a multiplication with a power below one would blur.
  return exponent < 0 ? raw / 10 ** -exponent : raw * 10 ** exponent;
}

/** The specification says per cent; makers write the power factor as it is, too. Neither is below one per cent. */
function floatIn(value: number | null, { factor }: Point): number | null {
  const isPlain = value === null || factor === 1 || Math.abs(value) <= 1;
  return isPlain ? value : Number((value * factor).toPrecision(7));
}

/** A counter of four registers, exact: as digits where a number would lose the last ones. */
function long64(registers: ArrayLike<number>, at: number): number | string | null {
  const words = [0, 1, 2, 3].map((index) => registers[at + index] ?? 0);
  if (saysNothing('acc64', words)) return null;
  const value = words.reduce((sum, word) => sum * 0x1_0000n + BigInt(word), 0n);
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : String(value);
}

function float32(high: number, low: number): number | null {
  const bytes = new DataView(new ArrayBuffer(4));
  bytes.setUint16(0, high);
  bytes.setUint16(2, low);
  const value = bytes.getFloat32(0);
  return Number.isFinite(value) ? Number(value.toPrecision(7)) : null;
}

/** Names of the bits that are set, `none` when there are none. */
function bitNames(bits: number, names: Record<number, string>): string {
  const set = Array.from({ length: 31 }, (_, bit) => bit).filter(
    (bit) => Math.floor(bits / 2 ** bit) % 2 === 1,
  );
  return set.length === 0 ? 'none' : set.map((bit) => names[bit] ?? `Bit ${bit}`).join('; ');
}
