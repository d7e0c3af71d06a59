import { expect, test } from 'vitest';
import { differencesOf, layOver, pieceAt, piecesOf, type Step } from './steps.ts';

const steps = (...all: [number, string][]): Step[] => all.map(([at, value]) => ({ at, value }));

test('a value holds until the next, an empty one ends it, and nothing holds after the end', () => {
  const all = steps([10, '60%'], [20, ''], [30, '80%'], [50, '100%']);
  expect(piecesOf(all, 40)).toEqual([
    { from: 10, to: 20, value: '60%' },
    { from: 30, to: 40, value: '80%' },
  ]);
  expect(piecesOf(all, null).at(-1)).toEqual({ from: 50, to: null, value: '100%' });
  expect(pieceAt(piecesOf(all, null), 9)).toBeNull();
  expect(pieceAt(piecesOf(all, null), 20)).toBeNull();
  expect(pieceAt(piecesOf(all, null), 99)?.value).toBe('100%');
});

test('a time that is laid over has its value, and after it goes on what would have held there', () => {
  const plan = steps([0, '100%'], [20, '80%'], [40, '']);
  expect(layOver(plan, [{ from: 10, to: 30, value: '60%' }])).toEqual(
    steps([0, '100%'], [10, '60%'], [30, '80%'], [40, '']),
  );
  expect(layOver([], [{ from: 10, to: 30, value: '60%' }])).toEqual(steps([10, '60%'], [30, '']));
  const touching = [
    { from: 10, to: 20, value: '60%' },
    { from: 20, to: 30, value: '50%' },
  ];
  expect(layOver([], touching)).toEqual(steps([10, '60%'], [20, '50%'], [30, '']));
});

test('two schedules differ where another value holds, and an end counts', () => {
  const old = { steps: steps([0, '60%'], [20, '']), end: null };
  const now = { steps: steps([0, '60%'], [10, '50%']), end: 30 };
  expect(differencesOf(old, now)).toEqual([
    { from: 10, to: 20, was: '60%', now: '50%' },
    { from: 20, to: 30, was: '', now: '50%' },
  ]);
  expect(differencesOf(old, old)).toEqual([]);
  const forGood = { steps: steps([0, '60%']), end: null };
  expect(differencesOf(old, forGood)).toEqual([{ from: 20, to: null, was: '', now: '60%' }]);
});
