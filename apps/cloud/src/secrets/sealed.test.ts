import { expect, test } from 'vitest';
import { makeSealKey, Seal } from './sealed.ts';

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
