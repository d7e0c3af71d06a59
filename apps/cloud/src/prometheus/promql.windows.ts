import type { Piece, Windows } from '../telemetry/telemetry.service.ts';
import { pieceOf } from '../telemetry/telemetry.service.ts';
import { quantile } from './promql.aggregate.ts';
import { PromqlFault } from './promql.fault.ts';

/** Pieces that one query may put together. */
const WORK_LIMIT = 50_000_000;

/** All of a stream that lies in one window; at least one value. */
export interface WindowOf {
  count: number;
  sum: number;
  min: number;
  max: number;
  firstAt: number;
  first: number;
  lastAt: number;
  last: number;
  /** What a counter counted from the first to the last value. */
  increase: number;
  variance: number;
  changes: number;
  resets: number;
  /** Those of a function that asks for them. */
  values: readonly number[];
  /** As `Piece.line`, of a function that asks for it. */
  line: Piece['line'];
  /** Epoch ms; the window is without its beginning. */
  from: number;
  to: number;
}

/** `step` counts the windows of a query from 0. */
export type OfWindow = (window: WindowOf, step: number) => number | undefined;

/** A function over a range, and what it needs of each piece besides the usual figures. */
export interface RangeFunction {
  of: OfWindow;
  more?: 'values' | 'regression';
}

export const stepsIn = ({ start, end, stepMs }: Windows): number => Math.floor((end - start) / stepMs) + 1;

/** Values of an expression, as if they had been measured: each is a piece of its own. */
export function overPoints(
  points: readonly (number | undefined)[],
  times: readonly number[],
  windows: Windows,
  of: RangeFunction,
): (number | undefined)[] {
  let before: number | null = null;
  const pieces = points.flatMap((value, i): Piece[] => {
    if (value === undefined) return [];
    const at = times[i] as number;
    const counted = before === null ? 0 : value < before ? value : value - before;
    const isChange = before !== null && value !== before && !(Number.isNaN(value) && Number.isNaN(before));
    const [changes, resets] = [isChange ? 1 : 0, before !== null && value < before ? 1 : 0];
    before = value;
    const same = { sum: value, min: value, max: value, first: value, last: value, values: [value] };
    const counts = { changes, changesOfFirst: changes, resets, resetsOfFirst: resets };
    const line = { meanS: (at - windows.start) / 1000, variance: 0, covariance: 0 };
    return [
      {
        ...{ at, firstAt: at, lastAt: at, count: 1, variance: 0, increase: counted, ofFirst: counted },
        ...{ ...same, ...counts, line },
      },
    ];
  });
  return overWindows(pieces, windows, of, (at) => at);
}

/** Throws `PromqlFault` where the windows are much longer than the steps between them, and many. */
export function demandWork(windows: Windows, streams: number): void {
  const perWindow = Math.min(stepsIn(windows), Math.ceil(windows.rangeMs / windows.stepMs));
  if (2 * perWindow * stepsIn(windows) * streams > WORK_LIMIT) throw tooMany();
}

const tooMany = (): PromqlFault =>
  new PromqlFault('query processing would load too many samples into memory in query execution', 'execution');

/** A value for each window. `pieces` are those of one stream, oldest first; `placeOf` says in which one an instant lies. */
export function overWindows(
  pieces: readonly Piece[],
  windows: Windows,
  { of, more }: RangeFunction,
  placeOf = (at: number): number => pieceOf(at, windows),
): (number | undefined)[] {
  const { start, stepMs, rangeMs } = windows;
  const values: (number | undefined)[] = [];
  let looked = 0;
  let first = 0;
  for (let step = 0; step < stepsIn(windows); step++) {
    const to = start + step * stepMs;
    const from = to - rangeMs;
    const earliest = placeOf(from + 1);
    const latest = placeOf(to);
    while (first < pieces.length && (pieces[first] as Piece).at < earliest) first++;
    const window = together(pieces, first, latest, from, to);
    if (window && more === 'values') {
      window.values = valuesIn(pieces, first, latest);
      looked += window.values.length;
      if (looked > WORK_LIMIT) throw tooMany();
    }
    values.push(window ? of(window, step) : undefined);
  }
  return values;
}

function together(
  pieces: readonly Piece[],
  first: number,
  latest: number,
  from: number,
  to: number,
): WindowOf | null {
  const head = pieces[first];
  if (!head || head.at > latest) return null;
  const window: WindowOf = {
    ...{ ...head, values: [], line: head.line, from, to },
    increase: head.increase - head.ofFirst,
    changes: head.changes - head.changesOfFirst,
    resets: head.resets - head.resetsOfFirst,
  };
  for (let i = first + 1; i < pieces.length; i++) {
    const piece = pieces[i] as Piece;
    if (piece.at > latest) break;
    window.line = lineOf(window, piece);
    window.variance = varianceOf(window, piece);
    window.count += piece.count;
    window.sum += piece.sum;
    window.min = Math.min(window.min, piece.min);
    window.max = Math.max(window.max, piece.max);
    window.lastAt = piece.lastAt;
    window.last = piece.last;
    window.increase += piece.increase;
    window.changes += piece.changes;
    window.resets += piece.resets;
  }
  return window;
}

function valuesIn(pieces: readonly Piece[], first: number, latest: number): number[] {
  const values: number[] = [];
  for (let i = first; i < pieces.length; i++) {
    const piece = pieces[i] as Piece;
    if (piece.at > latest) break;
    for (const value of piece.values ?? []) values.push(value);
  }
  return values;
}

/** Of two sets of points together, from the figures of each. */
function lineOf({ line: a, count, sum }: WindowOf, { line: b, ...of }: Piece): Piece['line'] {
  if (!a || !b) return undefined;
  const n = count + of.count;
  const share = (count * of.count) / (n * n);
  const apartS = b.meanS - a.meanS;
  const apart = of.sum / of.count - sum / count;
  const both = (ofA: number, ofB: number) => (ofA * count + ofB * of.count) / n;
  return {
    meanS: both(a.meanS, b.meanS),
    variance: both(a.variance, b.variance) + apartS * apartS * share,
    covariance: both(a.covariance, b.covariance) + apartS * apart * share,
  };
}

/** Slope of the straight line with the least squares, a second. Source: linearRegression of Prometheus, functions.go. */
function slope({ count, line, min, max }: WindowOf): number | undefined {
  if (count < 2 || !line) return undefined;
  if (min === max) return 0;
  return line.covariance / line.variance;
}

/** Of two sets of values together, from the figures of each. */
function varianceOf(a: WindowOf, b: Piece): number {
  const n = a.count + b.count;
  const apart = b.sum / b.count - a.sum / a.count;
  return (a.variance * a.count + b.variance * b.count) / n + (apart * apart * a.count * b.count) / (n * n);
}

/**
 * What a counter counts over a window, or a value changes by, carried on to the ends of the window where values come
 * regularly. Source: extrapolatedRate of Prometheus, functions.go.
 */
export function extrapolated(
  window: WindowOf,
  { isCounter, isRate }: { isCounter: boolean; isRate: boolean },
) {
  const { count, first, firstAt, last, lastAt, from, to } = window;
  const sampled = (lastAt - firstAt) / 1000;
  if (count < 2 || sampled <= 0) return undefined;
  const change = isCounter ? window.increase : last - first;
  const pause = sampled / (count - 1);
  const reach = (gap: number) => (gap >= pause * 1.1 ? pause / 2 : gap);
  let before = reach((firstAt - from) / 1000);
  // A counter was never less than zero.
  if (isCounter && change > 0 && first >= 0) before = Math.min(before, sampled * (first / change));
  const whole = change * ((sampled + before + reach((to - lastAt) / 1000)) / sampled);
  return isRate ? whole / ((to - from) / 1000) : whole;
}

const plain = (of: OfWindow): RangeFunction => ({ of });

/** Functions over a range, by their names. */
export const RANGE_FUNCTIONS: Readonly<Record<string, RangeFunction>> = {
  avg_over_time: plain(({ sum, count }) => sum / count),
  sum_over_time: plain(({ sum }) => sum),
  min_over_time: plain(({ min }) => min),
  max_over_time: plain(({ max }) => max),
  count_over_time: plain(({ count }) => count),
  first_over_time: plain(({ first }) => first),
  last_over_time: plain(({ last }) => last),
  present_over_time: plain(() => 1),
  stddev_over_time: plain(({ variance }) => Math.sqrt(variance)),
  stdvar_over_time: plain(({ variance }) => variance),
  rate: plain((window) => extrapolated(window, { isCounter: true, isRate: true })),
  increase: plain((window) => extrapolated(window, { isCounter: true, isRate: false })),
  delta: plain((window) => extrapolated(window, { isCounter: false, isRate: false })),
  changes: plain(({ changes }) => changes),
  resets: plain(({ resets }) => resets),
  deriv: { of: slope, more: 'regression' },
};

/** `shares` has one for each step; where a part is pinned to an instant there is only the first. */
export const quantileOverTime = (shares: readonly number[]): RangeFunction => ({
  of: ({ values }, step) => quantile(shares[step] ?? Number.NaN, values),
  more: 'values',
});
/** These keep the name of what was measured. */
export const KEEPS_NAME: ReadonlySet<string> = new Set(['first_over_time', 'last_over_time']);
