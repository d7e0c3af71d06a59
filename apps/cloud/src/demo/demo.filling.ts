import { readFileSync, statSync } from 'node:fs';
import { DEMO_WORKGROUP } from '@albedo/contract/demo/demo.names';
import { type Filling, type WrittenHistory, writtenHistory } from '@albedo/contract/demo/demo.schema';

/** How often the progress file of the demo is read, ms. */
const LOOK_MS = 1000;
/** With more unsent events than this, devices are still sending history. */
const SENT = 1000;
/** How long to wait for devices to say how many events they hold, ms. */
const PATIENCE_MS = 10 * 60_000;

export interface DemoFillingOptions {
  /** The progress file of the demo; null if there is no demo. */
  file: string | null;
  /** Unsent events of the devices together; null until all of them have said how many they hold. */
  unsent: (devices: readonly string[]) => number | null;
  tell: (filling: Filling | null) => void;
  now?: () => number;
}

/**
 * How far the history of the demo's plants has arrived. The demo notes in a file what it has written. Agents send it newest
 * first, so the oldest event that arrived tells from when on the history is complete.
 */
export class DemoFilling {
  readonly #options: DemoFillingOptions;
  readonly #now: () => number;
  /** The oldest event of each plant that arrived since this start, epoch ms. */
  readonly #arrived = new Map<string, number>();
  #plants: readonly string[] = [];
  #startedAt = 0;
  /** From when on the history was complete at this start, epoch ms. */
  #wholeBefore: number | null = null;
  #current: Filling | null = null;
  #seen = '';
  #timer: NodeJS.Timeout | null = null;

  constructor(options: DemoFillingOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  start(): void {
    if (this.#options.file === null) return;
    this.#startedAt = this.#now();
    this.#wholeBefore = this.#read()?.wholeFrom ?? null;
    this.look();
    this.#timer = setInterval(() => this.look(), LOOK_MS).unref();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Sets the devices that have a history. */
  follow(plants: readonly string[]): void {
    this.#plants = plants;
  }

  /** A device sent old events. */
  late(device: string, oldestAt: number): void {
    if (!this.#plants.includes(device)) return;
    this.#arrived.set(device, Math.min(oldestAt, this.#arrived.get(device) ?? oldestAt));
  }

  of(workgroup: string): Filling | null {
    return workgroup === DEMO_WORKGROUP.name ? this.#current : null;
  }

  /** Reads the progress of the demo, and tells it if it has changed. */
  look(): void {
    const history = this.#read();
    this.#current = history && this.#fillingOf(history);
    if (history && this.#current === null) this.stop();
    const seen = JSON.stringify(this.#current);
    if (seen === this.#seen) return;
    this.#seen = seen;
    this.#options.tell(this.#current);
  }

  #fillingOf({ at, days, share, msLeft, wholeFrom }: WrittenHistory): Filling | null {
    if (share >= 1 && this.#isSent()) return null;
    const isOld = at < this.#startedAt;
    return { days, share, msLeft: isOld ? null : msLeft, wholeFrom: this.#wholeFrom(wholeFrom) };
  }

  #isSent(): boolean {
    const unsent = this.#plants.length === 0 ? null : this.#options.unsent(this.#plants);
    return unsent === null ? this.#now() - this.#startedAt >= PATIENCE_MS : unsent < SENT;
  }

  /** Takes into account that what was written may not have arrived yet. */
  #wholeFrom(writtenFrom: number | null): number | null {
    let whole = writtenFrom;
    for (const plant of this.#plants) {
      const arrived = this.#arrived.get(plant) ?? this.#wholeBefore;
      whole = whole === null || arrived === null ? null : Math.max(whole, arrived);
    }
    return whole;
  }

  #read(): WrittenHistory | null {
    const { file } = this.#options;
    if (file === null || !statSync(file, { throwIfNoEntry: false })) return null;
    try {
      return writtenHistory.parse(JSON.parse(readFileSync(file, 'utf8')));
    } catch {
      // A full disk can leave half a file; the demo writes it again.
      return null;
    }
  }
}
