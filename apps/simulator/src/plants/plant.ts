import type { LostWh } from '../controls/lost-energy.ts';
import type { PlantControls } from '../controls/plant-controls.ts';
import { seedOf } from '../weather/noise.ts';
import { type Weather, WeatherModel } from '../weather/weather.ts';
import { EnergyCounters, type PowerSample } from './counters.ts';
import { FaultHistory } from './faults.ts';
import {
  gridFrequencyHz,
  gridVoltageV,
  InverterModel,
  type InverterState,
  limitedW,
  type PlaneLight,
  planeLight,
  reactiveVar,
} from './inverter.ts';
import { LocalClock, siteLoadW } from './load.ts';
import { METER_UNIT, type PlantDescription, STATION_UNIT } from './plants.ts';

export interface MeterState {
  /** Exchange with the grid, W; import is positive. */
  powerW: number;
  reactivePowerVar: number;
  voltageV: [number, number, number];
  /** Current of each phase, A; negative for export. */
  currentA: [number, number, number];
  frequencyHz: number;
  exportedWh: number;
  importedWh: number;
}

export interface StationState {
  weather: Weather;
  /** In the plane of the first array; a stuck sensor repeats what it last measured. */
  poaWm2: number;
  moduleC: number;
}

export interface PlantSample {
  weather: Weather;
  light: PlaneLight[];
}

/**
 * A plant at any instant: the same instant gives the same values in every process and in every order of questions.
 * With controls that holds for the same writes; as long as there are none it is the plant without controls.
 */
export class Plant {
  readonly description: PlantDescription;
  readonly inverters: InverterModel[];
  /** Null where nobody can write. */
  readonly controls: PlantControls | null;
  readonly #weather: WeatherModel;
  readonly #clock: LocalClock;
  readonly #counters: EnergyCounters;
  readonly #loadSeed: number;
  readonly #stuckSensors: FaultHistory;
  readonly #meterSilences: FaultHistory;
  readonly #stationSilences: FaultHistory;
  #sampledAt = Number.NaN;
  #sample: PlantSample | null = null;

  constructor(description: PlantDescription, controls: PlantControls | null = null) {
    const { seed, site, climate, commissionedAt } = description;
    this.description = description;
    this.inverters = Array.from(
      { length: description.inverters },
      (_, index) => new InverterModel(description, index + 1),
    );
    this.#weather = new WeatherModel(seed, site, climate);
    this.#clock = new LocalClock(site.timezone);
    this.#loadSeed = seedOf(seed, 'load');
    this.#stuckSensors = new FaultHistory(seed, 'station', 'stuck_sensor');
    this.#meterSilences = new FaultHistory(seed, 'grid', 'lost_communication');
    this.#stationSilences = new FaultHistory(seed, 'station', 'lost_communication');
    this.#counters = new EnergyCounters(commissionedAt, description.inverters, (at) => this.#powers(at));
    this.controls = controls;
    controls?.begin((at) => this.#counters.powersW(at));
  }

  /** Unit ids that a Modbus master finds at this plant. */
  units(): number[] {
    return [...this.inverters.map((_, index) => index + 1), METER_UNIT, STATION_UNIT];
  }

  /** False while the device has lost its communication. */
  answers(unit: number, at: number): boolean {
    if (unit === METER_UNIT) return this.#meterSilences.at(at) === null;
    if (unit === STATION_UNIT) return this.#stationSilences.at(at) === null;
    return this.inverters[unit - 1]?.silences.at(at) === null;
  }

  /** Inverters are counted from 1. Throws when the plant has no such inverter. */
  inverter(index: number, at: number): InverterState {
    const inverter = this.inverters[index - 1];
    if (!inverter) throw new Error(`${this.description.slug} has no inverter ${index}`);
    const { weather, light } = this.#at(at);
    const setpoints = this.controls?.setpoints(index, at) ?? null;
    const lostWh = setpoints ? (this.controls?.lost(at).inverterWh[index - 1] ?? 0) : 0;
    return inverter.state(at, weather, light, this.#counters.inverterWh(index, at) - lostWh, setpoints);
  }

  meter(at: number): MeterState {
    const { gridW, reactivePowerVar, lost } = this.#exchange(at);
    const voltage = (phase: number) => gridVoltageV(this.description, at, phase);
    const voltageV: [number, number, number] = [voltage(0), voltage(1), voltage(2)];
    const phaseVa = (Math.sign(gridW) * Math.hypot(gridW, reactivePowerVar)) / 3;
    return {
      powerW: gridW,
      reactivePowerVar,
      voltageV,
      currentA: [phaseVa / voltageV[0], phaseVa / voltageV[1], phaseVa / voltageV[2]],
      frequencyHz: gridFrequencyHz(this.description, at),
      exportedWh: this.#counters.exportedWh(at) - (lost?.exportedWh ?? 0),
      importedWh: this.#counters.importedWh(at) + (lost?.importedWh ?? 0),
    };
  }

  /** What the meter sees: with setpoints less is made, and the reactive power is that of the inverters. */
  #exchange(at: number): { gridW: number; reactivePowerVar: number; lost: LostWh | null } {
    const { inverterW, gridW } = this.#powers(at);
    const productionW = inverterW.reduce((sum, powerW) => sum + powerW, 0);
    const siteVar = 0.22 * (gridW + productionW);
    const { ratedPowerW } = this.description.inverter;
    const controls = this.controls;
    if (!controls?.isUsed(at)) return { gridW, reactivePowerVar: siteVar - 0.01 * productionW, lost: null };
    const made = inverterW.map((possibleW, index) => {
      const setpoints = controls.setpoints(index + 1, at);
      const powerW = limitedW(possibleW, setpoints, ratedPowerW);
      const isSet = setpoints !== null && (setpoints.cosPhi ?? setpoints.vars) !== null;
      const suppliedVar = possibleW > 0 ? reactiveVar(powerW, setpoints, ratedPowerW) : 0;
      return { powerW, drawnVar: isSet ? -suppliedVar : -0.01 * powerW };
    });
    const madeW = made.reduce((sum, { powerW }) => sum + powerW, 0);
    const drawnVar = made.reduce((sum, one) => sum + one.drawnVar, 0);
    return {
      gridW: gridW + productionW - madeW,
      reactivePowerVar: siteVar + drawnVar,
      lost: controls.lost(at),
    };
  }

  station(at: number): StationState {
    const stuck = this.#stuckSensors.at(at);
    const measuredAt = stuck ? stuck.from : at;
    const frozenWm2 = this.#at(measuredAt).light[0]?.poaWm2 ?? 0;
    const { weather, light } = this.#at(at);
    return { weather, poaWm2: frozenWm2, moduleC: light[0]?.moduleC ?? weather.ambientC };
  }

  #at(at: number): PlantSample {
    if (this.#sample && this.#sampledAt === at) return this.#sample;
    const weather = this.#weather.at(at);
    this.#sample = { weather, light: planeLight(this.description, weather, weather.sky) };
    this.#sampledAt = at;
    return this.#sample;
  }

  #powers(at: number): PowerSample {
    const { light } = this.#at(at);
    const inverterW = this.inverters.map((inverter) => inverter.acPowerW(at, light));
    const productionW = inverterW.reduce((sum, powerW) => sum + powerW, 0);
    const loadW = siteLoadW(this.#loadSeed, this.description.load, at, this.#clock.offsetMs(at));
    return { inverterW, gridW: loadW - productionW };
  }
}
