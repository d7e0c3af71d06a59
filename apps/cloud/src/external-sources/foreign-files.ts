/** A file that somebody else has, before it is read. */
export interface RemoteFile {
  /** What it is known by, within its source. */
  name: string;
  bytes: number;
  /** When it was written, epoch ms; null where nothing says it. */
  at: number | null;
}

export interface ForeignBytes {
  name: string;
  bytes: Buffer;
}

/** One file cannot be taken; the message is for people. The others can. */
export class RefusedFile extends Error {}
/** It cannot be read now, and is tried again: it may be locked, or not be allowed yet. */
export class UnreadFile extends RefusedFile {}

/** Bytes of one file as it comes, and of all that it unpacks to. */
export const FILE_BYTES = 20_000_000;
export const UNPACKED_BYTES = 60_000_000;

/** Throws `RefusedFile` for a file that says that it has more than may be read. */
export function demandSize(bytes: number, most = FILE_BYTES): void {
  if (bytes > most) throw new RefusedFile(`It has more than ${Math.round(most / 1e6)} MB.`);
}

/** What a stream has. Throws `RefusedFile` as soon as it is more than `most`. */
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
