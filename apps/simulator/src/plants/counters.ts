const DAY_MS = 86_400_000;
const STEP_MS = 900_000;
const STEPS = DAY_MS / STEP_MS;

/** Powers of one instant, W: each inverter's output, and the exchange with the grid, import positive. */
export type PowerSample = { inverterW: number[]; gridW: number };

interface DayCounts {
  /** Wh since the beginning of the day at each quarter of an hour: inverters, then export, then import. */
  counts: Float64Array[];
  /** Power at each quarter, W, in the same order. */
  powers: Float64Array[];
}

/**
 * Energy counters as integrals of power since the plant was commissioned, so that any instant has one value.
 *
 * The power is taken at every quarter of an hour and joined by straight lines. Days are counted once and in order;
 * the curves of a few days are kept.
 */
export class EnergyCounters {
  readonly #from: number;
  readonly #inverters: number;
  readonly #sample: (at: number) => PowerSample;
  /** Wh at the beginning of each day since the first. */
  readonly #dayStarts: Float64Array[];
  readonly #days = new Map<number, DayCounts>();

  constructor(commissionedAt: number, inverters: number, sample: (at: number) => PowerSample) {
    this.#from = Math.floor(commissionedAt / DAY_MS);
    this.#inverters = inverters;
    this.#sample = sample;
    this.#dayStarts = [new Float64Array(inverters + 2)];
  }

  inverterWh(index: number, at: number): number {
    return this.#at(index - 1, at);
  }

  exportedWh(at: number): number {
    return this.#at(this.#inverters, at);
  }

  importedWh(at: number): number {
    return this.#at(this.#inverters + 1, at);
  }

  /** Powers at an instant as they are counted, W: inverters, then export, then import. */
  powersW(at: number): number[] {
    const day = Math.floor(at / DAY_MS);
    const { powers } = this.#day(day);
    const place = (at - day * DAY_MS) / STEP_MS;
    const step = Math.floor(place);
    return powers.map((counted) => {
      const first = counted[step] ?? 0;
      return first + (place - step) * ((counted[step + 1] ?? first) - first);
    });
  }

  #at(counter: number, at: number): number {
    const day = Math.floor(at / DAY_MS);
    if (day < this.#from) return 0;
    const start = this.#startOf(day)[counter] ?? 0;
    const { counts, powers } = this.#day(day);
    const place = (at - day * DAY_MS) / STEP_MS;
    const step = Math.floor(place);
    const part = place - step;
    const first = powers[counter]?.[step] ?? 0;
    const second = powers[counter]?.[step + 1] ?? first;
    const sinceWh = (part * first + (part * part * (second - first)) / 2) * (STEP_MS / 3_600_000);
    return start + (counts[counter]?.[step] ?? 0) + sinceWh;
  }

  #startOf(day: number): Float64Array {
    for (let known = this.#dayStarts.length; known <= day - this.#from; known++) {
      const before = this.#dayStarts[known - 1] ?? new Float64Array(this.#inverters + 2);
      const { counts } = this.#day(this.#from + known - 1);
      this.#dayStarts.push(before.map((wh, counter) => wh + (counts[counter]?.[STEPS] ?? 0)));
    }
    return this.#dayStarts[day - this.#from] ?? new Float64Array(this.#inverters + 2);
  }

  #day(day: number): DayCounts {
    const known = this.#days.get(day);
    if (known) return known;
    if (this.#days.size >= 4) this.#days.delete(this.#days.keys().next().value ?? day);
    const counted = this.#count(day);
    this.#days.set(day, counted);
    return counted;
  }

  #count(day: number): DayCounts {
    const size = this.#inverters + 2;
    const rows = () => Array.from({ length: size }, () => new Float64Array(STEPS + 1));
    const powers = rows();
    const counts = rows();
    for (let step = 0; step <= STEPS; step++) {
      const { inverterW, gridW } = this.#sample(day * DAY_MS + step * STEP_MS);
      for (let counter = 0; counter < size; counter++) {
        const exchangeW = counter === this.#inverters ? Math.max(0, -gridW) : Math.max(0, gridW);
        const powerW = inverterW[counter] ?? exchangeW;
        const power = powers[counter] as Float64Array;
        const count = counts[counter] as Float64Array;
        power[step] = powerW;
        if (step > 0) {
          count[step] =
            (count[step - 1] ?? 0) + (((power[step - 1] ?? 0) + powerW) / 2) * (STEP_MS / 3_600_000);
        }
      }
    }
    return { counts, powers };
  }
}
