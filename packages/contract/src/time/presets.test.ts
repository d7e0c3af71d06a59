import { expect, test } from 'vitest';
import { isSpanName, spanOf } from './presets.ts';

const NOW = Date.parse('2026-11-22T10:30:00Z');

test('the last so many minutes, hours, days or weeks end now', () => {
  expect(spanOf('90m', NOW, 'UTC')).toEqual({ from: NOW - 90 * 60_000, to: NOW });
  expect(spanOf('2w', NOW, 'UTC')).toEqual({ from: NOW - 14 * 86_400_000, to: NOW });
  expect(spanOf('today', NOW, 'Europe/Rome')?.from).toBe(Date.parse('2026-11-21T23:00:00Z'));
});

test.each(['0m', '-5m', '5', '5y', '100000m', 'constructor', ''])('%s is no span', (name) => {
  expect(isSpanName(name)).toBe(false);
  expect(spanOf(name, NOW, 'UTC')).toBeNull();
});
