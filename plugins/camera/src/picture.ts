export interface Picture {
  bytes: Buffer;
  kind: Kind;
}

type Kind = 'jpg' | 'png' | 'gif' | 'webp' | 'bmp';

/** What browsers draw, by the first bytes in hexadecimal. */
const BEGINNINGS: readonly [Kind, RegExp][] = [
  ['jpg', /^ffd8ff/],
  ['png', /^89504e470d0a1a0a/],
  ['gif', /^47494638(?:37|39)61/],
  ['webp', /^52494646.{8}57454250/],
  ['bmp', /^424d.{8}0{8}/],
];

/** Bytes at the end among which a JPEG may end: cameras add some of their own. */
const TRAILER = 65_536;

/** Throws for what is no picture, and for a JPEG that ends in the middle. */
export function pictureOf(bytes: Buffer): Picture {
  const start = bytes.toString('hex', 0, 16);
  const kind = BEGINNINGS.find(([, beginning]) => beginning.test(start))?.[0];
  if (!kind) throw new Error('what the camera sends is no picture');
  if (kind === 'jpg' && bytes.subarray(-TRAILER).lastIndexOf('ffd9', undefined, 'hex') < 0)
    throw new Error('the picture has no end');
  return { bytes, kind };
}
