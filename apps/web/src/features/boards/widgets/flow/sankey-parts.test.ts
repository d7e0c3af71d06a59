import { describe, expect, it } from 'vitest';
import { HEIGHT, LEAST, scaleOf, stacked } from './sankey-parts.ts';

describe('the parts of a flow of energy', () => {
  it.each([[[27_380, 181]], [[6060, 21_500]], [[1, 1, 1, 100_000]], [[5]], [[1, 1, 1, 1]]])(
    '%j keep room for their words and stay inside, in proportion',
    (amounts) => {
      const parts = amounts.map((wh, at) => ({ kind: String(at), wh }));
      const placed = stacked(parts, scaleOf(parts));
      for (const [at, { y, height }] of placed.entries()) {
        const middle = y + height / 2;
        expect(middle - LEAST / 2).toBeGreaterThanOrEqual(0);
        expect(middle + LEAST / 2).toBeLessThanOrEqual(HEIGHT);
        const next = placed[at + 1];
        if (next) expect(next.y + next.height / 2 - middle).toBeGreaterThanOrEqual(LEAST);
        expect(height / (amounts[at] ?? 1)).toBeCloseTo((placed[0]?.height ?? 0) / (amounts[0] ?? 1), 9);
      }
    },
  );
});
