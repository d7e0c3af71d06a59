import {
  columnOf,
  endsInterrogation,
  type InformationObject,
  interrogation,
  readAsdu,
  type StationClock,
} from './asdu.ts';
import { Iec104Link, type LinkTimes } from './link.ts';

/** Changes that wait to be written; older ones go when a station tells more. */
const MOST_WAITING = 20_000;
const MOST_OBJECTS = 20_000;

export interface StationTarget {
  host: string;
  port: number;
  commonAddress: number;
  clock: StationClock;
  times: LinkTimes;
}

/** A link to one station and what it tells, beginning with all that it has. */
export class Station {
  readonly #link: Iec104Link;
  readonly #answered: Promise<void>;
  #waiting: InformationObject[] = [];
  #lost = 0;
  #reason: string | null = null;
  /** Columns of the objects that have been seen, by `common address/address`. */
  readonly seen = new Map<string, 'bool' | 'integer' | 'decimal'>();

  constructor(target: StationTarget) {
    let answered = () => {};
    this.#answered = new Promise((resolve) => {
      answered = resolve;
    });
    this.#link = new Iec104Link(target.host, target.port, target.times, {
      started: () => this.#link.send(interrogation(target.commonAddress)),
      asdu: (bytes) => {
        try {
          const asdu = readAsdu(bytes, target.clock);
          for (const object of asdu.objects) this.#keep(object, asdu.type);
          if (endsInterrogation(asdu)) answered();
        } catch (error) {
          this.#reason = (error as Error).message;
          this.#link.close();
        }
      },
      ended: (reason) => {
        this.#reason ??= reason;
        answered();
      },
    });
  }

  /** Why the link has ended; null while it holds. */
  get reason(): string | null {
    return this.#link.hasEnded ? this.#reason : null;
  }

  /** Until the station has told all that it has, or the limit. */
  async answered(limitMs: number, signal: AbortSignal): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([this.#answered, late]);
    clearTimeout(timer);
  }

  /** What has come since the last time, in the order in which it came. */
  take(): { objects: InformationObject[]; lost: number } {
    const taken = { objects: this.#waiting, lost: this.#lost };
    this.#waiting = [];
    this.#lost = 0;
    return taken;
  }

  close(): void {
    this.#link.close();
  }

  #keep(object: InformationObject, type: number): void {
    const key = keyOf(object);
    if (!this.seen.has(key)) {
      if (this.seen.size >= MOST_OBJECTS) return;
      this.seen.set(key, columnOf(type));
    }
    if (this.#waiting.length >= MOST_WAITING) {
      this.#waiting.shift();
      this.#lost++;
    }
    this.#waiting.push(object);
  }
}

export const keyOf = ({ commonAddress, address }: { commonAddress: number; address: number }): string =>
  `${commonAddress}/${address}`;
