import type { LatestSource } from '@albedo/contract/devices/devices.schema';
import type { BatchStream } from '@albedo/contract/link/link.messages';
import type { Bus } from '../bus/bus.ts';
import { devicesWatched } from './live-feeds.topics.ts';

/** Values of one device are sent at most this often, ms. */
const TELL_MS = 100;

/**
 * Newest values of the devices that somebody looks at. Devices that nobody watches cost one look into a map for each
 * arrival.
 */
export class Watches {
  readonly #tell: (device: string, sources: LatestSource[]) => void;
  readonly #bus: Bus;
  readonly #watchers = new Map<string, number>();
  readonly #values = new Map<string, Map<string, LatestSource>>();
  readonly #changed = new Map<string, Set<string>>();
  #timer: NodeJS.Timeout | null = null;

  constructor(tell: (device: string, sources: LatestSource[]) => void, bus: Bus) {
    this.#tell = tell;
    this.#bus = bus;
  }

  /** Devices that are watched now. */
  devices(): string[] {
    return [...this.#watchers.keys()];
  }

  /** One more watcher of the device; the function that is answered ends it. */
  watch(device: string): () => void {
    this.#watchers.set(device, (this.#watchers.get(device) ?? 0) + 1);
    void this.#bus.publish(devicesWatched, [device]);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const left = (this.#watchers.get(device) ?? 1) - 1;
      if (left > 0) this.#watchers.set(device, left);
      else {
        this.#watchers.delete(device);
        this.#values.delete(device);
      }
    };
  }

  /** Takes arrivals of a device. */
  take(device: string, streams: BatchStream[]): void {
    if (!this.#watchers.has(device)) return;
    for (const stream of streams) {
      const newest = newestOf(stream);
      if (newest) this.takeSource(device, newest);
    }
  }

  /** Takes one newest value, of this process or of another. */
  takeSource(device: string, newest: LatestSource): void {
    if (!this.#watchers.has(device)) return;
    const key = keyOf(newest);
    const values = this.#values.get(device) ?? new Map<string, LatestSource>();
    this.#values.set(device, values);
    if ((values.get(key)?.eventAt ?? 0) > newest.eventAt) return;
    values.set(key, newest);
    const changed = this.#changed.get(device) ?? new Set();
    this.#changed.set(device, changed.add(key));
    this.#timer ??= setTimeout(() => this.#flush(), TELL_MS);
  }

  /** Stored values with newer ones that arrived while somebody watched. */
  merge(device: string, stored: LatestSource[]): LatestSource[] {
    const merged = new Map(stored.map((one) => [keyOf(one), one]));
    for (const [key, live] of this.#values.get(device) ?? []) {
      if ((merged.get(key)?.eventAt ?? 0) <= live.eventAt) merged.set(key, live);
    }
    return [...merged.values()].sort(
      (a, b) => a.table.localeCompare(b.table) || a.source.localeCompare(b.source),
    );
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }

  #flush(): void {
    this.#timer = null;
    for (const [device, keys] of this.#changed) {
      const values = this.#values.get(device);
      const sources = [...keys].flatMap((key) => values?.get(key) ?? []);
      if (sources.length > 0) this.#tell(device, sources);
    }
    this.#changed.clear();
  }
}

/** The newest event of a stream by its time; null for a stream without rows. */
export function newestOf(stream: BatchStream): LatestSource | null {
  let newest = stream.rows[0];
  if (!newest) return null;
  for (const row of stream.rows) if (row[1] >= newest[1]) newest = row;
  const [, eventAt, ...values] = newest;
  return {
    table: stream.table,
    source: stream.source,
    eventAt,
    values: Object.fromEntries(stream.fields.map((field, at) => [field.name, values[at] ?? null])),
  };
}

const keyOf = ({ table, source }: LatestSource): string => `${table}\0${source}`;
