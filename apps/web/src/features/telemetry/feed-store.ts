import type { SeriesPoints } from '@albedo/contract/telemetry/telemetry.schema';
import { LiveBuffer } from '../../ui/time-series-chart/live-buffer.ts';

/** A stored point says nothing of how far the clocks of device and browser are apart. */
const STORED = Number.POSITIVE_INFINITY;

type Values = Record<string, number | string | null>;

export interface Sample {
  id: number;
  at: number;
  values: Values;
}

/** What the texts beside the chart show; a new object at most a few times a second. */
export interface FeedView {
  /** Samples since the feed was opened. */
  received: number;
  receivedAt: number;
  /** Samples a second over the last ones. */
  perS: number;
  newest: Values;
  /** Newest first. */
  samples: readonly Sample[];
}

const EMPTY: FeedView = { received: 0, receivedAt: 0, perS: 0, newest: {}, samples: [] };
const LOGGED = 200;
/** Samples kept for a chart of fields that are chosen later. */
const KEPT = 20_000;
const TELL_MS = 250;

/**
 * Samples of one live feed. The chart reads its buffer directly, at each frame; texts are updated a few times a
 * second, however fast samples arrive.
 */
export class FeedStore {
  #kept: { at: number; values: Values; receivedAt: number }[] = [];
  #buffer: LiveBuffer | null = null;
  #view = EMPTY;
  #samples: Sample[] = [];
  #newest: Values = {};
  #received = 0;
  #watchers = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #toldAt = 0;

  take(events: readonly (readonly [number, Values])[], receivedAt: number): void {
    for (const [at, values] of events) {
      this.#received++;
      this.#newest = { ...this.#newest, ...values };
      this.#kept.push({ at, values, receivedAt });
      this.#samples.unshift({ id: this.#received, at, values });
      this.#buffer?.push(at, values, receivedAt);
    }
    if (events.length === 0) return;
    if (this.#kept.length > 2 * KEPT) this.#kept = this.#kept.slice(-KEPT);
    this.#samples.length = Math.min(this.#samples.length, LOGGED);
    this.#timer ??= setTimeout(() => this.#tell(), Math.max(0, this.#toldAt + TELL_MS - Date.now()));
  }

  /**
   * The buffer of the fields that are drawn now: what was stored before the feed was opened, then what arrived since.
   * `stored` has the points of the fields, in their order.
   */
  bufferFor(fields: readonly string[], stored: readonly SeriesPoints[] = []): LiveBuffer {
    const buffer = new LiveBuffer(fields, KEPT);
    for (const [at, values] of rowsOf(fields, stored)) buffer.push(at, values, STORED);
    for (const { at, values, receivedAt } of this.#kept) buffer.push(at, values, receivedAt);
    this.#buffer = buffer;
    return buffer;
  }

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  readonly view = (): FeedView => this.#view;

  #tell(): void {
    this.#timer = null;
    this.#toldAt = Date.now();
    const last = this.#kept.at(-1);
    const recent = this.#kept.slice(-50);
    const first = recent[0];
    const seconds = last && first ? (last.at - first.at) / 1000 : 0;
    this.#view = {
      received: this.#received,
      receivedAt: last?.receivedAt ?? 0,
      perS: seconds > 0 ? (recent.length - 1) / seconds : 0,
      newest: this.#newest,
      samples: [...this.#samples],
    };
    for (const watcher of this.#watchers) watcher();
  }
}

/** Series of several fields as samples, oldest first. */
function rowsOf(fields: readonly string[], stored: readonly SeriesPoints[]): [number, Values][] {
  const rows = new Map<number, Values>();
  for (const [index, { times, avg }] of stored.entries()) {
    const field = fields[index];
    if (field === undefined) continue;
    for (const [i, at] of times.entries()) {
      const row = rows.get(at) ?? {};
      row[field] = avg[i] ?? null;
      rows.set(at, row);
    }
  }
  return [...rows].sort(([a], [b]) => a - b);
}
