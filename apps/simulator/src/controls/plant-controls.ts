import { type Behaviour, FOREIGN_LIMIT_PCT, FOREIGN_PERIOD_MS } from './behaviours.ts';
import {
  type ControlRules,
  type ControlState,
  cosPhi,
  factoryState,
  limitBends,
  limitPct,
  type Setpoints,
  stateAt,
  vars,
  written,
} from './control-state.ts';
import { LostEnergy, type LostWh } from './lost-energy.ts';
import { type ControlWrite, WriteLog } from './write-log.ts';

/** What controls know of a plant. */
interface ControlledPlant {
  inverters: number;
  inverter: { ratedPowerW: number; control: Pick<ControlRules, 'model' | 'scale'> };
}

export interface ControlOptions {
  /** The file that keeps the writes; without it they are forgotten when the process ends. */
  file?: string | null;
  behaviours?: { unit: number; behaviour: Behaviour }[];
}

/** What everybody wrote to the inverters of a plant, and what is in force at any instant because of it. */
export class PlantControls {
  readonly #description: ControlledPlant;
  readonly #log: WriteLog;
  readonly #rules: ControlRules[];
  /** For each inverter its states, oldest first; the first is that of the factory or of the basis. */
  readonly #states: ControlState[][];
  #writes: ControlWrite[] = [];
  #beganAt = Number.POSITIVE_INFINITY;
  #lostBefore: LostWh | null = null;
  #lost: LostEnergy | null = null;
  #unlimitedW: (at: number) => number[] = () => [];

  constructor(description: ControlledPlant, { file = null, behaviours = [] }: ControlOptions = {}) {
    const { inverters, inverter } = description;
    this.#description = description;
    this.#log = new WriteLog(file);
    this.#rules = Array.from({ length: inverters }, (_, index) => ({
      ...inverter.control,
      behaviours: new Set(behaviours.filter(({ unit }) => unit === index + 1).map((one) => one.behaviour)),
    }));
    this.#states = this.#rules.map(({ model, scale, behaviours: own }) => [factoryState(model, scale, own)]);
    const { basis, writes } = this.#log.read();
    if (basis) {
      this.#beganAt = basis.at;
      this.#lostBefore = basis.lost;
      for (const [unit, state] of Object.entries(basis.states)) this.#states[Number(unit) - 1] = [state];
    }
    for (const write of writes) this.#take(write);
  }

  /** The plant tells what its inverters would make. */
  begin(unlimitedW: (at: number) => number[]): void {
    this.#unlimitedW = unlimitedW;
  }

  /** False as long as nobody had written anything by then. */
  isUsed(at: number): boolean {
    return at >= this.#beganAt;
  }

  rules(unit: number): ControlRules {
    return this.#rules[unit - 1] as ControlRules;
  }

  has(unit: number, behaviour: Behaviour): boolean {
    return this.#rules[unit - 1]?.behaviours.has(behaviour) ?? false;
  }

  state(unit: number, at: number): ControlState {
    return stateAt(this.#latest(unit - 1, at), at, this.rules(unit));
  }

  /** Null as long as the plant has not been written to. Inverters are counted from 1. */
  setpoints(unit: number, at: number): Setpoints | null {
    if (!this.isUsed(at)) return null;
    const [state, rules] = [this.#latest(unit - 1, at), this.rules(unit)];
    return {
      limitPct: limitPct(state, at, rules),
      cosPhi: cosPhi(state, at, rules),
      vars: vars(state, at, rules),
    };
  }

  lost(at: number): LostWh {
    this.#lost ??= new LostEnergy(
      {
        inverters: this.#description.inverters,
        ratedPowerW: this.#description.inverter.ratedPowerW,
        unlimitedW: (instant) => this.#unlimitedW(instant),
        limitPct: (index, instant) =>
          limitPct(this.#latest(index, instant), instant, this.#rules[index] as ControlRules),
        nextBend: (instant) => this.#nextBend(instant),
      },
      this.#beganAt,
      this.#lostBefore,
    );
    return this.#lost.at(at);
  }

  /** What another controller wrote by now is written. */
  catchUp(now: number): void {
    for (const [index, { behaviours, scale, model }] of this.#rules.entries()) {
      if (!behaviours.has('foreign-writer')) continue;
      const at = Math.floor(now / FOREIGN_PERIOD_MS) * FOREIGN_PERIOD_MS;
      if ((this.#states[index]?.at(-1)?.at ?? 0) >= at) continue;
      const enable = model === 123 ? 'WMaxLim_Ena' : 'WMaxLimPctEna';
      const raw = Math.round(FOREIGN_LIMIT_PCT / 10 ** scale.limit);
      this.write({ at, unit: index + 1, values: { WMaxLimPct: raw, [enable]: 1 } });
    }
  }

  /** Keeps a write and obeys it. `at` is never before that of an earlier one. */
  write(write: ControlWrite): void {
    const isFull = this.#log.append(write);
    this.#take(write);
    this.#lost?.forget(write.at);
    if (isFull) this.#fold();
  }

  #take(write: ControlWrite): void {
    const states = this.#states[write.unit - 1];
    const before = states?.at(-1);
    if (!states || !before) return;
    if (write.at < this.#beganAt) {
      this.#beganAt = write.at;
      this.#lost = null;
    }
    states.push(written(before, write.values, write.at, this.rules(write.unit)));
    this.#writes.push(write);
  }

  #latest(index: number, at: number): ControlState {
    const states = this.#states[index] as ControlState[];
    let low = 0;
    let high = states.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((states[middle] as ControlState).at <= at) low = middle;
      else high = middle - 1;
    }
    return states[low] as ControlState;
  }

  #nextBend(at: number): number | null {
    let next = Number.POSITIVE_INFINITY;
    for (const [index, states] of this.#states.entries()) {
      const current = this.#latest(index, at);
      const following = states[states.lastIndexOf(current) + 1];
      const bends = limitBends(current, this.#rules[index] as ControlRules);
      for (const bend of [...bends, ...(following ? [following.at] : [])])
        if (bend > at && bend < next) next = bend;
    }
    return Number.isFinite(next) ? next : null;
  }

  /** The older half becomes one state for each inverter, and the energy that was lost by then. */
  #fold(): void {
    const kept = this.#writes.slice(Math.floor(this.#writes.length / 2));
    const at = kept[0]?.at ?? 0;
    const lost = this.lost(at);
    const states = Object.fromEntries(
      this.#states.map((_, index) => [String(index + 1), this.#latest(index, at - 1)]),
    );
    this.#log.replace({ basis: { at, states, lost }, writes: kept });
    for (const [index, own] of this.#states.entries())
      this.#states[index] = own.slice(own.indexOf(this.#latest(index, at - 1)));
    this.#writes = kept;
    this.#beganAt = at;
    this.#lostBefore = lost;
    this.#lost = null;
  }
}
