import { incidenceCosine, type PlaneOrientation, radians, type SunPosition } from './sun.ts';

/** Total solar irradiance at 1 AU, W/m². Source: Kopp and Lean 2011. */
const SOLAR_CONSTANT_WM2 = 1361;
const DAY_MS = 86_400_000;

/**
 * Global horizontal irradiance under a cloudless sky, W/m²; 0 at night.
 *
 * Source: Haurwitz 1945, as given by Reno, Hansen and Stein, SAND2012-2389, equation 18.
 */
export function clearSkyGhiWm2(sun: SunPosition): number {
  if (sun.elevationDeg <= 0) return 0;
  const cosZenith = Math.sin(radians(sun.elevationDeg));
  return 1098 * cosZenith * Math.exp(-0.057 / cosZenith);
}

/** Irradiance on a horizontal plane above the atmosphere, W/m². Source: Spencer 1971, first two terms. */
export function extraterrestrialGhiWm2(at: number, sun: SunPosition): number {
  if (sun.elevationDeg <= 0) return 0;
  const year = Date.UTC(new Date(at).getUTCFullYear(), 0, 1);
  const dayAngle = (2 * Math.PI * (at - year)) / DAY_MS / 365;
  return SOLAR_CONSTANT_WM2 * (1 + 0.034 * Math.cos(dayAngle)) * Math.sin(radians(sun.elevationDeg));
}

/**
 * Part of the global irradiance that is diffuse, 0..1, from the clearness index (global over extraterrestrial).
 *
 * Source: Erbs, Klein and Duffie 1982, Solar Energy 28, 293-302.
 */
export function diffuseFraction(clearness: number): number {
  const k = Math.min(1, Math.max(0, clearness));
  if (k <= 0.22) return 1 - 0.09 * k;
  if (k > 0.8) return 0.165;
  return 0.9511 - 0.1604 * k + 4.388 * k ** 2 - 16.638 * k ** 3 + 12.336 * k ** 4;
}

export interface Irradiance {
  /** Global horizontal, GHI. */
  ghiWm2: number;
  /** Diffuse horizontal, DHI. */
  dhiWm2: number;
  /** Direct normal, DNI. */
  dniWm2: number;
}

/** Splits a measured or modelled global irradiance into its parts. Low sun gives no direct part below 2 degrees. */
export function splitIrradiance(at: number, sun: SunPosition, ghiWm2: number): Irradiance {
  const outside = extraterrestrialGhiWm2(at, sun);
  if (outside <= 0 || ghiWm2 <= 0) return { ghiWm2: 0, dhiWm2: 0, dniWm2: 0 };
  if (sun.elevationDeg < 2) return { ghiWm2, dhiWm2: ghiWm2, dniWm2: 0 };
  const dhiWm2 = ghiWm2 * diffuseFraction(ghiWm2 / outside);
  return { ghiWm2, dhiWm2, dniWm2: (ghiWm2 - dhiWm2) / Math.sin(radians(sun.elevationDeg)) };
}

/**
 * Irradiance in the plane of the array, G_i of IEC 61724-1, W/m².
 *
 * Source: isotropic sky, Liu and Jordan 1963; ground reflection with the given albedo.
 */
export function planeOfArrayWm2(
  sun: SunPosition,
  sky: Irradiance,
  plane: PlaneOrientation,
  albedo = 0.2,
): number {
  const tiltCosine = Math.cos(radians(plane.tiltDeg));
  return (
    sky.dniWm2 * incidenceCosine(sun, plane) +
    (sky.dhiWm2 * (1 + tiltCosine)) / 2 +
    (sky.ghiWm2 * albedo * (1 - tiltCosine)) / 2
  );
}
