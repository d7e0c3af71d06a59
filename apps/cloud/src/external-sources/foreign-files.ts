/** A file on somebody else's server, before it is read. */
export interface RemoteFile {
  /** Its name, unique within its source. */
  name: string;
  bytes: number;
  /** When it was written, epoch ms; null if unknown. */
  at: number | null;
}

export interface ForeignBytes {
  name: string;
  bytes: Buffer;
}

/** This file cannot be used, but others can; the message is for people. */
export class RefusedFile extends Error {}
/** The file cannot be read now and is tried again: it may be locked, or not readable for us yet. */
export class UnreadFile extends RefusedFile {}

/** Most bytes of one file, packed and unpacked. */
export const FILE_BYTES = 20_000_000;
export const UNPACKED_BYTES = 60_000_000;

/** Throws `RefusedFile` if a file is larger than may be read. */
export function demandSize(bytes: number, most = FILE_BYTES): void {
  if (bytes > most) throw new RefusedFile(`It has more than ${Math.round(most / 1e6)} MB.`);
}

/** All bytes of a stream. Throws `RefusedFile` as soon as there are more than `most`. */
export async function bytesOf(stream: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of stream) {
    length += piece.length;
    demandSize(length, most);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
