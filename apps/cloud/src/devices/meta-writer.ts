import type { DeviceMeta } from '@albedo/contract/devices/meta.schema';
import type { DevicesStore } from './devices.store.ts';

/** Devices that one statement writes at most. */
const TOGETHER = 100;

export interface SaidMeta {
  workgroup: string;
  id: string;
  meta: DeviceMeta;
}

interface Waiting extends SaidMeta {
  done: (isAnother: boolean) => void;
  failed: (error: unknown) => void;
}

/**
 * Keeps what devices say they capture. After an outage all of them say it at once: those that come while a statement
 * runs go into the next one together.
 */
export class MetaWriter {
  readonly #store: Pick<DevicesStore, 'setMetas'>;
  #waiting: Waiting[] = [];
  #isWriting = false;

  constructor(store: Pick<DevicesStore, 'setMetas'>) {
    this.#store = store;
  }

  /** Resolves once it is kept; true when it is another than before. Rejects when that of this device cannot be kept. */
  keep(said: SaidMeta): Promise<boolean> {
    return new Promise((done, failed) => {
      this.#waiting.push({ ...said, done, failed });
      if (!this.#isWriting) void this.#write();
    });
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    // What came in the same moment goes together from the first statement on.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) await this.#writeAll(this.#next());
    this.#isWriting = false;
  }

  /** Those that may go together: of each device only what it said first, so that the newest is written last. */
  #next(): Waiting[] {
    const taken = new Map<string, Waiting>();
    const later: Waiting[] = [];
    for (const one of this.#waiting) {
      if (taken.size < TOGETHER && !taken.has(one.id)) taken.set(one.id, one);
      else later.push(one);
    }
    this.#waiting = later;
    return [...taken.values()];
  }

  async #writeAll(all: readonly Waiting[]): Promise<void> {
    try {
      const changed = new Set(await this.#store.setMetas(all));
      for (const one of all) one.done(changed.has(one.id));
    } catch (error) {
      const [only, ...others] = all;
      // One that the database refuses must not take the others with it.
      if (others.length > 0) for (const one of all) await this.#writeAll([one]);
      else only?.failed(error);
    }
  }
}
