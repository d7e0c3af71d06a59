import { remainingS } from '../controls/control-state.ts';
import type { PlantControls } from '../controls/plant-controls.ts';
import { APPARENT_PART, REACTIVE_PART } from '../plants/inverter.ts';
import type { PlantDescription } from '../plants/plants.ts';
import { DER_AC_CONTROLS, DER_CONTROL, IMMEDIATE_CONTROLS, NAMEPLATE, type Point } from './models.ts';
import { BASE_ADDRESS, type ModelValues } from './register-image.ts';

/** What an inverter that takes writes carries after its other models. */
export function controlModels(
  { inverter, grid }: PlantDescription,
  controls: PlantControls,
  unit: number,
  at: number,
): ModelValues[] {
  const rules = controls.rules(unit);
  const { model, scale } = rules;
  const state = controls.state(unit, at);
  const { ratedPowerW } = inverter;
  const reactive = REACTIVE_PART * ratedPowerW;
  const nameplate = {
    model: NAMEPLATE,
    values: {
      DERTyp: 4,
      WRtg: ratedPowerW,
      WRtg_SF: 1,
      VARtg: APPARENT_PART * ratedPowerW,
      VARtg_SF: 1,
      VArRtgQ1: reactive,
      VArRtgQ4: -reactive,
      VArRtg_SF: 1,
      ARtg: (APPARENT_PART * ratedPowerW) / (3 * grid.voltageV),
      ARtg_SF: -1,
      PFRtgQ1: 0.8,
      PFRtgQ4: -0.8,
      PFRtg_SF: -2,
    },
  };
  if (model === 123) {
    const scales = { WMaxLimPct_SF: scale.limit, OutPFSet_SF: scale.cosPhi, VArPct_SF: scale.vars };
    return [nameplate, { model: IMMEDIATE_CONTROLS, values: { Conn: 1, ...state.points, ...scales } }];
  }
  const { ControllerHb = 0, ...points } = state.points;
  return [
    nameplate,
    {
      model: DER_AC_CONTROLS,
      values: {
        ...points,
        PFWInjRvrtRem: remainingS(state, 'cosPhi', at, rules),
        WMaxLimPctRvrtRem: remainingS(state, 'limit', at, rules),
        VarSetRvrtRem: remainingS(state, 'vars', at, rules),
        PF_SF: scale.cosPhi,
        WMaxLim_SF: scale.limit,
        VarSet_SF: 0,
        VarSetPct_SF: scale.vars,
      },
    },
    {
      model: DER_CONTROL,
      values: {
        LocRemCtl: controls.has(unit, 'local-mode') ? 1 : 0,
        DERHb: Math.floor(at / 1000) % 65_000,
        ControllerHb,
      },
    },
  ];
}

/** What a write to registers says, by the names of the points; null where one of them cannot be written. */
export function writtenPoints(
  models: ModelValues[],
  address: number,
  values: readonly number[],
  canWrite: (name: string) => boolean,
): Record<string, number> | null {
  const names: Record<string, number> = {};
  const end = address + values.length;
  let covered = 0;
  for (const { at, point } of placesOf(models)) {
    if (at + point.size <= address || at >= end) continue;
    // Half of a number of two registers is no value.
    if (at < address || at + point.size > end || !canWrite(point.name)) return null;
    const words = values.slice(at - address, at - address + point.size);
    names[point.name] = numberOf(point, words);
    covered += point.size;
  }
  return covered === values.length ? names : null;
}

/** False for what no inverter takes. */
export function isTaken(name: string, raw: number, { limit, cosPhi }: { limit: number; cosPhi: number }) {
  if (/Ena$/.test(name) || name.endsWith('_Ext')) return raw === 0 || raw === 1;
  if (name === 'VArPct_Mod') return raw >= 0 && raw <= 3;
  if (name === 'VarSetMod') return raw >= 1 && raw <= 4;
  if (name.startsWith('WMaxLimPct') && !name.includes('Tms')) return raw * 10 ** limit <= 100;
  if (name === 'OutPFSet' || name.endsWith('_PF')) return Math.abs(raw) * 10 ** cosPhi <= 1;
  return true;
}

function* placesOf(models: ModelValues[]): Generator<{ at: number; point: Point }> {
  let at = BASE_ADDRESS + 2;
  for (const { model, blocks = [] } of models) {
    at += 2;
    for (const point of [...model.points, ...blocks.flatMap(() => model.repeating)]) {
      yield { at, point };
      at += point.size;
    }
  }
}

function numberOf({ type }: Point, [high = 0, low = 0]: readonly number[]): number {
  if (type === 'int16') return high > 0x7fff ? high - 0x1_0000 : high;
  if (type === 'int32') return (high << 16) | low;
  return type === 'uint32' ? high * 0x1_0000 + low : high;
}
