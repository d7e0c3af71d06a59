import type { Irradiance } from '@albedo/energy/irradiance';
import { arrayPowerW, inverterAcPowerW, stringVoltageV } from '@albedo/energy/photovoltaics';
import { faimanModuleC } from '@albedo/energy/temperature';
import { planeOfArrayWm2 } from '@albedo/energy/transposition';
import type { Setpoints } from '../controls/control-state.ts';
import { chance, seedOf, smoothNoise } from '../weather/noise.ts';
import type { Weather } from '../weather/weather.ts';
import { type Fault, FaultHistory, faultOfCycle } from './faults.ts';
import type { PlantDescription } from './plants.ts';

const LOSSES = { standing: 0.0022, linear: 0.006, quadratic: 0.009 };
const POWER_PER_K = -0.0037;
const VOLTAGE_PER_K = -0.0028;
/** Dirt, mismatch and cables of a new array. */
const ARRAY_LOSS = 0.045;
const RESTART_MS = 150_000;
/** DC power at which the inverter gives a part of its rated AC power, as a part of that; it draws no more. */
const drawnFor = (part: number): number =>
  (1 -
    LOSSES.linear -
    Math.sqrt((1 - LOSSES.linear) ** 2 - 4 * LOSSES.quadratic * (part + LOSSES.standing))) /
  (2 * LOSSES.quadratic);
const FULL_LOAD = drawnFor(1);
/** Apparent power that it can give, and reactive power, as parts of the rated power. */
export const APPARENT_PART = 1.1;
export const REACTIVE_PART = 0.6;

/** Light on one plane of the plant. */
export interface PlaneLight {
  poaWm2: number;
  moduleC: number;
}

export type OperatingState = 'sleeping' | 'starting' | 'mppt' | 'throttled' | 'fault';

export interface InverterState {
  state: OperatingState;
  acPowerW: number;
  reactivePowerVar: number;
  acVoltageV: [number, number, number];
  acCurrentA: [number, number, number];
  frequencyHz: number;
  dcPowerW: number;
  inputs: { currentA: number; voltageV: number; powerW: number }[];
  cabinetC: number;
  heatSinkC: number;
  lostString: boolean;
  lifetimeEnergyWh: number;
}

export function planeLight(plant: PlantDescription, weather: Weather, sky: Irradiance): PlaneLight[] {
  return plant.planes.map((plane) => {
    const poaWm2 = planeOfArrayWm2(weather.sun, sky, plane);
    return { poaWm2, moduleC: faimanModuleC(poaWm2, weather.ambientC, weather.windMs) };
  });
}

/** One inverter with its arrays. Its inputs lie on the plant's planes in turn. */
export class InverterModel {
  readonly name: string;
  readonly #plant: PlantDescription;
  readonly #index: number;
  readonly #seed: number;
  readonly #inputFactors: number[];
  readonly #trips: FaultHistory;
  readonly #stringLosses: FaultHistory;
  readonly silences: FaultHistory;

  constructor(plant: PlantDescription, index: number) {
    this.name = `inv-${String(index).padStart(2, '0')}`;
    this.#plant = plant;
    this.#index = index;
    this.#seed = seedOf(plant.seed, this.name);
    this.#inputFactors = Array.from(
      { length: plant.inverter.inputs },
      (_, input) => (1 - ARRAY_LOSS) * (0.985 + 0.03 * chance(this.#seed, input)),
    );
    this.#trips = new FaultHistory(plant.seed, this.name, 'trip');
    this.#stringLosses = new FaultHistory(plant.seed, this.name, 'string_loss');
    this.silences = new FaultHistory(plant.seed, this.name, 'lost_communication');
  }

  /** AC power alone, W; what the energy counter adds up. */
  acPowerW(at: number, light: PlaneLight[]): number {
    if (this.#isTripped(at)) return 0;
    let dcPowerW = 0;
    for (let input = 0; input < this.#inputFactors.length; input++)
      dcPowerW += this.#inputPowerW(at, input, light);
    return inverterAcPowerW(dcPowerW, this.#plant.inverter.ratedPowerW, LOSSES);
  }

  /** Everything the inverter measures. `lifetimeEnergyWh` comes from the plant's counter. */
  state(
    at: number,
    weather: Weather,
    light: PlaneLight[],
    lifetimeEnergyWh: number,
    setpoints: Setpoints | null = null,
  ): InverterState {
    const { ratedPowerW, inputVoltageV } = this.#plant.inverter;
    const possibleW = this.acPowerW(at, light);
    const acPowerW = limitedW(possibleW, setpoints, ratedPowerW);
    const isLimited = acPowerW < possibleW;
    const tripped = this.#trips.at(at) !== null;
    const works = possibleW > 0;
    const offeredW = this.#inputFactors.reduce(
      (sum, _, input) => sum + this.#inputPowerW(at, input, light),
      0,
    );
    const load = isLimited ? drawnFor(acPowerW / ratedPowerW) : FULL_LOAD;
    const drawn = Math.min(1, (load * ratedPowerW) / offeredW);
    const inputs = this.#inputFactors.map((_, input) => {
      const plane = this.#lightOf(input, light);
      const powerW = works ? this.#inputPowerW(at, input, light) * drawn : 0;
      // Away from the maximum power point the voltage rises towards that of the open string.
      const open = works ? 1 + 0.17 * (1 - drawn) : 1.17;
      const voltageV = stringVoltageV(inputVoltageV, plane.poaWm2, plane.moduleC, VOLTAGE_PER_K) * open;
      return { powerW, voltageV, currentA: powerW > 0 ? powerW / voltageV : 0 };
    });
    const dcPowerW = inputs.reduce((sum, input) => sum + input.powerW, 0);
    const clipped = isLimited || acPowerW >= ratedPowerW;
    const lit = (light[0]?.poaWm2 ?? 0) > 4;
    const running = clipped ? 'throttled' : works ? 'mppt' : lit ? 'starting' : 'sleeping';
    const reactivePowerVar = works ? reactiveVar(acPowerW, setpoints, ratedPowerW) : 0;
    const acVoltageV = this.#voltages(at, acPowerW / ratedPowerW);
    const phaseVa = Math.hypot(acPowerW, reactivePowerVar) / 3;
    const heat = (dcPowerW > 0 ? (dcPowerW - acPowerW) / ratedPowerW : 0) * 1000;
    return {
      state: tripped ? 'fault' : running,
      acPowerW,
      reactivePowerVar,
      acVoltageV,
      acCurrentA: acVoltageV.map((voltageV) => phaseVa / voltageV) as [number, number, number],
      frequencyHz: gridFrequencyHz(this.#plant, at),
      dcPowerW,
      inputs,
      cabinetC: weather.ambientC + 4 + 0.75 * heat,
      heatSinkC: weather.ambientC + 2 + 1.5 * heat,
      lostString: this.#lostStrings(at) !== null,
      lifetimeEnergyWh,
    };
  }

  #isTripped(at: number): boolean {
    return this.#trips.at(at) !== null || this.#trips.at(at - RESTART_MS) !== null;
  }

  /** The fault that takes strings, and how many. */
  #lostStrings(at: number): { fault: Fault; strings: number } | null {
    const { wornStrings } = this.#plant;
    const worn = wornStrings?.inverter === this.#index ? faultOfCycle(at, wornStrings) : null;
    if (worn) return { fault: worn, strings: wornStrings?.strings ?? 1 };
    const fault = this.#stringLosses.at(at);
    return fault && { fault, strings: 1 };
  }

  #lightOf(input: number, light: PlaneLight[]): PlaneLight {
    return light[(this.#index + input) % light.length] ?? { poaWm2: 0, moduleC: 20 };
  }

  #inputPowerW(at: number, input: number, light: PlaneLight[]): number {
    const { inputPowerW, inputs, stringsPerInput } = this.#plant.inverter;
    const plane = this.#lightOf(input, light);
    if (plane.poaWm2 <= 0) return 0;
    const loss = this.#lostStrings(at);
    const lost = loss && Math.floor(loss.fault.part * inputs) === input ? loss.strings : 0;
    const factor = (this.#inputFactors[input] ?? 0) * (1 - lost / stringsPerInput);
    return arrayPowerW(inputPowerW, plane.poaWm2, plane.moduleC, POWER_PER_K) * factor;
  }

  #voltages(at: number, load: number): [number, number, number] {
    const rise = 1 + 0.011 * load;
    const phase = (which: number) => gridVoltageV(this.#plant, at, which) * rise;
    return [phase(0), phase(1), phase(2)];
  }
}

/** Power that a limit leaves, W. */
export function limitedW(possibleW: number, setpoints: Setpoints | null, ratedPowerW: number): number {
  return setpoints ? Math.min(possibleW, (setpoints.limitPct * ratedPowerW) / 100) : possibleW;
}

/** Reactive power, supplied positive; what was set gives way to the active power. */
export function reactiveVar(acPowerW: number, setpoints: Setpoints | null, ratedPowerW: number): number {
  const own = -0.004 * ratedPowerW - 0.012 * acPowerW;
  if (!setpoints || (setpoints.cosPhi === null && setpoints.vars === null)) return own;
  const room = Math.sqrt(Math.max(0, (APPARENT_PART * ratedPowerW) ** 2 - acPowerW ** 2));
  const most = Math.min(REACTIVE_PART * ratedPowerW, room);
  const { cosPhi, vars } = setpoints;
  const bases = { none: 0, wMax: ratedPowerW, varMax: REACTIVE_PART * ratedPowerW, varAval: most, var: 100 };
  const wanted = vars
    ? (vars.value * bases[vars.base]) / 100
    : Math.sign(cosPhi ?? 1) * acPowerW * Math.tan(Math.acos(Math.min(1, Math.abs(cosPhi ?? 1))));
  return Math.min(most, Math.max(-most, wanted));
}

export function gridFrequencyHz(plant: PlantDescription, at: number): number {
  const seed = seedOf(plant.seed, 'frequency');
  return (
    plant.grid.frequencyHz + 0.06 * (smoothNoise(seed, at, 95_000) + smoothNoise(seed + 1, at, 640_000) - 1)
  );
}

export function gridVoltageV(plant: PlantDescription, at: number, phase: number): number {
  const seed = seedOf(plant.seed, 'voltage') + phase;
  return (
    plant.grid.voltageV *
    (0.985 + 0.025 * smoothNoise(seed, at, 820_000) + 0.006 * smoothNoise(seed + 9, at, 45_000))
  );
}
