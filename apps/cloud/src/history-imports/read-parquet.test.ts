import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { GROUP_ROWS, readParquet } from './read-parquet.ts';

/** Thrift's compact protocol, as far as a page and its footer need it. */
const varint = (n: number): number[] => (n < 128 ? [n] : [(n % 128) | 128, ...varint(Math.floor(n / 128))]);
const zigzag = (n: number): number[] => varint(n * 2);
const field = (delta: number, type: number, value: number[]): number[] => [(delta << 4) | type, ...value];
const i32 = (delta: number, n: number) => field(delta, 5, zigzag(n));
const i64 = (delta: number, n: number) => field(delta, 6, zigzag(n));
const word = (text: string) => [...varint(text.length), ...Buffer.from(text)];
const struct = (...fields: number[][]) => [...fields.flat(), 0];
const list = (delta: number, type: number, items: number[][]) =>
  field(delta, 9, [(items.length << 4) | type, ...items.flat()]);

/** A file with one column `n` of 64-bit integers and one page, which says that it unpacks to so many bytes. */
function parquet({
  codec,
  packed,
  says,
  rows,
}: {
  codec: number;
  packed: Buffer;
  says: number;
  rows: number;
}) {
  const header = struct(
    i32(1, 0),
    i32(1, says),
    i32(1, packed.length),
    field(2, 12, struct(i32(1, rows), i32(1, 0), i32(1, 3), i32(1, 3))),
  );
  const page = Buffer.concat([Buffer.from(header), packed]);
  const column = struct(
    i32(1, 2),
    list(1, 5, [zigzag(0)]),
    list(1, 8, [word('n')]),
    i32(1, codec),
    i64(1, rows),
    i64(1, says),
    i64(1, page.length),
    i64(2, 4),
  );
  const group = struct(list(1, 12, [struct(i64(2, 4), field(1, 12, column))]), i64(1, says), i64(1, rows));
  const root = struct(field(4, 8, word('schema')), i32(1, 1));
  const leaf = struct(i32(1, 2), i32(2, 0), field(1, 8, word('n')));
  const footer = Buffer.from(
    struct(i32(1, 1), list(1, 12, [root, leaf]), i64(1, rows), list(1, 12, [group])),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  const bytes = Buffer.concat([Buffer.from('PAR1'), page, footer, length, Buffer.from('PAR1')]);
  return {
    byteLength: bytes.length,
    slice: (from: number, to = bytes.length) => new Uint8Array(bytes.subarray(from, to)).buffer,
  };
}

const rowsOf = async (file: ReturnType<typeof parquet>) => {
  const found: unknown[] = [];
  for await (const { records } of readParquet(file))
    found.push(...records.map((one) => ('record' in one ? one.record.n : one)));
  return found;
};

const GZIP = 2;
const ZSTD = 6;
const zeros = Buffer.alloc(24);
const BOMB = Buffer.alloc(100_000_000);

test('a small file of this make is read', async () => {
  const file = parquet({ codec: GZIP, packed: gzipSync(zeros), says: 24, rows: 3 });
  expect(await rowsOf(file)).toEqual([0n, 0n, 0n]);
});

test('a page that unpacks to more than any writer makes is refused before it is unpacked', async () => {
  const packed = gzipSync(BOMB);
  expect(packed.length).toBeLessThan(200_000);
  const file = parquet({ codec: GZIP, packed, says: BOMB.length, rows: 3 });
  await expect(rowsOf(file)).rejects.toThrow(/a page of it unpacks to 100000000 bytes/);
});

test.each([
  ['gzip', GZIP, gzipSync(BOMB)],
  // A frame that says it holds 2 GB: magic, a single segment with a size of four bytes, and no blocks.
  ['zstd', ZSTD, Buffer.from('28b52ffda000000080010000', 'hex')],
] as const)(
  'one that says less than it unpacks to, by %s, costs no more than it says',
  async (_name, codec, packed) => {
    const before = process.memoryUsage().arrayBuffers;
    // It is cut off there, or refused.
    await rowsOf(parquet({ codec, packed, says: 24, rows: 3 })).catch(() => []);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000);
  },
);

test('a group of rows that would be decoded as one piece has a bound', async () => {
  const file = parquet({ codec: GZIP, packed: gzipSync(zeros), says: 24, rows: GROUP_ROWS + 1 });
  await expect(rowsOf(file)).rejects.toThrow(/a group of it has 10000001 rows/);
});
