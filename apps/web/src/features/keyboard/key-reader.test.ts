import { expect, test } from 'vitest';
import { KeyReader } from './key-reader.ts';

const command = (keys: string) => ({ keys, run: () => {} });
const commands = [command('g d'), command('g p'), command('/'), command('d')];
const read = (...keys: [key: string, at: number][]) => {
  const reader = new KeyReader(() => commands);
  return keys.map(([key, at]) => reader.read(key, at)).map((one) => (one ? one.keys : one));
};

test('keys that belong together make one command, a lone one makes its own', () => {
  expect(read(['g', 0], ['d', 300])).toEqual([undefined, 'g d']);
  expect(read(['d', 0], ['/', 10])).toEqual(['d', '/']);
});

test('a key that comes too late, or after a wrong one, stands for itself', () => {
  expect(read(['g', 0], ['d', 5000])).toEqual([undefined, 'd']);
  expect(read(['g', 0], ['x', 100], ['d', 200])).toEqual([undefined, null, 'd']);
  expect(read(['g', 0], ['g', 100], ['p', 200])).toEqual([undefined, undefined, 'g p']);
});
