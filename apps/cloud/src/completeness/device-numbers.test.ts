import type { EpochChain } from '@albedo/contract/link/link.messages';
import { expect, test } from 'vitest';
import { DeviceNumbers } from './device-numbers.ts';

const outbox = 'box';

/** Whether a start with this chain may number after so many numbers have arrived. */
const admit = (numbers: DeviceNumbers, arrived: number, ...epochs: EpochChain) =>
  numbers.admit({ outbox, epochs }, { max: arrived, told: arrived, holeOf: () => null }, 0).grant;

test('starts that ended before the cloud heard of them are part of the next one that it hears', () => {
  const numbers = new DeviceNumbers();
  expect(admit(numbers, 0, ['a', 1])).toBeNull();
  // Of b, which numbered 21 to 30, nothing came while it ran; c sends that too, and is ended before it is acknowledged.
  expect(admit(numbers, 20, ['a', 1], ['b', 21], ['c', 31])).toBeNull();
  expect(admit(numbers, 40, ['a', 1], ['b', 21], ['c', 31], ['d', 41])).toBeNull();
  const kept = new DeviceNumbers();
  kept.restore(JSON.parse(JSON.stringify(numbers.save())));
  expect(admit(kept, 50, ['a', 1], ['b', 21], ['c', 31], ['d', 41], ['e', 51])).toBeNull();
});

test('so are those that numbered nothing', () => {
  const numbers = new DeviceNumbers();
  expect(admit(numbers, 0, ['a', 1])).toBeNull();
  expect(admit(numbers, 20, ['a', 1], ['b', 21], ['c', 21])).toBeNull();
  expect(admit(numbers, 40, ['a', 1], ['b', 21], ['c', 21], ['d', 41])).toBeNull();
});

test('a state that was restored from before the last start numbers again what is above what it knew', () => {
  const numbers = new DeviceNumbers();
  expect(admit(numbers, 0, ['a', 1])).toBeNull();
  expect(admit(numbers, 20, ['a', 1], ['b', 21])).toBeNull();
  // The disk is from when `a` ran and had given 20 numbers: 21 and on stand for other events by now.
  expect(admit(numbers, 40, ['a', 1], ['x', 21])).toMatchObject({ for: 'x', keepTo: 20, first: 41 });
});
