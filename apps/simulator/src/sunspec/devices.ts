import type { InverterState, OperatingState } from '../plants/inverter.ts';
import type { Plant } from '../plants/plant.ts';
import { METER_UNIT, STATION_UNIT } from '../plants/plants.ts';
import { controlModels } from './control-models.ts';
import {
  COMMON,
  INVERTER_THREE_PHASE,
  IRRADIANCE,
  LOCATION,
  METEOROLOGICAL,
  METER_THREE_PHASE_WYE,
  MODULE_TEMPERATURE,
  MULTIPLE_MPPT,
} from './models.ts';
import { type ModelValues, registerImage } from './register-image.ts';

/** Source: model 103, point St. */
const STATES: Record<OperatingState, number> = { sleeping: 2, starting: 3, mppt: 4, throttled: 5, fault: 7 };
/** Bits of model 103, point Evt1. */
const GRID_DISCONNECT = 1 << 4;
const BLOWN_STRING_FUSE = 1 << 12;

/** Holding registers of one device of a plant as they read at an instant; null when the plant has no such unit. */
export function deviceRegisters(plant: Plant, unit: number, at: number): Uint16Array | null {
  if (unit === METER_UNIT) return registerImage(meterModels(plant, at));
  if (unit === STATION_UNIT) return registerImage(stationModels(plant, at));
  if (unit < 1 || unit > plant.inverters.length) return null;
  return registerImage(inverterModels(plant, unit, at));
}

export function inverterModels(plant: Plant, unit: number, at: number): ModelValues[] {
  const { inverter, slug } = plant.description;
  const { scale } = inverter;
  const state = plant.inverter(unit, at);
  const [v1, v2, v3] = state.acVoltageV;
  const [a1, a2, a3] = state.acCurrentA;
  const apparentVa = Math.hypot(state.acPowerW, state.reactivePowerVar);
  return [
    common(inverter.manufacturer, inverter.model, inverter.version, `${slug}-${unit}`, unit),
    {
      model: INVERTER_THREE_PHASE,
      values: {
        A: a1 + a2 + a3,
        AphA: a1,
        AphB: a2,
        AphC: a3,
        A_SF: scale.current,
        PhVphA: v1,
        PhVphB: v2,
        PhVphC: v3,
        V_SF: -1,
        W: state.acPowerW,
        W_SF: scale.power,
        Hz: state.frequencyHz,
        Hz_SF: -2,
        VA: apparentVa,
        VA_SF: scale.power,
        VAr: state.reactivePowerVar,
        VAr_SF: scale.power,
        PF: apparentVa > 0 ? (100 * state.acPowerW) / apparentVa : 100,
        PF_SF: -1,
        WH: state.lifetimeEnergyWh,
        WH_SF: scale.energy,
        DCW: state.dcPowerW,
        DCW_SF: scale.power,
        TmpCab: state.cabinetC,
        TmpSnk: state.heatSinkC,
        Tmp_SF: -1,
        St: STATES[state.state],
        Evt1: events(state),
        Evt2: 0,
      },
    },
    {
      model: MULTIPLE_MPPT,
      values: { DCA_SF: -1, DCV_SF: -1, DCW_SF: scale.power, Evt: 0, N: state.inputs.length },
      blocks: state.inputs.map((input, index) => ({
        ID: index + 1,
        IDStr: `Input ${index + 1}`,
        DCA: input.currentA,
        DCV: input.voltageV,
        DCW: input.powerW,
      })),
    },
    ...(plant.controls ? controlModels(plant.description, plant.controls, unit, at) : []),
  ];
}

function events(state: InverterState): number {
  return (state.state === 'fault' ? GRID_DISCONNECT : 0) | (state.lostString ? BLOWN_STRING_FUSE : 0);
}

function meterModels(plant: Plant, at: number): ModelValues[] {
  const state = plant.meter(at);
  const [v1, v2, v3] = state.voltageV;
  const [a1, a2, a3] = state.currentA;
  const apparentVa = Math.hypot(state.powerW, state.reactivePowerVar);
  return [
    common('Rhein Zaehler', 'RZ 400', '3.0', `${plant.description.slug}-grid`, METER_UNIT),
    {
      model: METER_THREE_PHASE_WYE,
      values: {
        A: a1 + a2 + a3,
        AphA: a1,
        AphB: a2,
        AphC: a3,
        A_SF: -1,
        PhV: (v1 + v2 + v3) / 3,
        PhVphA: v1,
        PhVphB: v2,
        PhVphC: v3,
        V_SF: -1,
        Hz: state.frequencyHz,
        Hz_SF: -2,
        W: state.powerW,
        WphA: state.powerW / 3,
        WphB: state.powerW / 3,
        WphC: state.powerW / 3,
        W_SF: 2,
        VA: apparentVa,
        VA_SF: 2,
        VAR: state.reactivePowerVar,
        VAR_SF: 2,
        PF: apparentVa > 0 ? (100 * state.powerW) / apparentVa : 100,
        PF_SF: -1,
        TotWhExp: state.exportedWh,
        TotWhImp: state.importedWh,
        TotWh_SF: 2,
        Evt: 0,
      },
    },
  ];
}

function stationModels(plant: Plant, at: number): ModelValues[] {
  const { site, name, slug } = plant.description;
  const { weather, poaWm2, moduleC } = plant.station(at);
  const clock = new Date(at).toISOString();
  return [
    common('Nimbus Instruments', 'WS-7', '1.22', `${slug}-weather`, STATION_UNIT),
    {
      model: IRRADIANCE,
      values: {},
      blocks: [{ GHI: weather.sky.ghiWm2, POAI: poaWm2, DFI: weather.sky.dhiWm2, DNI: weather.sky.dniWm2 }],
    },
    { model: MODULE_TEMPERATURE, values: {}, blocks: [{ TmpBOM: moduleC }] },
    {
      model: LOCATION,
      values: {
        Tm: clock.slice(11, 19).replaceAll(':', ''),
        Date: clock.slice(0, 10).replaceAll('-', ''),
        Loc: name,
        Lat: site.latitudeDeg,
        Long: site.longitudeDeg,
        Alt: site.altitudeM,
      },
    },
    {
      model: METEOROLOGICAL,
      values: {
        TmpAmb: weather.ambientC,
        RH: weather.humidityPct,
        Pres: weather.pressureHPa,
        WndSpd: weather.windMs,
        WndDir: weather.windFromDeg,
      },
    },
  ];
}

function common(maker: string, type: string, version: string, serial: string, unit: number): ModelValues {
  return { model: COMMON, values: { Mn: maker, Md: type, Vr: version, SN: serial, DA: unit } };
}
