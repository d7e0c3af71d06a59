/** One field of a message: a number for varints, bytes for what has a length or a fixed size. */
export interface ProtoField {
  number: number;
  value: bigint | Buffer;
}

/** Fields of one message at most; a machine's birth has some thousands. */
const MOST_FIELDS = 50_000;

/**
 * The fields of a message in their order. Source: protobuf.dev/programming-guides/encoding.
 *
 * Throws for what ends too early, for lengths beyond the end, and for groups, which nobody writes any more.
 */
export function protoFields(bytes: Buffer): ProtoField[] {
  const fields: ProtoField[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error('the message ends within a number');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new Error('a number has too many bytes');
  };
  const take = (length: number): Buffer => {
    if (length > bytes.length - at) throw new Error('a field is longer than its message');
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    if (fields.length >= MOST_FIELDS) throw new Error(`more than ${MOST_FIELDS} fields`);
    const tag = varint();
    const number = Number(tag >> 3n);
    const kind = Number(tag & 7n);
    if (kind === 0) fields.push({ number, value: varint() });
    else if (kind === 1) fields.push({ number, value: take(8) });
    else if (kind === 2) fields.push({ number, value: take(Number(varint())) });
    else if (kind === 5) fields.push({ number, value: take(4) });
    else throw new Error(`a field of the kind ${kind}`);
  }
  return fields;
}

/** A message of numbers and of what has a length, in the order given. */
export function protoMessage(...fields: [number: number, value: Buffer | bigint][]): Buffer {
  return Buffer.concat(
    fields.flatMap(([number, value]) =>
      Buffer.isBuffer(value)
        ? [varintBytes(BigInt(number << 3) | 2n), varintBytes(BigInt(value.length)), value]
        : [varintBytes(BigInt(number << 3)), varintBytes(value)],
    ),
  );
}

function varintBytes(value: bigint): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    bytes.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0));
    if (rest <= 0x7fn) return Buffer.from(bytes);
  }
}
