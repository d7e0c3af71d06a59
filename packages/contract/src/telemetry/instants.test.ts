import { expect, test } from 'vitest';
import { kpiQuestion } from '../kpis/kpis.schema.ts';
import { searchParams, searchQuery } from './search.schema.ts';
import { timeframe } from './telemetry.schema.ts';

const AT = Date.UTC(2026, 5, 1);
const to = AT + 3_600_000;

/** Every question that has a range, with these two ends; null where it refuses them. */
function asked(from: unknown, end: unknown = to): (boolean | null)[] {
  const range = { from, to: end };
  return [
    searchQuery.safeParse({ timeframe: range }),
    searchParams.safeParse({ timeframe: JSON.stringify(range) }),
    timeframe.safeParse(range),
    kpiQuestion.safeParse({ entity: 'site', ...range }),
  ].map(({ success }) => success);
}

test.each([
  ['epoch milliseconds', AT],
  ['their digits as text', String(AT)],
  ['a date with its zone', '2026-06-01T02:00:00+02:00'],
  ['a day', '2026-06-01'],
])('%s are an instant wherever one asks', (_, from) => {
  expect(asked(from)).toEqual([true, true, true, true]);
});

test.each([
  ['a year', '2026'],
  ['seconds as text', String(AT / 1000)],
  ['a day that no calendar has', '2026-02-30'],
  ['nothing', ''],
  ['more than stores can hold', 9e15],
  ['a flag', true],
])('%s is none anywhere', (_, from) => {
  expect(asked(from)).toEqual([false, false, false, false]);
});

test('a range without ends is refused everywhere: everything has a name of its own', () => {
  expect(asked(null, null)).toEqual([false, false, false, false]);
  expect(searchQuery.safeParse({ timeframe: {} }).success).toBe(false);
  expect(searchQuery.parse({ timeframe: 'all-time' }).timeframe).toBe('all-time');
});

test('what is read is epoch milliseconds, however it was written', () => {
  expect(timeframe.parse({ from: String(AT), to: '2026-06-01T01:00:00Z' })).toEqual({ from: AT, to });
});
