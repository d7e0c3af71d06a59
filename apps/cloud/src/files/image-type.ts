import type { Readable } from 'node:stream';

/** Pictures that a browser draws and never runs, by how their bytes begin. */
const SIGNATURES: readonly (readonly [type: string, pattern: RegExp])[] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/gif', /^47494638(37|39)61/],
  ['image/webp', /^52494646.{8}57454250/],
];

const HEAD_BYTES = 12;

/** The media type that the bytes themselves tell, whatever the sender said; null for anything but these pictures. */
export async function imageType(bytes: Readable): Promise<string | null> {
  let head = Buffer.alloc(0);
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    head = Buffer.concat([head, chunk]);
    if (head.length >= HEAD_BYTES) break;
  }
  const hex = head.subarray(0, HEAD_BYTES).toString('hex');
  return SIGNATURES.find(([, pattern]) => pattern.test(hex))?.[0] ?? null;
}
