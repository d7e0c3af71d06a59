import { type ProtoField, protoFields, protoMessage } from './protobuf.ts';

export interface Metric {
  /** Empty where only the alias stands for it. */
  name: string;
  alias: bigint | null;
  /** Null where the birth has told it. */
  type: number | null;
  /** Epoch ms; null where the payload's own time counts. */
  at: number | null;
  value: bigint | Buffer | null;
  isHistorical: boolean;
}

export interface SparkplugPayload {
  at: number | null;
  /** Counts the messages of a node from 0 to 255 and round again; null where there is none. */
  seq: number | null;
  metrics: Metric[];
}

/**
 * Reads a payload of Sparkplug B. Throws for what is none.
 *
 * Source: Sparkplug 3.0.0, section 6.4 and sparkplug_b.proto; numbers of fields and types are from there.
 */
export function decodePayload(bytes: Buffer): SparkplugPayload {
  const fields = protoFields(bytes);
  return {
    at: instantOf(fields.find(({ number }) => number === 1)),
    seq: seqOf(fields.find(({ number }) => number === 3)),
    metrics: fields.filter(({ number, value }) => number === 2 && Buffer.isBuffer(value)).map(metricOf),
  };
}

const seqOf = (field: ProtoField | undefined): number | null =>
  typeof field?.value === 'bigint' ? Number(field.value & 0xffn) : null;

const REBIRTH = 'Node Control/Rebirth';

/** Asks a node to tell all its metrics again. Source: Sparkplug 3.0.0, section 5.10. */
export function rebirthPayload(now: number): Buffer {
  const at = BigInt(now);
  const metric = protoMessage([1, Buffer.from(REBIRTH)], [3, at], [4, BigInt(BOOLEAN)], [14, 1n]);
  return protoMessage([1, at], [2, metric]);
}

function metricOf({ value: bytes }: ProtoField): Metric {
  const metric: Metric = { name: '', alias: null, type: null, at: null, value: null, isHistorical: false };
  let isNull = false;
  for (const field of protoFields(bytes as Buffer)) {
    const { number, value } = field;
    if (number === 1 && Buffer.isBuffer(value)) metric.name = value.toString('utf8');
    else if (number === 2 && typeof value === 'bigint') metric.alias = value;
    else if (number === 3) metric.at = instantOf(field);
    else if (number === 4) metric.type = Number(value);
    else if (number === 5) metric.isHistorical = value === 1n;
    else if (number === 7) isNull = value === 1n;
    else if (number >= 10 && number <= 16) metric.value = value;
  }
  if (isNull) metric.value = null;
  return metric;
}

function instantOf(field: ProtoField | undefined): number | null {
  const at = Number(field?.value ?? 0);
  return at > 0 && at < 253_402_300_800_000 ? at : null;
}

const SIGNED: Record<number, number> = { 1: 8, 2: 16, 3: 32, 4: 64 };
const UNSIGNED = new Set([5, 6, 7, 8]);
const [FLOAT, DOUBLE, BOOLEAN, STRING, DATE_TIME, TEXT, UUID] = [9, 10, 11, 12, 13, 14, 15];

/** A value by its type; null for lists, files and structures, which are no values of one column. */
export function metricValue(type: number, value: bigint | Buffer | null): unknown {
  if (value === null) return null;
  const bits = SIGNED[type];
  if (bits !== undefined) return typeof value === 'bigint' ? plain(BigInt.asIntN(bits, value)) : null;
  if (UNSIGNED.has(type)) return typeof value === 'bigint' ? plain(value) : null;
  if (type === BOOLEAN) return value === 1n;
  if (type === DATE_TIME) return typeof value === 'bigint' ? new Date(Number(value)) : null;
  if (!Buffer.isBuffer(value)) return null;
  if (type === FLOAT) return value.length === 4 ? Number(value.readFloatLE(0).toPrecision(7)) : null;
  if (type === DOUBLE) return value.length === 8 ? value.readDoubleLE(0) : null;
  return type === STRING || type === TEXT || type === UUID ? value.toString('utf8') : null;
}

/** What a type is called in a column; null for one that is no column. */
export function metricType(type: number): 'integer' | 'decimal' | 'bool' | 'keyword' | 'date' | null {
  if (SIGNED[type] !== undefined || UNSIGNED.has(type)) return 'integer';
  if (type === FLOAT || type === DOUBLE) return 'decimal';
  if (type === BOOLEAN) return 'bool';
  if (type === DATE_TIME) return 'date';
  return type === STRING || type === TEXT || type === UUID ? 'keyword' : null;
}

const plain = (value: bigint): number | bigint =>
  Number.isSafeInteger(Number(value)) ? Number(value) : value;
