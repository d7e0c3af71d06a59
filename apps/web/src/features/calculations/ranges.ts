import type { CalculationInterval } from '@albedo/contract/calculations/calculations.schema';

const DAY_MS = 86_400_000;

/** Days that show some dozens of intervals. */
const DAYS: Readonly<Record<CalculationInterval, number>> = {
  '1m': 0.125,
  '5m': 1,
  '10m': 1,
  '15m': 2,
  '30m': 3,
  '1h': 3,
  '1d': 30,
  '1w': 182,
  '1M': 730,
  '1y': 3650,
};

/** The past days up to an instant, to five minutes, so that a question stays the same for that long. */
export function rangeFor(interval: CalculationInterval, now: number): { from: number; to: number } {
  const to = Math.floor(now / 300_000) * 300_000;
  return { from: to - DAYS[interval] * DAY_MS, to };
}
