import { type Figure, noFigure } from './figure.ts';
import { atRank, median } from './statistics.ts';

export interface Degradation {
  /** Change of a year as a part of 1, negative where the system gets weaker. */
  perYear: Figure;
  /** Within which the true change lies with the asked probability; null without a figure. */
  interval: { low: number; high: number } | null;
  /** Pairs of days a year apart that it rests on. */
  pairs: number;
}

const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;
/** The day a year earlier may lie so much further back, since weeks do not fall on the same date. */
const TOLERANCE_MS = 8 * DAY_MS;
/** Standard deviations of the usual confidence of 68.2 %. */
const ONE_DEVIATION = 1;

/**
 * Yearly degradation, year on year: each value is compared with that of a year before; the middle of all these slopes.
 *
 * `days` are daily (or rarer) normalised yields, such as the temperature-corrected ratio, in any order; `at` epoch ms.
 * Gaps: null. The slopes are parts of the middle of the first year. Less than two years give no figure. The interval is
 * that of the middle by ranks (binomial), `deviations` wide: 1 is 68 %, 2 is 95 %; it needs no random numbers.
 * Source: Jordan et al. 2018, IEEE J. Photovoltaics 8 (2), 525-531, as in RdTools' degradation_year_on_year.
 */
export function degradationPerYear(
  days: readonly { at: number; value: number | null }[],
  deviations = ONE_DEVIATION,
): Degradation {
  const known = days
    .filter((day): day is { at: number; value: number } => day.value !== null && Number.isFinite(day.value))
    .toSorted((a, b) => a.at - b.at);
  const [first, last] = [known[0], known.at(-1)];
  const step = median(known.slice(1).map((day, i) => day.at - (known[i]?.at ?? day.at))) ?? 0;
  const none = { perYear: noFigure('too_short'), interval: null, pairs: 0 };
  if (!first || !last || last.at < yearLater(yearLater(first.at)) - step) return none;
  const base = median(known.filter(({ at }) => at <= first.at + 364 * DAY_MS).map(({ value }) => value)) ?? 0;
  if (!(base > 0)) return { ...none, perYear: noFigure('no_energy') };
  const slopes = slopesOf(known, base).sort((a, b) => a - b);
  const perYear = median(slopes);
  if (perYear === null) return none;
  const half = (deviations * Math.sqrt(slopes.length)) / 2;
  const middle = (slopes.length - 1) / 2;
  return {
    perYear: { value: perYear, reason: null },
    interval: { low: atRank(slopes, middle - half), high: atRank(slopes, middle + half) },
    pairs: slopes.length,
  };
}

/** The newest day that is a year older, or up to eight days more, for each day that has one. */
function slopesOf(known: readonly { at: number; value: number }[], base: number): number[] {
  const slopes: number[] = [];
  let before = -1;
  for (const { at, value } of known) {
    while (before + 1 < known.length && yearLater(known[before + 1]?.at ?? 0) <= at) before += 1;
    const earlier = known[before];
    if (!earlier || at - yearLater(earlier.at) > TOLERANCE_MS) continue;
    slopes.push((value - earlier.value) / base / ((at - earlier.at) / YEAR_MS));
  }
  return slopes;
}

/** The same date of the next year; 29 February becomes the 28th. */
function yearLater(at: number): number {
  const date = new Date(at);
  const month = date.getUTCMonth();
  date.setUTCFullYear(date.getUTCFullYear() + 1);
  if (date.getUTCMonth() !== month) date.setUTCDate(0);
  return date.getTime();
}
