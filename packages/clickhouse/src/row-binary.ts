/** One row: its texts, and its lists of numbers. */
export interface TextsAndLists {
  texts: string[];
  lists: Float64Array[];
}

/** Rows of the format RowBinary, of columns of String and then of Array(Float64). */
export function readLists(
  bytes: Buffer,
  { texts, lists }: { texts: number; lists: number },
): TextsAndLists[] {
  const rows: TextsAndLists[] = [];
  let at = 0;
  /** A length: seven bits a byte, the lowest first. */
  const length = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError('The answer of the engine breaks off.');
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const take = (size: number): number => {
    const start = at;
    at += size;
    if (at > bytes.length) throw new RangeError('The answer of the engine breaks off.');
    return start;
  };
  while (at < bytes.length) {
    const row: TextsAndLists = { texts: [], lists: [] };
    for (let i = 0; i < texts; i++) {
      const size = length();
      const start = take(size);
      row.texts.push(bytes.toString('utf8', start, start + size));
    }
    for (let i = 0; i < lists; i++) {
      const size = length() * Float64Array.BYTES_PER_ELEMENT;
      const start = bytes.byteOffset + take(size);
      // A copy, since numbers begin at any byte there.
      row.lists.push(new Float64Array(bytes.buffer.slice(start, start + size)));
    }
    rows.push(row);
  }
  return rows;
}
