import { expect, test } from 'vitest';
import { ClockWatch } from './clock.ts';

const YEAR_MS = 365 * 86_400_000;

test('a clock that is set is noticed, one that runs is not', () => {
  const told: string[] = [];
  let [wall, steady] = [1e12, 0];
  const watch = new ClockWatch(
    (message) => told.push(message),
    () => wall,
    () => steady,
  );
  wall += 3_600_000;
  steady += 3_600_000;
  watch.look();
  expect(told).toEqual([]);
  wall -= YEAR_MS;
  watch.look();
  wall += 600_000;
  watch.look();
  expect(told).toEqual([
    'the clock of the machine jumped back by 365 days',
    'the clock of the machine jumped forward by 10 minutes',
  ]);
});

test('a clock that went back while the agent was stopped is noticed at the start', () => {
  const told: string[] = [];
  const watch = new ClockWatch((message) => told.push(message));
  watch.start(Date.now() + YEAR_MS);
  watch.stop();
  expect(told).toEqual([expect.stringMatching(/365 days behind/)]);
});
