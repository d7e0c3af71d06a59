import { crc32, deflateSync } from 'node:zlib';

/** Red, green and blue, 0..255 each. */
export type Colour = readonly [red: number, green: number, blue: number];

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** Each pixel as its difference to the one before, which packs well where colours pass into one another. */
const SUB = 1;
const RGB = 2;

/** A PNG of what `colourAt` paints. */
export function paintPng(width: number, height: number, colourAt: (x: number, y: number) => Colour): Buffer {
  const rows = Buffer.alloc(height * (1 + 3 * width));
  for (let y = 0, at = 0; y < height; y++) {
    rows[at++] = SUB;
    let before: Colour = [0, 0, 0];
    for (let x = 0; x < width; x++) {
      const [red, green, blue] = colourAt(x, y);
      const colour: Colour = [byteOf(red), byteOf(green), byteOf(blue)];
      for (const part of [0, 1, 2] as const) rows[at++] = (colour[part] - before[part]) & 0xff;
      before = colour;
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  head[9] = RGB;
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const byteOf = (value: number): number => Math.max(0, Math.min(255, Math.round(value)));

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
