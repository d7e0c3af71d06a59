import { readFileSync, statSync } from 'node:fs';
import { DEMO_WORKGROUP } from '@albedo/contract/demo/demo.names';
import { type Filling, type WrittenHistory, writtenHistory } from '@albedo/contract/demo/demo.schema';

/** The file of the demo is looked at this often, ms. */
const LOOK_MS = 1000;
/** A device with more unsent events than this is still sending the past. */
const SENT = 1000;
/** Devices that have not said for so long how much they hold, ms, are not waited for. */
const PATIENCE_MS = 10 * 60_000;

export interface DemoFillingOptions {
  /** Where the demo writes down how far it is; null where there is no demo. */
  file: string | null;
  /** Events that devices have not sent yet, all together; null as long as one of them has not said. */
  unsent: (devices: readonly string[]) => number | null;
  tell: (filling: Filling | null) => void;
  now?: () => number;
}

/**
 * How far the past of the demo's plants has arrived. The demo writes down what it wrote; agents send it newest first, and what
 * they handed in tells how far back it is whole.
 */
export class DemoFilling {
  readonly #options: DemoFillingOptions;
  readonly #now: () => number;
  /** By plant, the oldest event that arrived since this start, epoch ms. */
  readonly #arrived = new Map<string, number>();
  #plants: readonly string[] = [];
  #startedAt = 0;
  /** What an earlier start had filled in. */
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

  /** The devices that have a past. */
  follow(plants: readonly string[]): void {
    this.#plants = plants;
  }

  /** A device handed in what is old. */
  late(device: string, oldestAt: number): void {
    if (!this.#plants.includes(device)) return;
    this.#arrived.set(device, Math.min(oldestAt, this.#arrived.get(device) ?? oldestAt));
  }

  of(workgroup: string): Filling | null {
    return workgroup === DEMO_WORKGROUP.name ? this.#current : null;
  }

  /** Reads how far the demo is, and tells it where that is something new. */
  look(): void {
    const written = this.#read();
    this.#current = written && this.#fillingOf(written);
    if (written && this.#current === null) this.stop();
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

  /** What was written may still be on its way. */
  #wholeFrom(written: number | null): number | null {
    let whole = written;
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
      // A disk that was full leaves half a file: the demo writes it anew.
      return null;
    }
  }
}
