/** What becomes of several streams that are one line. */
export const COMBININGS = ['sum', 'mean', 'weightedMean', 'min', 'max', 'median'] as const;
export type Combining = (typeof COMBININGS)[number];

/** Several values as one; `values` has at least one, `weights` one for each. Null where the weights come to nothing. */
export function combineValues(
  values: readonly number[],
  how: Combining,
  weights: readonly number[] = values.map(() => 1),
): number | null {
  const sum = values.reduce((total, value) => total + value, 0);
  switch (how) {
    case 'sum':
      return sum;
    case 'mean':
      return sum / values.length;
    case 'weightedMean': {
      const weight = weights.reduce((total, one) => total + one, 0);
      if (weight === 0) return null;
      return values.reduce((total, value, i) => total + value * (weights[i] ?? 0), 0) / weight;
    }
    case 'min':
      return Math.min(...values);
    case 'max':
      return Math.max(...values);
    case 'median': {
      const sorted = [...values].sort((a, b) => a - b);
      const middle = sorted.length / 2;
      const high = sorted[Math.floor(middle)] ?? 0;
      return Number.isInteger(middle) ? ((sorted[middle - 1] ?? 0) + high) / 2 : high;
    }
  }
}
