import { verify } from '@node-rs/argon2';
import { expect, test, vi } from 'vitest';
import { hashPassword, passwordFits } from './passwords.ts';

vi.mock('@node-rs/argon2', { spy: true });

test('a password is looked at with the same work where there is no account, and fits none', async () => {
  const kept = await hashPassword('right');
  expect(await passwordFits('right', kept)).toBe(true);
  expect(await passwordFits('wrong', kept)).toBe(false);
  expect(await passwordFits('right', null)).toBe(false);
  const work = vi.mocked(verify).mock.calls.map(([hash]) => String(hash).split('$').slice(0, 4).join('$'));
  expect(work).toEqual(Array(3).fill('$argon2id$v=19$m=19456,t=2,p=1'));
});

test('a password counts as it was typed, however the keyboard composed its letters', async () => {
  const kept = await hashPassword(' Gr\u00fc\u00df Gott, pass phrase ');
  expect(await passwordFits(' Gru\u0308\u00df Gott, pass phrase ', kept)).toBe(true);
  for (const other of [
    'Gr\u00fc\u00df Gott, pass phrase',
    ' gr\u00fc\u00df Gott, pass phrase ',
    ' Gr\u00fc\u00df Gott, pass phrase',
  ])
    expect(await passwordFits(other, kept)).toBe(false);
  const long = 'a'.repeat(1000);
  expect(await passwordFits(`${long}b`, await hashPassword(`${long}c`))).toBe(false);
});
