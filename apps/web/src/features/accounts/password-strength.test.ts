import { expect, test } from 'vitest';
import { complexityLevel, lengthLevel, passwordProblem } from './password-strength.ts';

test.each([
  ['', 'error'],
  ['1234567', 'error'],
  ['12345678', 'warning'],
  ['12345678901', 'warning'],
  ['123456789012', 'good'],
])('the length of %j is %s', (password, level) => {
  expect(lengthLevel(password)).toBe(level);
});

test.each([
  ['', 'error'],
  ['aaaa', 'error'],
  ['aaaa1', 'warning'],
  ['aA1', 'good'],
  ['ß-Ä1', 'good'],
])('the complexity of %j is %s', (password, level) => {
  expect(complexityLevel(password)).toBe(level);
});

test('a new password is required, long enough, and repeated', () => {
  expect(passwordProblem('', '')).toBe('required');
  expect(passwordProblem('1234567', '1234567')).toBe('tooShort');
  expect(passwordProblem('12345678', '1234567x')).toBe('mismatch');
  expect(passwordProblem('12345678', '12345678')).toBeNull();
});
