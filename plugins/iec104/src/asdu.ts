import { instantIn, zoneOffsets } from '@albedo/plugin-kit/times/zones';

/** One value of a station. */
export interface InformationObject {
  commonAddress: number;
  /** Address of the object. */
  address: number;
  /** Null where its quality says that it was not measured. */
  value: number | boolean | null;
  /** When the station measured it, epoch ms; null without a time, or with one that it does not trust. */
  at: number | null;
}

export interface Asdu {
  type: number;
  cause: number;
  isNegative: boolean;
  commonAddress: number;
  /** Empty for what is no value. */
  objects: InformationObject[];
}

const INVALID = 0x80;
const NOT_TOPICAL = 0x40;
const OVERFLOW = 0x01;

type Decoder = (bytes: Buffer, at: number) => number | boolean | null;
type Column = 'bool' | 'integer' | 'decimal';

/** Value or nothing, by a quality descriptor. Source: IEC 60870-5-101:2003, 7.2.6.3. */
const good = <T>(quality: number, value: T): T | null =>
  (quality & (INVALID | NOT_TOPICAL | OVERFLOW)) === 0 ? value : null;
const isMeasured = (quality: number) => (quality & (INVALID | NOT_TOPICAL)) === 0;

const single: Decoder = (bytes, at) => {
  const byte = bytes.readUInt8(at);
  return isMeasured(byte) ? (byte & 1) === 1 : null;
};
/** 1 off, 2 on; the two others say that it is neither. */
const double: Decoder = (bytes, at) => {
  const byte = bytes.readUInt8(at);
  return isMeasured(byte) ? byte & 3 : null;
};
const step: Decoder = (bytes, at) => {
  const byte = bytes.readUInt8(at) & 0x7f;
  return good(bytes.readUInt8(at + 1), byte > 63 ? byte - 128 : byte);
};
const bits: Decoder = (bytes, at) => good(bytes.readUInt8(at + 4), bytes.readUInt32LE(at));
const normalized: Decoder = (bytes, at) => good(bytes.readUInt8(at + 2), bytes.readInt16LE(at) / 32_768);
const scaledValue: Decoder = (bytes, at) => good(bytes.readUInt8(at + 2), bytes.readInt16LE(at));
const float: Decoder = (bytes, at) => {
  const value = good(bytes.readUInt8(at + 4), Number(bytes.readFloatLE(at).toPrecision(7)));
  return value !== null && Number.isFinite(value) ? value : null;
};
/** A counter; its own quality has the bit for invalid alone. */
const counter: Decoder = (bytes, at) =>
  (bytes.readUInt8(at + 4) & INVALID) === 0 ? bytes.readInt32LE(at) : null;
const bare: Decoder = (bytes, at) => bytes.readInt16LE(at) / 32_768;

interface Kind {
  size: number;
  decode: Decoder;
  column: Column;
  hasTime: boolean;
}

const kind = (size: number, decode: Decoder, column: Column, hasTime = false): Kind => ({
  size: size + (hasTime ? 7 : 0),
  decode,
  column,
  hasTime,
});

/** Types that carry values. Source: IEC 60870-5-101:2003, 7.3.1 and IEC 60870-5-104:2006, table 6. */
const KINDS = new Map<number, Kind>([
  [1, kind(1, single, 'bool')],
  [3, kind(1, double, 'integer')],
  [5, kind(2, step, 'integer')],
  [7, kind(5, bits, 'integer')],
  [9, kind(3, normalized, 'decimal')],
  [11, kind(3, scaledValue, 'integer')],
  [13, kind(5, float, 'decimal')],
  [15, kind(5, counter, 'integer')],
  [21, kind(2, bare, 'decimal')],
  [30, kind(1, single, 'bool', true)],
  [31, kind(1, double, 'integer', true)],
  [32, kind(2, step, 'integer', true)],
  [33, kind(5, bits, 'integer', true)],
  [34, kind(3, normalized, 'decimal', true)],
  [35, kind(3, scaledValue, 'integer', true)],
  [36, kind(5, float, 'decimal', true)],
  [37, kind(5, counter, 'integer', true)],
]);

/** What the values of a type are in a configuration. */
export const columnOf = (type: number): Column => KINDS.get(type)?.column ?? 'decimal';

const HEADER = 6;
const ADDRESS = 3;

/** How a station's clock goes. */
export interface StationClock {
  /** Name of the IANA database, or UTC. */
  zone: string;
  isWinterAllYear: boolean;
}

/** Reads what a station says. Throws for what contradicts itself. */
export function readAsdu(bytes: Buffer, clock: StationClock): Asdu {
  if (bytes.length < HEADER) throw new Error(`an ASDU of ${bytes.length} bytes`);
  const [type, count] = [bytes.readUInt8(0), bytes.readUInt8(1) & 0x7f];
  const isSequence = (bytes.readUInt8(1) & 0x80) !== 0;
  const cause = bytes.readUInt8(2);
  const asdu: Asdu = {
    type,
    cause: cause & 0x3f,
    isNegative: (cause & 0x40) !== 0,
    commonAddress: bytes.readUInt16LE(4),
    objects: [],
  };
  const known = KINDS.get(type);
  if (!known) return asdu;
  const expected = HEADER + (isSequence ? ADDRESS + count * known.size : count * (ADDRESS + known.size));
  if (bytes.length !== expected || count === 0)
    throw new Error(`type ${type} with ${count} objects in ${bytes.length} bytes instead of ${expected}`);
  for (let index = 0; index < count; index++) {
    const start = isSequence ? HEADER : HEADER + index * (ADDRESS + known.size);
    const at = isSequence ? HEADER + ADDRESS + index * known.size : start + ADDRESS;
    asdu.objects.push({
      commonAddress: asdu.commonAddress,
      address: bytes.readUIntLE(start, ADDRESS) + (isSequence ? index : 0),
      value: known.decode(bytes, at),
      at: known.hasTime ? readTime(bytes, at + known.size - 7, clock) : null,
    });
  }
  return asdu;
}

/**
 * CP56Time2a. Source: IEC 60870-5-4:1993, 6.8. Null for one that is marked invalid, or that no calendar has.
 *
 * Its bit for summer time (SU) says which of the two hours of the same name in autumn is meant; a station on winter time
 * all year that sets it still adds the hour.
 */
export function readTime(bytes: Buffer, at: number, clock: StationClock): number | null {
  const [ms, minute] = [bytes.readUInt16LE(at), bytes.readUInt8(at + 2)];
  if ((minute & 0x80) !== 0) return null;
  const [hour, day] = [bytes.readUInt8(at + 3) & 0x1f, bytes.readUInt8(at + 4) & 0x1f];
  const [month, year] = [bytes.readUInt8(at + 5) & 0x0f, 2000 + (bytes.readUInt8(at + 6) & 0x7f)];
  const isSummer = (bytes.readUInt8(at + 3) & 0x80) !== 0;
  const isReal = ms < 60_000 && (minute & 0x3f) < 60 && hour < 24 && day > 0 && month > 0 && month < 13;
  if (!isReal) return null;
  const shown = Date.UTC(year, month - 1, day, hour, minute & 0x3f, 0, ms);
  if (new Date(shown).getUTCDate() !== day) return null;
  if (clock.zone === 'UTC') return shown;
  if (!clock.isWinterAllYear) return instantIn(clock.zone, shown, isSummer);
  const { standardMinutes } = zoneOffsets(clock.zone, year);
  return shown - (standardMinutes + (isSummer ? 60 : 0)) * 60_000;
}

const INTERROGATION = 100;
const ACTIVATION = 6;
const WHOLE_STATION = 20;

/** Asks a station for all its values. */
export function interrogation(commonAddress: number): Buffer {
  const bytes = Buffer.from([INTERROGATION, 1, ACTIVATION, 0, 0, 0, 0, 0, 0, WHOLE_STATION]);
  bytes.writeUInt16LE(commonAddress, 4);
  return bytes;
}

const TERMINATION = 10;
const CONFIRMATION = 7;

/** The station has told all that it was asked for, or does not want to. */
export const endsInterrogation = ({ type, cause, isNegative }: Asdu): boolean =>
  type === INTERROGATION && (cause === TERMINATION || cause >= 44 || (cause === CONFIRMATION && isNegative));
