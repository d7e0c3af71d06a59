/** Lists of numbers by the type of their column in the engine. */
const LISTS = { Float64: Float64Array, UInt32: Uint32Array, UInt16: Uint16Array } as const;
export type NumberType = keyof typeof LISTS;
export type NumberColumns<Types extends readonly NumberType[]> = {
  -readonly [At in keyof Types]: InstanceType<(typeof LISTS)[Types[At]]>;
};

/** An answer in the format Native, of columns of numbers: blocks of rows, in each of them column after column. */
export function readColumns<const Types extends readonly NumberType[]>(
  bytes: Buffer,
  types: Types,
): NumberColumns<Types> {
  const { blocks, rows } = blocksOf(bytes, types);
  return types.map((type, column) => {
    const all = new LISTS[type](rows);
    const into = new Uint8Array(all.buffer);
    let at = 0;
    for (const { starts, rows: count } of blocks) {
      const start = starts[column] as number;
      // Numbers begin at any byte of the answer, so that they are copied and not looked at where they are.
      into.set(bytes.subarray(start, start + count * all.BYTES_PER_ELEMENT), at);
      at += count * all.BYTES_PER_ELEMENT;
    }
    return all;
  }) as NumberColumns<Types>;
}

/** Where each column of each block begins. */
function blocksOf(bytes: Buffer, types: readonly NumberType[]) {
  const blocks: { rows: number; starts: number[] }[] = [];
  let at = 0;
  const take = (size: number): number => {
    const start = at;
    at += size;
    if (at > bytes.length) throw new RangeError('The answer of the engine breaks off.');
    return start;
  };
  /** A length: seven bits a byte, the lowest first. */
  const length = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[take(1)] as number;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const text = (): string => {
    const size = length();
    const start = take(size);
    return bytes.toString('utf8', start, start + size);
  };
  let rows = 0;
  while (at < bytes.length) {
    const count = length();
    const block = { rows: length(), starts: [] as number[] };
    if (count !== types.length) throw new TypeError(`The engine answers ${count} columns.`);
    for (const type of types) {
      const [name, found] = [text(), text()];
      if (found !== type) throw new TypeError(`The engine answers ${name} as ${found} in place of ${type}.`);
      block.starts.push(take(block.rows * LISTS[type].BYTES_PER_ELEMENT));
    }
    blocks.push(block);
    rows += block.rows;
  }
  return { blocks, rows };
}
