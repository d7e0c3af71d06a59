import fc from 'fast-check';
import { expect, test } from 'vitest';
import { conditionOf, wildcard } from './conditions.ts';
import { Judge, type Ruling } from './judge.ts';

const MINUTE = 60_000;
const judge = (forMinutes = 0, clearMinutes = 0) =>
  new Judge({ forMs: forMinutes * MINUTE, clearMs: clearMinutes * MINUTE, staleMs: 15 * MINUTE });

/** Observations by minute: true, false, or null for a missed one. */
function run(of: Judge, said: (boolean | null)[]): [string, number][] {
  const all: Ruling[] = [];
  for (const [minute, holds] of said.entries()) {
    all.push(...of.tick(minute * MINUTE));
    if (holds === null) continue;
    const rulings = of.observe(minute * MINUTE, holds, null);
    if (rulings !== 'late') all.push(...rulings);
  }
  return all.map(({ kind, at }) => [kind, at / MINUTE]);
}

test('what held for its time fires at that time, and not for a sample that was missed before', () => {
  expect(run(judge(5), [false, true, null, true, true])).toEqual([]);
  expect(run(judge(5), [false, true, null, true, true, true, true])).toEqual([['fire', 6]]);
  expect(run(judge(5), [true, true, false, true, true, true, true])).toEqual([]);
});

test('a vanished series is unknown, and neither fires nor clears', () => {
  const silence = Array.from({ length: 60 }, () => null);
  expect(run(judge(), [true, ...silence, true, false])).toEqual([
    ['fire', 0],
    ['unknown', 15],
    ['known', 61],
    ['return', 62],
  ]);
  expect(run(judge(30), [true, ...silence])).toEqual([]);
});

test('it is clear only after its time', () => {
  expect(run(judge(0, 3), [true, false, true, false, false, false, false])).toEqual([
    ['fire', 0],
    ['return', 6],
  ]);
});

test('a firing alert that was loaded goes on, and what is late changes nothing', () => {
  const loaded = new Judge({ forMs: MINUTE, clearMs: 0, staleMs: MINUTE }, { isFiring: true });
  expect(loaded.tick(1e12)).toEqual([]);
  expect(loaded.observe(1e12, true, 1)).toEqual([]);
  expect(loaded.observe(1e12 - 1, false, 1)).toBe('late');
  expect(loaded.isFiring).toBe(true);
});

test('however often the clock is asked between observations, it fires at the same instants', () => {
  const times = fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), fc.boolean()), { maxLength: 40 });
  fc.assert(
    fc.property(
      times,
      fc.integer({ min: 0, max: 8 }),
      fc.integer({ min: 0, max: 8 }),
      (steps, forMinutes, clearMinutes) => {
        const [often, seldom] = [judge(forMinutes, clearMinutes), judge(forMinutes, clearMinutes)];
        const told: [Ruling[], Ruling[]] = [[], []];
        let at = 0;
        for (const [minutes, holds] of steps) {
          for (let i = 1; i <= minutes; i++) told[0].push(...often.tick((at + i) * MINUTE));
          at += minutes;
          for (const [i, one] of [often, seldom].entries()) {
            const rulings = one.observe(at * MINUTE, holds, null);
            if (rulings !== 'late') told[i]?.push(...rulings);
          }
        }
        expect(told[0]).toEqual(told[1]);
      },
    ),
  );
});

test('a row that does not say enough decides nothing', () => {
  const both = conditionOf('AND', [
    { field: 'a', operator: '>', value: 5 },
    { field: 'b', operator: '=', value: 'on' },
  ]);
  const read = (row: Record<string, number | string>) => (field: string) => row[field];
  expect(both(read({ a: 6 }))).toBe(null);
  expect(both(read({ a: 4 }))).toBe(false);
  expect(both(read({ a: 6, b: 'on' }))).toBe(true);
  const either = conditionOf('OR', [
    { field: 'a', operator: '>', value: 5 },
    { field: 'b', operator: 'NOT EXISTS' },
  ]);
  expect(either(read({ a: 1 }))).toBe(true);
  expect(either(read({ b: 'x' }))).toBe(null);
});

test('a pattern is a wildcard, and a long one is as fast as a short one', () => {
  expect(['Fault 7', 'fault', 'no fault here'].map(wildcard('*fault*'))).toEqual([true, true, true]);
  expect(wildcard('a*b')('acb')).toBe(true);
  expect(wildcard('ab*ba')('aba')).toBe(false);
  expect(wildcard(`${'a*'.repeat(500)}b`)('a'.repeat(10_000))).toBe(false);
});
