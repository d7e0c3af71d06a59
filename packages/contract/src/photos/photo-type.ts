/** Pictures that a browser draws and never runs. */
export const PHOTO_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/bmp', 'image/webp'] as const;
export type PhotoType = (typeof PHOTO_TYPES)[number];

/** Source: specification 1, section 5. */
const IMAGE_NAME = /\.(?:jpg|jpeg|png|gif|bmp|webp|svg)$/i;

/** Whether a file is a picture by its name. */
export const isImageName = (name: string): boolean => IMAGE_NAME.test(name);

/** What the bytes themselves say, whatever the file is called; null for all but these pictures. SVG is none: it can run scripts. */
export function photoTypeOf(bytes: Uint8Array): PhotoType | null {
  const begins = (...expected: number[]) => expected.every((byte, at) => bytes[at] === byte);
  const text = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  if (begins(0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (begins(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png';
  if (/^GIF8[79]a/.test(text(0, 6))) return 'image/gif';
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'image/webp';
  return isBmp(bytes) ? 'image/bmp' : null;
}

/** Two letters alone would let any text pass: the reserved bytes and the length of the second header count too. */
function isBmp(bytes: Uint8Array): boolean {
  if (bytes.length < 26 || bytes[0] !== 0x42 || bytes[1] !== 0x4d) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return view.getUint32(6, true) === 0 && [12, 40, 52, 56, 64, 108, 124].includes(view.getUint32(14, true));
}

/** Bytes at the end among which a picture may end: cameras add some of their own. */
const TRAILER = 65_536;

/** Whether the picture has its end: one that is still being written, or was cut off, has not. */
export function isWholePhoto(type: PhotoType, bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  switch (type) {
    case 'image/jpeg':
      return endsWith(bytes, [0xff, 0xd9], TRAILER);
    case 'image/png':
      return endsWith(bytes, [0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82], TRAILER);
    case 'image/gif':
      return endsWith(bytes, [0x00, 0x3b], 16);
    case 'image/webp':
      return bytes.length >= 12 && view.getUint32(4, true) + 8 <= bytes.length;
    case 'image/bmp':
      return view.getUint32(2, true) <= bytes.length;
  }
}

function endsWith(bytes: Uint8Array, end: readonly number[], within: number): boolean {
  const first = Math.max(0, bytes.length - end.length - within);
  for (let at = bytes.length - end.length; at >= first; at--) {
    if (end.every((byte, index) => bytes[at + index] === byte)) return true;
  }
  return false;
}
