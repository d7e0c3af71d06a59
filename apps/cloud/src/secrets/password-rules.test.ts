import { expect, test } from 'vitest';
import { demandGoodPassword } from './password-rules.ts';
import { hashPassword, passwordFits } from './passwords.ts';

const ANN = { name: 'Ann-Marie Schröder', email: 'ann.schroeder@solar-works.example' };

test.each([
  'password',
  'Password1!',
  'P4ssw0rd2026',
  'iloveyou',
  'qwertyuiop',
  'sunshine!!',
  'aaaaaaaaaaaa',
  'abababababab',
  'abcdefgh',
  '987654321',
])('%s is among the first that are tried', async (password) => {
  await expect(demandGoodPassword(password, ANN)).rejects.toMatchObject({
    error: 'request.invalid',
    message: expect.stringMatching(/common/),
  });
});

test.each([
  'Schröder1987',
  'ann.schroeder',
  'Marie-Schroeder-1',
  'Albedo2026',
  'solar-works.1',
  'Schro\u0308der1987',
])('%s is little more than the own name', async (password) => {
  await expect(demandGoodPassword(password, ANN)).rejects.toMatchObject({
    message: expect.stringMatching(/name/),
  });
});

test.each([
  'a good long password',
  'Str0ng-enough-pass',
  'ann likes seventeen kites',
  '🌞🌞🌧 heliotrope',
  'correcthorse',
])('%s is taken', async (password) => {
  await expect(demandGoodPassword(password, ANN)).resolves.toBeUndefined();
});

test('the same letters are the same password, however a keyboard composes them', async () => {
  const composed = 'schöne Grüße vom Dach';
  const kept = await hashPassword(composed.normalize('NFD'));
  expect(await passwordFits(composed.normalize('NFC'), kept)).toBe(true);
  expect(await passwordFits(composed.normalize('NFD'), kept)).toBe(true);
});
