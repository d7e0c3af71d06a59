/** How a module is mounted, for the temperature models of Sandia. */
export interface SapmMount {
  a: number;
  b: number;
  /** Cell above the back of the module at 1000 W/m², K. */
  cellAboveBackK: number;
}

/** Source: King, Boyson and Kratochvil 2004, SAND2004-3535, table 1. */
export const SAPM_MOUNTS = {
  'open-rack-glass-glass': { a: -3.47, b: -0.0594, cellAboveBackK: 3 },
  'open-rack-glass-polymer': { a: -3.56, b: -0.075, cellAboveBackK: 3 },
  'close-roof-glass-glass': { a: -2.98, b: -0.0471, cellAboveBackK: 1 },
  'insulated-back-glass-polymer': { a: -2.81, b: -0.0455, cellAboveBackK: 0 },
} as const satisfies Record<string, SapmMount>;

const USUAL_MOUNT = SAPM_MOUNTS['open-rack-glass-polymer'];

/**
 * Temperature of a module's back, T_mod of IEC 61724-1, °C, by Sandia's model.
 *
 * Units: irradiance in the plane W/m², air °C, wind m/s at 10 m. Source: SAND2004-3535, equation 11.
 */
export function sapmModuleC(
  poaWm2: number,
  ambientC: number,
  windMs: number,
  mount: SapmMount = USUAL_MOUNT,
): number {
  return ambientC + poaWm2 * Math.exp(mount.a + mount.b * Math.max(0, windMs));
}

/** Temperature of the cells from that of the back, °C. Source: SAND2004-3535, equation 12. */
export const cellOfModuleC = (moduleC: number, poaWm2: number, mount: SapmMount = USUAL_MOUNT): number =>
  moduleC + (poaWm2 / 1000) * mount.cellAboveBackK;

/** Temperature of the cells by Sandia's model, °C; units as `sapmModuleC`. */
export function sapmCellC(
  poaWm2: number,
  ambientC: number,
  windMs: number,
  mount: SapmMount = USUAL_MOUNT,
): number {
  return cellOfModuleC(sapmModuleC(poaWm2, ambientC, windMs, mount), poaWm2, mount);
}

/**
 * Temperature of the cells from the nominal operating cell temperature of the data sheet, °C.
 *
 * NOCT is that at 800 W/m², 20 °C and 1 m/s; the wind is not asked for. Source: Ross 1976.
 */
export const noctCellC = (poaWm2: number, ambientC: number, noctC = 45): number =>
  ambientC + ((noctC - 20) / 800) * poaWm2;

/**
 * Temperature of a module's back, T_mod of IEC 61724-1, °C.
 *
 * Units: irradiance in the plane W/m², air °C, wind m/s. Source: Faiman 2008, U0 25 W/(m²K), U1 6.84 W s/(m³K).
 */
export const faimanModuleC = (poaWm2: number, ambientC: number, windMs: number, u0 = 25, u1 = 6.84): number =>
  ambientC + poaWm2 / (u0 + u1 * Math.max(0, windMs));

/** How the temperature of cells is found from that of the air. */
export type TemperatureModel = 'sapm' | 'noct' | 'faiman';
export const TEMPERATURE_MODELS: readonly TemperatureModel[] = ['sapm', 'noct', 'faiman'];

export interface TemperatureOptions {
  model: TemperatureModel;
  mount?: SapmMount;
  /** Of the data sheet. Default 45. */
  noctC?: number;
}

/** Wind where none is measured, m/s: that of the conditions under which NOCT is given. */
const USUAL_WIND_MS = 1;

/** Temperature of the cells by the chosen model, °C. Gaps: NaN in irradiance or air gives NaN, in the wind 1 m/s. */
export function cellC(
  poaWm2: number,
  ambientC: number,
  windMs: number,
  { model, mount, noctC }: TemperatureOptions,
): number {
  const wind = Number.isNaN(windMs) ? USUAL_WIND_MS : windMs;
  if (model === 'noct') return noctCellC(poaWm2, ambientC, noctC);
  if (model === 'faiman') return faimanModuleC(poaWm2, ambientC, wind);
  return sapmCellC(poaWm2, ambientC, wind, mount);
}

/**
 * Irradiance-weighted mean temperature, °C: sum(G T) / sum(G). Of a typical year at the site it is the reference that a
 * weather-corrected performance ratio needs; of the evaluated period itself it would give the plain ratio again.
 *
 * Shapes: both lists alike. Gaps: an hour that lacks either counts for neither sum; null where no hour has light.
 * Source: Dierauf et al. 2013, NREL/TP-5200-57991, equation 6.
 */
export function weightedMeanC(poaWm2: ArrayLike<number>, moduleC: ArrayLike<number>): number | null {
  let [weight, sum] = [0, 0];
  for (let i = 0; i < poaWm2.length; i++) {
    const [light, degrees] = [poaWm2[i] ?? Number.NaN, moduleC[i] ?? Number.NaN];
    if (!(light > 0) || Number.isNaN(degrees)) continue;
    weight += light;
    sum += light * degrees;
  }
  return weight > 0 ? sum / weight : null;
}
