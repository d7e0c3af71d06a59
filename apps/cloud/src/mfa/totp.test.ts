import { generate } from 'otplib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeSecret, stepOf } from './totp.ts';

const NOW_S = 1_800_000_015;
const STEP = Math.floor(NOW_S / 30);

test('the present code and those beside it count once; others never do', async () => {
  vi.useFakeTimers({ now: NOW_S * 1000, toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const secret = makeSecret();
  const codeAt = (steps: number) => generate({ secret, epoch: NOW_S + steps * 30 });
  expect(await stepOf(await codeAt(0), secret, null)).toBe(STEP);
  expect(await stepOf(await codeAt(-1), secret, null)).toBe(STEP - 1);
  expect(await stepOf(await codeAt(1), secret, null)).toBe(STEP + 1);
  expect(await stepOf(await codeAt(2), secret, null)).toBeNull();
  expect(await stepOf(await codeAt(-2), secret, null)).toBeNull();
  expect(await stepOf(await codeAt(0), secret, STEP)).toBeNull();
  expect(await stepOf(await codeAt(-1), secret, STEP)).toBeNull();
});
