import type { Interval } from '@albedo/contract/telemetry/intervals';
import { instantOf, wallTime } from '@albedo/contract/time/zoned-time';
import type { Bound } from './telemetry.columns.ts';

const STEP_MS = { m: 60_000, h: 3_600_000 } as const;

/**
 * Where calendar intervals begin in a zone, over a span of time. Days, weeks (from Monday), months and years are as long
 * as the clocks there say; minutes and hours are counted from midnight, so that they are equally long.
 *
 * Units: epoch ms. `edges` are the beginnings of days or of what is longer; `stepMs` divides them further.
 */
export class Cuts {
  readonly #edges: number[];
  readonly #stepMs: number | null;

  /** Whoever asks for `most` intervals needs no more edges than that: a span can have millions of days. */
  constructor(
    { count, unit }: Interval,
    span: { from: number; to: number },
    zone: string,
    most = Number.POSITIVE_INFINITY,
  ) {
    this.#stepMs = unit === 'm' || unit === 'h' ? count * STEP_MS[unit] : null;
    const long: Interval = this.#stepMs === null ? { count, unit } : { count: 1, unit: 'd' };
    this.#edges = edgesOf(long, span, { zone, most });
  }

  /** Whether intervals begin at whole hours of UTC: not where clocks are half an hour ahead. */
  get isOfHours(): boolean {
    return (this.#stepMs ?? 0) % STEP_MS.h === 0 && this.#edges.every((edge) => edge % STEP_MS.h === 0);
  }

  /** The beginning of the interval of an instant, Float64; `ms` is an expression of Int64. */
  sql(ms: string, bound: Bound): string {
    const edge = `roundDown(${ms}, ${bound.add(this.#edges, 'Array(Int64)')})`;
    if (this.#stepMs === null) return `toFloat64(${edge})`;
    const step = bound.add(this.#stepMs, 'Int64');
    return `toFloat64(${edge} + intDiv(${ms} - ${edge}, ${step}) * ${step})`;
  }

  /** As `sql` says it of one instant. */
  startOf(ms: number): number {
    const edge = this.#edges[this.#at(ms)] as number;
    return this.#stepMs === null ? edge : edge + Math.floor((ms - edge) / this.#stepMs) * this.#stepMs;
  }

  /** Where the interval that begins at `start` ends; null past the span. */
  endOf(start: number): number | null {
    const next = this.#edges[this.#at(start) + 1] ?? null;
    if (this.#stepMs === null || next === null) return next;
    return Math.min(next, start + this.#stepMs);
  }

  /** Beginnings of every interval that has an instant of the span, rising; `most` of them, and one more where there are more. */
  all({ from, to }: { from: number; to: number }, most: number): number[] {
    const starts: number[] = [];
    let start: number | null = this.startOf(from);
    while (start !== null && start < to && starts.length <= most) {
      starts.push(start);
      start = this.endOf(start);
    }
    return starts;
  }

  #at(ms: number): number {
    let [low, high] = [0, this.#edges.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#edges[middle] as number) <= ms) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** From the last edge before the span to the first one after it, or so many that there are more than `most` intervals. */
function edgesOf(
  interval: Interval,
  { from, to }: { from: number; to: number },
  { zone, most }: { zone: string; most: number },
): number[] {
  const { year, month, day } = wallTime(from, zone);
  const edges: number[] = [];
  for (let i = 0; ; i++) {
    const at = edgeAt(interval, { year, month, day }, i, zone);
    // A zone that skips a whole day has two days with one beginning.
    if (at > (edges.at(-1) ?? Number.NEGATIVE_INFINITY)) edges.push(at);
    if (at > to || edges.length > most + 1) return edges;
  }
}

function edgeAt(
  { count, unit }: Interval,
  { year, month, day }: { year: number; month: number; day: number },
  i: number,
  zone: string,
): number {
  switch (unit) {
    case 'y':
      return instantOf({ year: year + i * count }, zone);
    case 'M':
      return instantOf({ year, month: month - ((month - 1) % count) + i * count }, zone);
    case 'w': {
      const weekday = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7;
      return instantOf({ year, month, day: day - weekday + i * 7 }, zone);
    }
    default:
      return instantOf({ year, month, day: day + i * count }, zone);
  }
}
