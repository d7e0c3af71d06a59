import { expect, test } from 'vitest';
import { canGoBack, canGoNext, WIZARD_START, type WizardEvent, wizard } from './wizard-machine.ts';

const run = (...events: WizardEvent[]) => events.reduce(wizard, WIZARD_START);
const next: WizardEvent = { type: 'next' };
const created: WizardEvent = { type: 'created', uri: 'otpauth://totp/x?secret=A' };
const confirmed: WizardEvent = { type: 'confirmed', token: 't', recoveryCode: 'r' };

test('step 2 is left only with a QR code', () => {
  expect(run(next, next).step).toBe('create');
  expect(canGoNext(run(next))).toBe(false);
  expect(run(next, created, next).step).toBe('scan');
});

test('step 4 is left only with a confirmed code, and then there is no way back', () => {
  const atCode = run(next, created, next, next);
  expect(atCode.step).toBe('enter');
  expect(canGoNext(atCode)).toBe(false);
  expect(wizard(atCode, { type: 'back' }).step).toBe('scan');
  const done = wizard(atCode, confirmed);
  expect(canGoBack(done)).toBe(false);
  expect(wizard(done, { type: 'back' })).toBe(done);
  expect([wizard(done, next).step, run(next, created, next, next, confirmed, next, next).step]).toEqual([
    'recovery',
    'secured',
  ]);
});

test('the wizard starts at step 1 and ends at step 6', () => {
  expect(canGoBack(WIZARD_START)).toBe(false);
  const end = run(next, created, next, next, confirmed, next, next);
  expect(canGoNext(end)).toBe(false);
  expect(wizard(end, next)).toBe(end);
});
