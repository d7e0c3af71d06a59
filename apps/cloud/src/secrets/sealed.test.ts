import { expect, test } from 'vitest';
import { makeSealKey, Seal } from './sealed.ts';

test('a sealed file opens as it was, and not as that of another owner', () => {
  const seal = new Seal(makeSealKey());
  const bytes = Buffer.from([0, 255, 10, 13, 128]);
  const sealed = seal.closeBytes(bytes, 'backup 1');
  expect(seal.openBytes(sealed, 'backup 1')).toEqual(bytes);
  expect(() => seal.openBytes(sealed, 'backup 2')).toThrow();
  expect(() => seal.openBytes(sealed.subarray(0, -1), 'backup 1')).toThrow();
});

test('a sealed text opens for its owner only, with its key only, and unchanged only', () => {
  const seal = new Seal(makeSealKey());
  const sealed = seal.close('a secret', 'ann');
  expect(seal.open(sealed, 'ann')).toBe('a secret');
  expect(seal.close('a secret', 'ann')).not.toBe(sealed);
  expect(() => seal.open(sealed, 'bob')).toThrow();
  expect(() => new Seal(makeSealKey()).open(sealed, 'ann')).toThrow();
  const changed = Buffer.from(sealed, 'base64');
  changed.writeUInt8(changed.readUInt8(changed.length - 1) ^ 1, changed.length - 1);
  expect(() => seal.open(changed.toString('base64'), 'ann')).toThrow();
});
