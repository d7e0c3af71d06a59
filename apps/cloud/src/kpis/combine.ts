import type { KpiAggregator, KpiOperator } from '@albedo/contract/kpis/kpis.schema';
import type { WindowValues } from '../telemetry/telemetry.service.ts';

const sumOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0);

/** Several values as one. Gaps: nulls do not take part; of nothing the result is null, and the count 0. */
export function combine(aggregator: KpiAggregator, values: readonly (number | null)[]): number | null {
  const known = values.filter((one) => one !== null);
  if (aggregator === 'count') return known.length;
  if (known.length === 0) return null;
  switch (aggregator) {
    case 'sum':
      return sumOf(known);
    case 'average':
      return sumOf(known) / known.length;
    case 'min':
      return known.reduce((least, one) => Math.min(least, one));
    case 'max':
      return known.reduce((most, one) => Math.max(most, one));
    default:
      return medianOf(known);
  }
}

/**
 * Several lists as one, place by place, as `combine` does it: but list by list, so that thousands of them are read in the
 * order in which they lie in memory.
 */
export function combineLists(
  aggregator: KpiAggregator,
  length: number,
  lists: readonly (readonly (number | null)[])[],
): (number | null)[] {
  if (aggregator === 'median')
    return Array.from({ length }, (_, i) =>
      combine(
        aggregator,
        lists.map((list) => list[i] ?? null),
      ),
    );
  const made = new Float64Array(length);
  const known = new Uint32Array(length);
  for (const list of lists)
    for (let i = 0; i < length; i++) {
      const value = list[i] ?? null;
      if (value === null) continue;
      const before = made[i] as number;
      if (known[i] === 0) made[i] = value;
      else if (aggregator === 'min') made[i] = Math.min(before, value);
      else if (aggregator === 'max') made[i] = Math.max(before, value);
      else made[i] = before + value;
      known[i] = (known[i] as number) + 1;
    }
  return Array.from(made, (value, i) => {
    const count = known[i] as number;
    if (aggregator === 'count') return count;
    if (count === 0) return null;
    return aggregator === 'average' ? value / count : value;
  });
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle)] as number)) / 2;
}

/** Operators whose value of a range does not follow from those of its intervals. */
export const NEEDS_ALL: readonly KpiOperator[] = ['percentile', 'deviation'];

/** The value of the whole range, of what one stream had in its intervals. */
export function overall(operator: KpiOperator, { values, counts, coveredMs }: WindowValues): number | null {
  switch (operator) {
    case 'average':
      return weighedBy(counts, values);
    case 'timeWeightedAverage':
      return weighedBy(coveredMs, values);
    case 'min':
    case 'max':
      return combine(operator, values);
    case 'first':
      return values.find((one) => one !== null) ?? null;
    case 'last':
      return values.findLast((one) => one !== null) ?? null;
    default:
      return sumKnown(values);
  }
}

// Of a thousand streams over a year these run for each of 365,000 days: nothing is made on the way.

function sumKnown(values: readonly (number | null)[]): number | null {
  let [sum, isKnown] = [0, false];
  for (const value of values) {
    if (value === null) continue;
    sum += value;
    isKnown = true;
  }
  return isKnown ? sum : null;
}

function weighedBy(weights: readonly number[], values: readonly (number | null)[]): number | null {
  let [sum, weight, isKnown] = [0, 0, false];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? null;
    if (value === null) continue;
    sum += value * (weights[i] ?? 0);
    weight += weights[i] ?? 0;
    isKnown = true;
  }
  return isKnown ? sum / weight : null;
}
