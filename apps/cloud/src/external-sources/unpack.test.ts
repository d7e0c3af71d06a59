import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { unpack } from './unpack.ts';

interface Part {
  name: string;
  content: string | Buffer;
  /** What the directory says of it. */
  mode?: number;
  flags?: number;
  said?: number;
}

/** A ZIP archive as programs write it, with whatever its directory is to say. */
function zip(...parts: Part[]): Buffer {
  const files: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const { name, content, mode = 0o100644, flags = 0, said } of parts) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const label = Buffer.from(name);
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(flags, 2);
    about.writeUInt16LE(8, 4);
    about.writeUInt32LE(crc32(bytes), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(said ?? bytes.length, 18);
    about.writeUInt16LE(label.length, 22);
    const file = Buffer.concat([Buffer.from('PK\u0003\u0004'), about, label, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE((mode << 16) >>> 0, 6);
    tail.writeUInt32LE(at, 10);
    entries.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 3]), about, tail, label]));
    files.push(file);
    at += file.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...files, directory, Buffer.from('PK\u0005\u0006'), end]);
}
const names = async (bytes: Buffer, most?: number) =>
  (await unpack({ name: 'a', bytes }, most)).map(({ name, bytes: inner }) => [name, inner.toString()]);

test('ZIP and gzip are unpacked, and what is neither is as it came', async () => {
  const bytes = zip(
    { name: 'b.csv', content: 'two' },
    { name: 'x/', content: '' },
    { name: 'a.csv', content: 'one' },
  );
  expect(await names(bytes)).toEqual([
    ['a/a.csv', 'one'],
    ['a/b.csv', 'two'],
  ]);
  expect(await names(gzipSync('one'))).toEqual([['a', 'one']]);
  expect(await names(Buffer.from('one'))).toEqual([['a', 'one']]);
});

test('what macOS adds to an archive, and what is hidden in it, is left out', async () => {
  const bytes = zip(
    { name: '__MACOSX/._a.csv', content: 'x' },
    { name: '.DS_Store', content: 'x' },
    { name: 'days/.hidden', content: 'x' },
    { name: 'days/a.csv', content: 'one' },
  );
  expect(await names(bytes)).toEqual([['a/days/a.csv', 'one']]);
});

const TAR = Buffer.alloc(1024);
TAR.write('ustar', 257);

test.each<[string, Buffer, RegExp]>([
  [
    'a name that leads elsewhere',
    zip({ name: '../../etc/passwd', content: 'x' }),
    /not read: invalid relative path/,
  ],
  ['a name from the root', zip({ name: '/etc/passwd', content: 'x' }), /not read: absolute path/],
  ['a link', zip({ name: 'a.csv', content: '/etc/passwd', mode: 0o120777 }), /has a link in it: a\.csv/],
  ['a password', zip({ name: 'a.csv', content: 'x', flags: 1 }), /has a password/],
  ['an archive within', zip({ name: 'a.gz', content: gzipSync('x') }), /an archive within an archive/],
  ['a gzip file within', gzipSync(gzipSync('x')), /an archive within an archive/],
  ['a TAR archive', gzipSync(TAR), /TAR archives are not read/],
  ['a spreadsheet', zip({ name: 'xl/workbook.xml', content: 'x' }), /It is a spreadsheet/],
  [
    'too many files',
    zip(...Array.from({ length: 101 }, (_, i) => ({ name: `${i}`, content: 'x' }))),
    /more than 100 files/,
  ],
  ['a damaged one', zip({ name: 'a.csv', content: 'x' }).subarray(0, 40), /The ZIP archive is not read/],
  ['a damaged gzip file', gzipSync('x'.repeat(100)).subarray(0, 15), /The gzip file is damaged/],
])('%s is refused', async (_what, bytes, why) => {
  await expect(unpack({ name: 'a', bytes })).rejects.toThrow(why);
});

const BOMB = Buffer.alloc(5_000_000);
test.each([
  ['that says so', zip({ name: 'a', content: BOMB })],
  [
    'in two files',
    zip({ name: 'a', content: BOMB.subarray(0, 900_000) }, { name: 'b', content: BOMB.subarray(0, 900_000) }),
  ],
  ['as gzip', gzipSync(BOMB)],
])('a bomb %s is refused', async (_what, bytes) => {
  await expect(unpack({ name: 'a', bytes }, 1_000_000)).rejects.toThrow('It unpacks to more than 1 MB.');
});

test('a bomb that says that it is small is refused while it is unpacked', async () => {
  const bytes = zip({ name: 'a', content: BOMB, said: 1000 });
  await expect(unpack({ name: 'a', bytes }, 1_000_000)).rejects.toThrow(/not read|more than/);
});
