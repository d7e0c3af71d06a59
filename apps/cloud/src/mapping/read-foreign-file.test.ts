import { expect, test } from 'vitest';
import { readForeignFile } from './read-foreign-file.ts';

const read = async (text: string) =>
  (await readForeignFile(Buffer.from(text), { format: 'xml', path: 'readings.reading', most: 10 })).records;

test('XML without records is an empty list, and a way that leads nowhere says where there are some', async () => {
  expect(await read('<readings/>')).toEqual([]);
  expect(await read('<readings meter="1"></readings>')).toEqual([]);
  await expect(read('<values><value a="1"/><value a="2"/></values>')).rejects.toThrow('values.value');
  await expect(read('<other/>')).rejects.toThrow('There is no list of objects');
});

test('XML that says that it has letters of two bytes, and has not, is read as it is', async () => {
  const text = '<?xml version="1.0" encoding="utf-16"?><readings><reading a="ü"/></readings>';
  expect(await read(text)).toEqual([{ line: 1, record: { '@a': 'ü' } }]);
});
