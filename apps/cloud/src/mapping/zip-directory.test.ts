import { writeXlsx } from 'hucre/xlsx';
import { expect, test } from 'vitest';
import { zipDirectory } from './zip-directory.ts';

const bytes = Buffer.from(await writeXlsx({ sheets: [{ name: 'A', rows: [['a'], [1]] }] }));
const end = bytes.lastIndexOf(Buffer.from('PK\u0005\u0006'));
const entry = bytes.readUInt32LE(end + 16);
const changed = (change: (copy: Buffer) => void): Buffer => {
  const copy = Buffer.from(bytes);
  change(copy);
  return copy;
};

test('the directory of an honest spreadsheet has its parts', () => {
  expect(zipDirectory(bytes)?.map(({ name }) => name)).toContain('xl/workbook.xml');
});

test.each<[string, (copy: Buffer) => void]>([
  ['a count of parts that stands elsewhere', (copy) => copy.writeUInt16LE(0xffff, end + 10)],
  ['a size of the directory that stands elsewhere', (copy) => copy.writeUInt32LE(0xffffffff, end + 12)],
  ['a place of the directory that stands elsewhere', (copy) => copy.writeUInt32LE(0xffffffff, end + 16)],
  ['a size of a part that stands elsewhere', (copy) => copy.writeUInt32LE(0xffffffff, entry + 24)],
  ['a place of a part that stands elsewhere', (copy) => copy.writeUInt32LE(0xffffffff, entry + 42)],
  ['sizes that only the part says', (copy) => copy.fill(0, entry + 20, entry + 28)],
  [
    'sizes that follow the part',
    (copy) => {
      copy.fill(0, entry + 20, entry + 28);
      copy.fill(0, copy.readUInt32LE(entry + 42) + 18, copy.readUInt32LE(entry + 42) + 26);
      copy.writeUInt16LE(copy.readUInt16LE(entry + 8) | 8, entry + 8);
    },
  ],
])('%s is refused', (_what, change) => {
  expect(zipDirectory(changed(change))).toBeNull();
});

test('a part that is really empty is none of that', () => {
  const copy = changed((one) => {
    one.fill(0, entry + 20, entry + 28);
    one.fill(0, one.readUInt32LE(entry + 42) + 18, one.readUInt32LE(entry + 42) + 26);
    one.writeUInt16LE(0, entry + 8);
    one.writeUInt16LE(0, one.readUInt32LE(entry + 42) + 6);
  });
  expect(zipDirectory(copy)?.[0]).toMatchObject({ packed: 0, unpacked: 0 });
});
