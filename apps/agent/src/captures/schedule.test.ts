import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { atClock, ClockTimer, everyAligned, everyFrom } from './schedule.ts';

const NOON = new Date(2024, 2, 1, 12, 0, 30).getTime();
const local = (at: number) => new Date(at).toTimeString().slice(0, 8);

beforeEach(() => void vi.useFakeTimers({ now: NOON }));
afterEach(() => void vi.useRealTimers());

test('intervals fall on round times of the clock', () => {
  expect(local(everyAligned(300_000)(NOON))).toBe('12:05:00');
  expect(local(everyAligned(86_400_000)(NOON))).toBe('00:00:00');
  expect(everyAligned(300_000)(NOON + 270_000)).toBe(NOON + 570_000);
});

test('"M" is a minute of each hour, "H:M" a time of each day', () => {
  expect(local(atClock('5')(NOON))).toBe('12:05:00');
  expect(local(atClock('0')(NOON))).toBe('13:00:00');
  expect(local(atClock('12:05')(NOON))).toBe('12:05:00');
  expect(atClock('12:00')(NOON)).toBe(new Date(2024, 2, 2, 12, 0).getTime());
});

test('a clock that goes back a year does not silence a schedule for a year', () => {
  let runs = 0;
  const timer = new ClockTimer(everyAligned(60_000), () => runs++);
  timer.start();
  vi.advanceTimersByTime(120_000);
  expect(runs).toBe(2);
  vi.setSystemTime(NOON - 365 * 86_400_000);
  vi.advanceTimersByTime(180_000);
  expect(runs).toBeGreaterThanOrEqual(4);
  timer.stop();
});

test('an interval of 30 days waits for 30 days', () => {
  let runs = 0;
  const timer = new ClockTimer(everyFrom(NOON, 30 * 86_400_000), () => runs++);
  timer.start();
  vi.advanceTimersByTime(29 * 86_400_000);
  expect(runs).toBe(0);
  vi.advanceTimersByTime(86_400_000);
  expect(runs).toBe(1);
  timer.stop();
});
