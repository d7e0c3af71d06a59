/** Energy that limits kept from being made, Wh since the first write, and what the meter has of it. */
export interface LostWh {
  inverterWh: number[];
  exportedWh: number;
  /** What the site drew from the grid instead. */
  importedWh: number;
}

export interface LostSources {
  inverters: number;
  ratedPowerW: number;
  /** Power at an instant as the counters take it, W: each inverter, then export. Straight between quarters of an hour. */
  unlimitedW(at: number): ArrayLike<number>;
  /** % of the rating. */
  limitPct(inverter: number, at: number): number;
  /** The next instant after one at which any limit bends or jumps; null when none comes. */
  nextBend(at: number): number | null;
}

const QUARTER_MS = 900_000;
const HOUR_MS = 3_600_000;
const MOST_CHECKPOINTS = 4000;

interface Checkpoint {
  at: number;
  lost: LostWh;
}

/**
 * Integrates what limits took away, exactly, so that counters neither jump nor fall and any instant has one value.
 *
 * Between two bends of anything all powers are straight lines, and so is their difference up to where it changes sign.
 */
export class LostEnergy {
  readonly #of: LostSources;
  #checkpoints: Checkpoint[];

  constructor(of: LostSources, from: number, lost: LostWh | null) {
    this.#of = of;
    this.#checkpoints = [{ at: from, lost: lost ?? nothing(of.inverters) }];
  }

  /** What was integrated after an instant no longer holds. */
  forget(after: number): void {
    const [first, ...others] = this.#checkpoints;
    if (first) this.#checkpoints = [first, ...others.filter(({ at }) => at <= after)];
  }

  at(at: number): LostWh {
    let { at: from, lost } = this.#before(at);
    while (from < at) {
      const to = this.#end(from, at);
      lost = this.#plus(lost, from, to);
      if (to < at && to % QUARTER_MS === 0) this.#keep({ at: to, lost });
      from = to;
    }
    return lost;
  }

  #before(at: number): Checkpoint {
    let low = 0;
    let high = this.#checkpoints.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#checkpoints[middle] as Checkpoint).at <= at) low = middle;
      else high = middle - 1;
    }
    return this.#checkpoints[low] as Checkpoint;
  }

  #keep(checkpoint: Checkpoint): void {
    if ((this.#checkpoints.at(-1)?.at ?? 0) >= checkpoint.at) return;
    this.#checkpoints.push(checkpoint);
    if (this.#checkpoints.length > MOST_CHECKPOINTS)
      this.#checkpoints = this.#checkpoints.filter((_, index) => index === 0 || index % 2 === 1);
  }

  /** Where everything stops being straight; nothing is looked at while no limit is in force. */
  #end(from: number, at: number): number {
    const bend = this.#of.nextBend(from);
    const limited = Array.from({ length: this.#of.inverters }, (_, index) => this.#of.limitPct(index, from));
    const isFree = limited.every((percent) => percent >= 100);
    const quarter = (Math.floor(from / QUARTER_MS) + 1) * QUARTER_MS;
    return Math.min(at, bend ?? at, isFree && bend === null ? at : quarter);
  }

  #plus(before: LostWh, from: number, to: number): LostWh {
    const { inverters, ratedPowerW } = this.#of;
    const [first, last] = [this.#of.unlimitedW(from), this.#of.unlimitedW(to)];
    const middle = (from + to) / 2;
    const excess = Array.from({ length: inverters }, (_, index) => {
      const begin = this.#of.limitPct(index, from);
      // At its end a limit may jump, so the end of the line is drawn from its middle.
      const end = 2 * this.#of.limitPct(index, middle) - begin;
      return [
        (first[index] ?? 0) - (begin * ratedPowerW) / 100,
        (last[index] ?? 0) - (end * ratedPowerW) / 100,
      ] as const;
    });
    const exported = [first[inverters] ?? 0, last[inverters] ?? 0] as const;
    const hours = (to - from) / HOUR_MS;
    const cuts = [0, ...excess.flatMap(([a, b]) => crossing(a, b)), 1].sort((a, b) => a - b);
    const after = { ...before, inverterWh: [...before.inverterWh] };
    const sum = (part: number) =>
      excess.reduce((total, [a, b]) => total + Math.max(0, a + (b - a) * part), 0);
    for (const [index, [a, b]] of excess.entries())
      after.inverterWh[index] = (after.inverterWh[index] ?? 0) + hours * positiveArea(a, b);
    for (let piece = 1; piece < cuts.length; piece++) {
      const [begin = 0, end = 0] = [cuts[piece - 1], cuts[piece]];
      if (end <= begin) continue;
      const lost = [sum(begin), sum(end)] as const;
      const out = [begin, end].map((part) => exported[0] + (exported[1] - exported[0]) * part);
      const width = hours * (end - begin);
      const beyond = width * positiveArea(lost[0] - (out[0] ?? 0), lost[1] - (out[1] ?? 0));
      after.importedWh += beyond;
      after.exportedWh += (width * (lost[0] + lost[1])) / 2 - beyond;
    }
    return after;
  }
}

const nothing = (inverters: number): LostWh => ({
  inverterWh: Array.from({ length: inverters }, () => 0),
  exportedWh: 0,
  importedWh: 0,
});

/** Where a straight line from `a` at 0 to `b` at 1 passes zero. */
const crossing = (a: number, b: number): number[] => (a * b < 0 ? [a / (a - b)] : []);

/** Area above zero below that line. */
function positiveArea(a: number, b: number): number {
  if (a >= 0 && b >= 0) return (a + b) / 2;
  if (a <= 0 && b <= 0) return 0;
  const high = Math.max(a, b);
  return (high * high) / (2 * (high - Math.min(a, b)));
}
