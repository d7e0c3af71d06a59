import { storableText } from '@albedo/postgres/storable';

/**
 * Payloads of Sparkplug B, read as Protocol Buffers. Source: Eclipse Sparkplug 3.0.0, chapter 6.4.
 *
 * Read by hand, because a metric that names its alias alone says no data type, and encoders differ in the field that a number
 * travels in: the value is what its field holds, and the type of its birth says how to read it.
 */

/** What a field of a message holds: a number of any size, or bytes. */
type Raw = bigint | Buffer;

export interface SparkplugMetric {
  name: string | null;
  alias: bigint | null;
  /** Epoch ms. */
  at: number | null;
  datatype: number | null;
  isHistorical: boolean;
  isTransient: boolean;
  isNull: boolean;
  /** As it travelled; null without one, or where it is of no simple type. */
  value: { kind: 'int' | 'float' | 'double' | 'bool' | 'text'; raw: Raw } | null;
  units: string | null;
}

export interface SparkplugPayload {
  at: number | null;
  seq: number | null;
  metrics: SparkplugMetric[];
}

/** A payload that is none; the message is for people. */
export class UnreadablePayload extends Error {}

/** Names of the property that holds units, as makers call it. */
const UNITS: ReadonlySet<string> = new Set(['engunit', 'engineering units', 'units', 'unit']);

/** Throws `UnreadablePayload`. */
export function decodeSparkplug(bytes: Buffer): SparkplugPayload {
  const payload: SparkplugPayload = { at: null, seq: null, metrics: [] };
  for (const [field, raw] of fieldsOf(bytes)) {
    if (field === 1) payload.at = Number(numberOf(raw));
    else if (field === 2) payload.metrics.push(metricOf(bytesOf(raw)));
    else if (field === 3) payload.seq = Number(numberOf(raw));
    else if (field === 4 && bytesOf(raw).toString() === 'SPBV1.0_COMPRESSED')
      throw new UnreadablePayload('it is compressed, which is not read.');
  }
  return payload;
}

const KINDS = new Map<number, NonNullable<SparkplugMetric['value']>['kind']>([
  [10, 'int'],
  [11, 'int'],
  [12, 'float'],
  [13, 'double'],
  [14, 'bool'],
  [15, 'text'],
]);

function metricOf(bytes: Buffer): SparkplugMetric {
  const metric: SparkplugMetric = {
    name: null,
    alias: null,
    at: null,
    datatype: null,
    isHistorical: false,
    isTransient: false,
    isNull: false,
    value: null,
    units: null,
  };
  for (const [field, raw] of fieldsOf(bytes)) {
    const kind = KINDS.get(field);
    if (kind) metric.value = { kind, raw };
    else if (field === 1) metric.name = bytesOf(raw).toString();
    else if (field === 2) metric.alias = numberOf(raw);
    else if (field === 3) metric.at = Number(numberOf(raw));
    else if (field === 4) metric.datatype = Number(numberOf(raw));
    else if (field === 5) metric.isHistorical = numberOf(raw) !== 0n;
    else if (field === 6) metric.isTransient = numberOf(raw) !== 0n;
    else if (field === 7) metric.isNull = numberOf(raw) !== 0n;
    else if (field === 9) metric.units = unitsOf(bytesOf(raw));
  }
  return metric;
}

/** Keys and values of a set of properties stand in two lists. */
function unitsOf(properties: Buffer): string | null {
  const keys: string[] = [];
  const values: Buffer[] = [];
  for (const [field, raw] of fieldsOf(properties)) {
    if (field === 1) keys.push(bytesOf(raw).toString());
    else if (field === 2) values.push(bytesOf(raw));
  }
  const value = values[keys.findIndex((key) => UNITS.has(key.toLowerCase()))];
  if (!value) return null;
  for (const [field, raw] of fieldsOf(value))
    if (field === 8) return bytesOf(raw).toString().trim().slice(0, 40) || null;
  return null;
}

const INT_BITS = new Map([
  [1, 8],
  [2, 16],
  [3, 32],
  [4, 64],
]);
const UINT_BITS = new Map([
  [5, 8],
  [6, 16],
  [7, 32],
  [8, 64],
]);
const TEXTS: ReadonlySet<number> = new Set([12, 14, 15]);
const DATE = 13;
const BOOL = 11;

export type SparkplugType = 'decimal' | 'integer' | 'bool' | 'keyword' | 'date';
export interface SparkplugValue {
  type: SparkplugType;
  value: number | string;
}

/** The value in the type of its birth; null where it is none that a table has. */
export function readValue(metric: SparkplugMetric, datatype: number | null): SparkplugValue | null {
  if (metric.isNull || !metric.value) return null;
  const { kind, raw } = metric.value;
  const type = datatype ?? 0;
  if (kind === 'text') return TEXTS.has(type) || type === 0 ? textOf(raw) : null;
  if (kind === 'bool') return type === BOOL || type === 0 ? truth(raw) : null;
  if (kind === 'float' || kind === 'double') return decimalOf(bytesOf(raw), kind);
  if (type === BOOL) return truth(raw);
  return integerOf(numberOf(raw), type);
}

const textOf = (raw: Raw): SparkplugValue => ({
  type: 'keyword',
  value: storableText(bytesOf(raw).toString()),
});
const truth = (raw: Raw): SparkplugValue => ({ type: 'bool', value: numberOf(raw) === 0n ? 0 : 1 });

function decimalOf(bytes: Buffer, kind: 'float' | 'double'): SparkplugValue | null {
  const value = kind === 'double' ? bytes.readDoubleLE() : shortest(bytes.readFloatLE());
  return Number.isFinite(value) ? { type: 'decimal', value } : null;
}

/** The number that people wrote: 20.1, not the 20.100000381469727 that a float makes of it. */
function shortest(float: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const tried = Number(float.toPrecision(digits));
    if (Math.fround(tried) === float) return tried;
  }
  return float;
}

function integerOf(raw: bigint, type: number): SparkplugValue | null {
  if (type === DATE) return { type: 'date', value: Number(BigInt.asIntN(64, raw)) };
  const signed = INT_BITS.get(type);
  if (signed !== undefined) return { type: 'integer', value: Number(BigInt.asIntN(signed, raw)) };
  const unsigned = UINT_BITS.get(type);
  if (unsigned !== undefined || type === 0)
    return { type: 'integer', value: Number(BigInt.asUintN(unsigned ?? 64, raw)) };
  // A whole number where a decimal or a text was born.
  return type === 9 || type === 10 ? { type: 'decimal', value: Number(raw) } : null;
}

function* fieldsOf(bytes: Buffer): Generator<[field: number, raw: Raw]> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new UnreadablePayload('it ends too early.');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new UnreadablePayload('it is no payload of Sparkplug B.');
  };
  const take = (count: number): Buffer => {
    if (count > bytes.length - at) throw new UnreadablePayload('it ends too early.');
    at += count;
    return bytes.subarray(at - count, at);
  };
  while (at < bytes.length) {
    const tag = varint();
    const field = Number(tag >> 3n);
    const wire = Number(tag & 7n);
    if (wire === 0) yield [field, varint()];
    else if (wire === 1) yield [field, take(8)];
    else if (wire === 2) yield [field, take(Number(varint()))];
    else if (wire === 5) yield [field, take(4)];
    else throw new UnreadablePayload('it is no payload of Sparkplug B.');
  }
}

function bytesOf(raw: Raw): Buffer {
  if (typeof raw === 'bigint') throw new UnreadablePayload('it is no payload of Sparkplug B.');
  return raw;
}

function numberOf(raw: Raw): bigint {
  if (typeof raw !== 'bigint') throw new UnreadablePayload('it is no payload of Sparkplug B.');
  return raw;
}

const REBIRTH = 'Node Control/Rebirth';

/** The command by which a node tells everything anew. */
export function rebirthCommand(now: number): Buffer {
  const at = varintOf(BigInt(now));
  const name = Buffer.from(REBIRTH);
  const metric = Buffer.concat([
    Buffer.from([0x0a, name.length]),
    name,
    Buffer.from([0x18]),
    at,
    Buffer.from([0x20, BOOL, 0x70, 1]),
  ]);
  return Buffer.concat([Buffer.from([0x08]), at, Buffer.from([0x12, metric.length]), metric]);
}

function varintOf(value: bigint): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    if (rest < 0x80n) return Buffer.from([...bytes, Number(rest)]);
    bytes.push(Number(rest & 0x7fn) | 0x80);
  }
}
