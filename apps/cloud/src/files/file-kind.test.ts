import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { brokenPromise } from './file-kind.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex');

test.each([
  ['roof.png', PNG],
  ['ROOF.PNG', PNG],
  ['log.tar.gz', gzipSync('x')],
  ['notes.txt', Buffer.from('größer\n')],
  ['sheet.csv', Buffer.from('fffe61002c00', 'hex')],
  ['manual.pdf', Buffer.from('\n%PDF-1.7')],
  ['firmware.bin', Buffer.from([0, 1])],
  ['no ending', Buffer.from([0, 1])],
  ['empty.png', Buffer.alloc(0)],
])('%s is what its name says, or nothing is known of such', (name, head) => {
  expect(brokenPromise(name, head)).toBeNull();
});

test.each([
  ['roof.png', Buffer.from('<script>'), 'png'],
  ['manual.pdf', Buffer.from('MZ'), 'pdf'],
  ['notes.txt', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0]), 'txt'],
  ['a.jpg', PNG, 'jpg'],
  ['a.constructor', Buffer.from([0]), null],
])('%s is not', (name, head, ending) => {
  expect(brokenPromise(name, head)).toBe(ending);
});
