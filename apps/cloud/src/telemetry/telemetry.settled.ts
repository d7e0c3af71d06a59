import type { Grid, Span } from './telemetry.series-grid.ts';
import type { Bucket, Tally } from './telemetry.series-points.ts';

/** Buckets that are remembered at most, some hundred bytes each. */
const MOST = 100_000;
/** What nobody asked for so long is let go, ms. */
const FRESH_MS = 600_000;

/** What is told of whole buckets of some lines, none of which is among the newest. */
export interface Settled {
  /** Tells one state of the kept hours that it was read from from the next. */
  stamp: string;
  /** From the beginning of a bucket to the end of another. */
  span: Span;
  /** Of each line. */
  tallies: readonly Tally[][];
  /** Of each line, by the span that was looked at: buckets of which every value had to be read. */
  weighed: readonly Map<string, readonly Bucket[]>[];
  /** More values than are looked at here lay beside it. */
  isAmongMany: boolean;
}

/**
 * Settled buckets of charts that were asked for lately, for the next chart of the same lines: without them every chart of a year reads
 * the hours of that year again. Who asks has looked whether they still hold, by their stamp.
 */
export class RecentBuckets {
  /** By the lines and the width of the buckets, those that were used last at the end. */
  readonly #held = new Map<string, Settled & { usedAt: number }>();

  find(key: string): Settled | null {
    const held = this.#held.get(key);
    if (!held) return null;
    this.#held.delete(key);
    this.#held.set(key, Object.assign(held, { usedAt: Date.now() }));
    return held;
  }

  forget(key: string): void {
    this.#held.delete(key);
  }

  hold(key: string, settled: Settled): void {
    this.#held.delete(key);
    this.#held.set(key, { ...settled, usedAt: Date.now() });
    let count = [...this.#held.values()].reduce((sum, one) => sum + countOf(one), 0);
    for (const [name, one] of this.#held) {
      if (count <= MOST && Date.now() - one.usedAt <= FRESH_MS) break;
      this.#held.delete(name);
      count -= countOf(one);
    }
  }
}

const countOf = ({ tallies }: Settled): number => tallies.reduce((sum, one) => sum + one.length, 0);

/** The whole buckets of a span; null where there are none. */
export function wholeBuckets({ from, to }: Span, { startOf, endOf }: Grid): Span | null {
  const start = startOf(from);
  const whole = { from: start === from ? from : endOf(start), to: startOf(to) };
  return whole.from < whole.to ? whole : null;
}

export const isWithin = (inner: Span, outer: Span): boolean =>
  inner.from >= outer.from && inner.to <= outer.to;
