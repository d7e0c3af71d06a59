import type { Encoding } from '@albedo/contract/history-imports/history-imports.schema';

/** Bytes of a file that are looked at: what comes after so many plain ones is taken to be as they are. */
const LOOKED = 1_000_000_000;

/**
 * How a text is written: by its mark, by the zeros between the letters of most languages, and as Windows-1252 where it is no UTF-8
 * to its end.
 */
export async function encodingOf(chunks: AsyncIterable<Buffer>): Promise<Encoding> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let looked = 0;
  try {
    for await (const chunk of chunks) {
      const marked = looked === 0 ? byItsBeginning(chunk) : null;
      if (marked) return marked;
      looked += chunk.length;
      decoder.decode(chunk, { stream: true });
      if (looked > LOOKED) return 'utf-8';
    }
    decoder.decode();
    return 'utf-8';
  } catch (error) {
    // A file that cannot be read says nothing of its letters.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
    return 'windows-1252';
  }
}

function byItsBeginning(chunk: Buffer): Encoding | null {
  if (chunk[0] === 0xff && chunk[1] === 0xfe) return 'utf-16le';
  if (chunk[0] === 0xfe && chunk[1] === 0xff) return 'utf-16be';
  const head = chunk.subarray(0, 1000);
  const zeros = (odd: number) => head.filter((byte, at) => byte === 0 && at % 2 === odd).length;
  if (zeros(1) > head.length / 4) return 'utf-16le';
  return zeros(0) > head.length / 4 ? 'utf-16be' : null;
}

/** The text, piece by piece, without a mark at its beginning. */
export async function* decoded(chunks: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    if (text !== '') yield text;
  }
  const rest = decoder.decode();
  if (rest !== '') yield rest;
}
