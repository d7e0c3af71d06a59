import type { Bus } from '../bus/bus.ts';
import type { Arrival } from '../ingest/ingest.topics.ts';
import { devicesWatched, latestTold } from './live-feeds.topics.ts';
import { newestOf, type Watches } from './watches.ts';

/** Another process says this often which devices its people watch; it counts for three times as long. */
const WATCHED_MS = 10_000;

/** A device may be connected here while the person who looks at it is connected to another process. */
export class WatchedElsewhere {
  readonly #watches: Watches;
  readonly #bus: Bus;
  readonly #until = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;

  constructor(of: { watches: Watches; bus: Bus }) {
    this.#watches = of.watches;
    this.#bus = of.bus;
  }

  /** Says what is watched here again and again, as long as there are others. */
  start(): void {
    if (!this.#bus.isShared) return;
    const say = () => void this.#bus.publish(devicesWatched, this.#watches.devices());
    this.#timer = setInterval(say, WATCHED_MS);
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  /** Takes what another process said. */
  note(devices: readonly string[]): void {
    for (const device of devices) this.#until.set(device, Date.now() + 3 * WATCHED_MS);
  }

  /** Tells the others what arrived here of a device that their people watch. */
  tell({ device, streams }: Arrival): void {
    const until = this.#until.get(device);
    if (until === undefined) return;
    if (until < Date.now()) this.#until.delete(device);
    else {
      const sources = streams.flatMap((stream) => newestOf(stream) ?? []);
      void this.#bus.publish(latestTold, { device, sources });
    }
  }
}
