/**
 * Power of an array at its maximum power point, P_A of IEC 61724-1, W.
 *
 * Units: rated power W at 1000 W/m² and 25 °C; coefficient per K, negative for silicon.
 */
export function arrayPowerW(
  ratedPowerW: number,
  poaWm2: number,
  moduleC: number,
  coefficientPerK: number,
): number {
  return Math.max(0, ((ratedPowerW * poaWm2) / 1000) * (1 + coefficientPerK * (moduleC - 25)));
}

/**
 * Voltage of a string at its maximum power point, V; 0 in the dark.
 *
 * The logarithm is the one-diode model with a thermal voltage of about 2.5 % of the rated one; the coefficient is that
 * of the voltage. Source: De Soto, Klein and Beckman 2006, simplified.
 */
export function stringVoltageV(
  ratedVoltageV: number,
  poaWm2: number,
  moduleC: number,
  coefficientPerK: number,
): number {
  if (poaWm2 < 1) return 0;
  return ratedVoltageV * (1 + 0.025 * Math.log(poaWm2 / 1000)) * (1 + coefficientPerK * (moduleC - 25));
}

/** Losses of an inverter as parts of its rated power: standing, with the voltage drop, with the resistance. */
export interface InverterLosses {
  standing: number;
  linear: number;
  quadratic: number;
}

/**
 * AC power of an inverter, P_out of IEC 61724-1, W: losses of second order, then clipping at the rated power.
 *
 * Gaps: below its standing losses the inverter gives 0. Source: Schmidt and Sauer 1996.
 */
export function inverterAcPowerW(dcPowerW: number, ratedPowerW: number, losses: InverterLosses): number {
  const load = dcPowerW / ratedPowerW;
  const output = load - losses.standing - losses.linear * load - losses.quadratic * load ** 2;
  return Math.min(1, Math.max(0, output)) * ratedPowerW;
}
