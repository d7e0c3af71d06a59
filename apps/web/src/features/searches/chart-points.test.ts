import { expect, test } from 'vitest';
import { frameOf, pointsOf, type Sample } from './chart-points.ts';

const MINUTE = 60_000;
const line = (...points: [minute: number, value: number][]): Sample[] =>
  points.map(([minute, value]) => ({ at: minute * MINUTE, value }));

test('a pause breaks a line at every time that another line has in it, and counts nothing', () => {
  const steady = line(...Array.from({ length: 31 }, (_, i): [number, number] => [i, 1]));
  const paused = line([30, 8], [0, 2], [1, 4], [29, 6]);
  const frame = frameOf([steady, paused]);
  const { times, avg, stats } = pointsOf(paused, frame);
  expect(times.filter((at) => at % MINUTE === 0)).toHaveLength(31);
  expect(avg.filter((value) => value !== null)).toEqual([2, 4, 6, 8]);
  expect(times.every((at, i) => i === 0 || at > (times[i - 1] ?? at))).toBe(true);
  // Two minutes count: that of the 2 and that of the 6.
  expect(stats).toEqual({ count: 4, min: 2, avg: 4, max: 8, last: 8 });
  expect(pointsOf(steady, frame).avg).not.toContain(null);
});
