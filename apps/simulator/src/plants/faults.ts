import { chance, seedOf } from '../weather/noise.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export type FaultKind = 'string_loss' | 'trip' | 'stuck_sensor' | 'lost_communication';

/** How often a device meets a fault in one period, and how long it lasts. */
const HABITS: Record<FaultKind, { periodMs: number; probability: number; shortMs: number; longMs: number }> =
  {
    string_loss: { periodMs: 45 * DAY_MS, probability: 0.16, shortMs: 2 * DAY_MS, longMs: 19 * DAY_MS },
    trip: { periodMs: 6 * DAY_MS, probability: 0.14, shortMs: 0.4 * HOUR_MS, longMs: 5 * HOUR_MS },
    stuck_sensor: { periodMs: 50 * DAY_MS, probability: 0.3, shortMs: 5 * HOUR_MS, longMs: 40 * HOUR_MS },
    lost_communication: {
      periodMs: 9 * DAY_MS,
      probability: 0.2,
      shortMs: 0.1 * HOUR_MS,
      longMs: 3 * HOUR_MS,
    },
  };

export interface Fault {
  /** Epoch ms; the end is not included. */
  from: number;
  to: number;
  /** A number in 0..1 that says which part is concerned. */
  part: number;
}

/** All faults of one kind that one device ever has; a pure function of seed and time. */
export class FaultHistory {
  readonly #seed: number;
  readonly #kind: FaultKind;
  #period = Number.NaN;
  #fault: Fault | null = null;

  constructor(seed: number, device: string, kind: FaultKind) {
    this.#seed = seedOf(seedOf(seed, device), kind);
    this.#kind = kind;
  }

  /** The fault at an instant, epoch ms; null most of the time. */
  at(at: number): Fault | null {
    const period = Math.floor(at / HABITS[this.#kind].periodMs);
    if (period !== this.#period) {
      this.#period = period;
      this.#fault = this.#ofPeriod(period);
    }
    return this.#fault && at >= this.#fault.from && at < this.#fault.to ? this.#fault : null;
  }

  #ofPeriod(period: number): Fault | null {
    const { periodMs, probability, shortMs, longMs } = HABITS[this.#kind];
    const draw = (which: number) => chance(this.#seed, period * 4 + which);
    if (draw(0) >= probability) return null;
    const lastsMs = shortMs + (longMs - shortMs) * draw(1) ** 2;
    const from = Math.round(period * periodMs + (periodMs - lastsMs) * draw(2));
    return { from, to: Math.round(from + lastsMs), part: draw(3) };
  }
}

const CYCLE_DAYS = 28;

/** The fault of a cycle at an instant, epoch ms: it begins at noon UTC of its first day. */
export function faultOfCycle(at: number, { fromDay, days }: { fromDay: number; days: number }): Fault | null {
  const begin = (fromDay + 0.5) * DAY_MS;
  const since = (((at - begin) % (CYCLE_DAYS * DAY_MS)) + CYCLE_DAYS * DAY_MS) % (CYCLE_DAYS * DAY_MS);
  if (since >= days * DAY_MS) return null;
  return { from: at - since, to: at - since + days * DAY_MS, part: 0.4 };
}
