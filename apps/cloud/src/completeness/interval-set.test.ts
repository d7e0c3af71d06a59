import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IntervalSet, rangesOf } from './interval-set.ts';

const number = fc.integer({ min: 0, max: 60 });
const range = fc.tuple(number, number).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
const step = fc.record({ what: fc.constantFrom('add', 'remove'), range });

/** The same thing in the simplest way. */
function plainly(steps: { what: string; range: readonly [number, number] }[]): Set<number> {
  const set = new Set<number>();
  for (const { what, range } of steps) {
    for (let n = range[0]; n <= range[1]; n++) what === 'add' ? set.add(n) : set.delete(n);
  }
  return set;
}

function built(steps: { what: string; range: readonly [number, number] }[]): IntervalSet {
  const set = new IntervalSet();
  for (const { what, range } of steps) what === 'add' ? set.add(...range) : set.remove(...range);
  return set;
}

test('after any additions and removals it holds the numbers that a plain set holds', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const [set, plain] = [built(steps), plainly(steps)];
      for (let n = -1; n <= 61; n++) expect(set.has(n)).toBe(plain.has(n));
      expect(set.max).toBe(Math.max(...plain));
      expect(set.min).toBe(Math.min(...plain));
    }),
  );
});

test('its ranges are sorted and neither touch nor overlap', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const ranges = [...built(steps)];
      for (const [at, [from, to]] of ranges.entries()) {
        expect(from).toBeLessThanOrEqual(to);
        expect(from).toBeGreaterThan((ranges[at - 1]?.[1] ?? -2) + 1);
      }
    }),
  );
});

test('holes, counts and freedom are those of the plain set', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), range, (steps, [from, to]) => {
      const [set, plain] = [built(steps), plainly(steps)];
      const holes = new Set<number>();
      for (const hole of set.holes(from, to)) for (let n = hole[0]; n <= hole[1]; n++) holes.add(n);
      let inside = 0;
      for (let n = from; n <= to; n++) {
        expect(holes.has(n)).toBe(!plain.has(n));
        if (plain.has(n)) inside++;
      }
      expect(set.count(from, to)).toBe(inside);
      expect(set.isFreeOf(from, to)).toBe(inside === 0);
    }),
  );
});

test('ranges of numbers in any order, with repeats, are the ranges of the set', () => {
  fc.assert(
    fc.property(fc.array(number), (numbers) => {
      const set = new IntervalSet(numbers.map((n) => [n, n] as const));
      expect(rangesOf([...numbers])).toEqual([...set]);
      expect([...new IntervalSet(set)]).toEqual([...set]);
    }),
  );
});
