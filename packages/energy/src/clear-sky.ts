import type { Irradiance, SkySeries } from './irradiance.ts';
import {
  airMass,
  directionOf,
  extraterrestrialNormalWm2,
  radians,
  type SunPath,
  type SunPosition,
} from './sun.ts';

/**
 * Global horizontal irradiance under a cloudless sky from the sun's elevation alone, W/m²; 0 at night.
 *
 * Source: Haurwitz 1945 and 1946, J. Meteorology 2 and 3; checked against the table in pvlib's tests.
 */
export function clearSkyGhiWm2(sun: SunPosition): number {
  if (sun.elevationDeg <= 0) return 0;
  const cosZenith = Math.sin(radians(sun.elevationDeg));
  return 1098 * cosZenith * Math.exp(-0.059 / cosZenith);
}

export interface Air {
  /** Above the sea, m. Default 0. */
  altitudeM?: number;
  /** Linke turbidity: 2 is very clear and cold, 3 usual, 5 hazy. Default 3. */
  turbidity?: number;
}

/** The whole cloudless sky at a place; all 0 at night. Source: Ineichen and Perez 2002, Solar Energy 73, 151-157. */
export function clearSky(at: number, sun: SunPosition, air: Air = {}): Irradiance {
  const extraWm2 = extraterrestrialNormalWm2(at);
  const { up } = directionOf(sun.elevationDeg, sun.azimuthDeg);
  return { ...ineichen(up, airMass(up) * airPressure(air.altitudeM ?? 0), extraWm2, air), extraWm2 };
}

/** As `clearSky` along a path of the sun. */
export function clearSkySeries({ up, extraWm2 }: SunPath, air: Air = {}): SkySeries {
  const list = () => new Float64Array(up.length);
  const sky: SkySeries = { ghiWm2: list(), dhiWm2: list(), dniWm2: list() };
  const pressure = airPressure(air.altitudeM ?? 0);
  for (let i = 0; i < up.length; i++) {
    const sunUp = up[i] as number;
    if (sunUp <= 0) continue;
    const clear = ineichen(sunUp, airMass(sunUp) * pressure, extraWm2[i] as number, air);
    sky.ghiWm2[i] = clear.ghiWm2;
    sky.dhiWm2[i] = clear.dhiWm2;
    sky.dniWm2[i] = clear.dniWm2;
  }
  return sky;
}

/** `mass` is the way through the air in atmospheres at sea level. Exported for tests against published values. */
export function ineichen(
  sunUp: number,
  mass: number,
  extraWm2: number,
  { altitudeM = 0, turbidity = 3 }: Air = {},
): { ghiWm2: number; dhiWm2: number; dniWm2: number } {
  if (sunUp <= 0) return { ghiWm2: 0, dhiWm2: 0, dniWm2: 0 };
  const [height8, height1] = [Math.exp(-altitudeM / 8000), Math.exp(-altitudeM / 1250)];
  const [factor, dimming] = [5.09e-5 * altitudeM + 0.868, 3.92e-5 * altitudeM + 0.0387];
  const ghiWm2 =
    factor * extraWm2 * sunUp * Math.exp(-dimming * mass * (height8 + height1 * (turbidity - 1)));
  const direct = extraWm2 * (0.664 + 0.163 / height8) * Math.exp(-0.09 * mass * (turbidity - 1));
  const most = 1 - (0.1 - 0.2 * Math.exp(-turbidity)) / (0.1 + 0.882 / height8);
  const dniWm2 = Math.min(direct, (ghiWm2 * Math.max(0, most)) / sunUp);
  return { ghiWm2, dhiWm2: ghiWm2 - dniWm2 * sunUp, dniWm2 };
}

/** Pressure of the air as a part of that at sea level. Source: US Standard Atmosphere 1976. */
export const airPressure = (altitudeM: number): number => (1 - altitudeM / 44_330.8) ** 5.2559;
