import { arrayPowerW } from './photovoltaics.ts';

/** Efficiency of the reference inverter whose curve is used, and the usual one. Source: PVWatts 5. */
const REFERENCE_EFFICIENCY = 0.9637;
export const USUAL_INVERTER_EFFICIENCY = 0.96;

/**
 * AC power of an inverter with the part-load curve of PVWatts, clipped at its rating, W.
 *
 * Units: `dcPowerW` at its input; `dcLimitW` is the DC power at which it gives its rated AC power, so that this is
 * `dcLimitW` times the nominal efficiency. Gaps: NaN gives NaN. Below 0.6 % of load it gives nothing.
 * Source: Dobos 2014, PVWatts Version 5 Manual, NREL/TP-6A20-62641.
 */
export function pvwattsAcW(
  dcPowerW: number,
  dcLimitW: number,
  nominalEfficiency = USUAL_INVERTER_EFFICIENCY,
): number {
  if (dcPowerW <= 0 || dcLimitW <= 0) return 0;
  const load = dcPowerW / dcLimitW;
  const efficiency = (nominalEfficiency / REFERENCE_EFFICIENCY) * (0.9858 - 0.0162 * load - 0.0059 / load);
  return Math.min(nominalEfficiency * dcLimitW, Math.max(0, efficiency * dcPowerW));
}

/** DC power of an array, W; gaps: NaN gives NaN. Units: rating W at 1000 W/m² and 25 °C, coefficient per K. */
export const pvwattsDcW = arrayPowerW;

/** What PVWatts takes off, as parts of 1; together 14 %. */
export const PVWATTS_LOSSES = {
  soiling: 0.02,
  shading: 0.03,
  snow: 0,
  mismatch: 0.02,
  wiring: 0.02,
  connections: 0.005,
  lightInduced: 0.015,
  nameplate: 0.01,
  age: 0,
  availability: 0.03,
} as const;

/** Several losses together, as a part of 1: what each takes off, it takes off what the others left. */
export const combinedLoss = (losses: Readonly<Record<string, number>> = PVWATTS_LOSSES): number =>
  1 - Object.values(losses).reduce((left, loss) => left * (1 - loss), 1);

/** What is left of an array's power after some years, as a part of 1. `perYear` is 0.005 for half a per cent. */
export const degradedPart = (perYear: number, years: number): number => (1 - perYear) ** Math.max(0, years);
