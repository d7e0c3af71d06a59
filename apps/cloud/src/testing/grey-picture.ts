import { crc32, deflateSync } from 'node:zlib';

/** A PNG of one grey, as large as told. */
export function greyPicture(width = 8, height = 6, grey = 128): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  const rows = Buffer.concat(
    Array.from({ length: Math.min(height, 100) }, () => Buffer.alloc(width + 1, grey).fill(0, 0, 1)),
  );
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const ends = [data.length, crc32(body)].map((number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(number);
    return bytes;
  });
  return Buffer.concat([ends[0] ?? body, body, ends[1] ?? body]);
}
