import type { Bus } from '../bus/bus.ts';
import { type Arrival, eventsLate } from './ingest.topics.ts';

/** Events that are older than this are late, ms: what was computed of their day may be another one now. */
const LATE_AFTER_MS = 3_600_000;
/** One device is told of at most this often, ms. */
const EVERY_MS = 60_000;
/** Devices that are remembered. */
const REMEMBERED = 10_000;

/** Tells all processes that devices hand in what is old, with the oldest of it. */
export class LateEvents {
  readonly #bus: Bus;
  readonly #told = new Map<string, { at: number; oldestAt: number }>();

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  hear({ device, streams }: Arrival, now = Date.now()): void {
    let oldestAt = now;
    for (const { rows } of streams) for (const [, eventAt] of rows) oldestAt = Math.min(oldestAt, eventAt);
    if (oldestAt >= now - LATE_AFTER_MS) return;
    const known = this.#told.get(device);
    if (known && now - known.at < EVERY_MS && oldestAt >= known.oldestAt) return;
    if (this.#told.size >= REMEMBERED) this.#told.clear();
    this.#told.set(device, { at: now, oldestAt });
    void this.#bus.publish(eventsLate, { device, oldestAt });
  }
}
