import { directionOf, extraterrestrialNormalWm2, radians, type SunPosition } from './sun.ts';

export interface Irradiance {
  /** Global horizontal, GHI. */
  ghiWm2: number;
  /** Diffuse horizontal, DHI. */
  dhiWm2: number;
  /** Direct normal, DNI. */
  dniWm2: number;
  /** Direct normal above the atmosphere; models of the sky measure by it how clear the air is. */
  extraWm2: number;
}

/** Irradiance on a horizontal plane above the atmosphere, W/m². */
export function extraterrestrialGhiWm2(at: number, sun: SunPosition): number {
  if (sun.elevationDeg <= 0) return 0;
  return extraterrestrialNormalWm2(at) * Math.sin(radians(sun.elevationDeg));
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

/** Sine of 2 degrees: a lower sun gives no direct part, since small faults of its angle would weigh too much. */
const LOW_SUN = Math.sin(radians(2));

/**
 * Diffuse part of a global irradiance, W/m²: by Erbs, and so much that the direct part is not above the extraterrestrial.
 *
 * Units: `up` sine of the sun's elevation. Gaps: NaN gives NaN.
 */
export function diffuseOfGlobalWm2(ghiWm2: number, up: number, extraWm2: number): number {
  if (up < LOW_SUN || ghiWm2 <= 0) return Math.max(0, ghiWm2);
  const outside = extraWm2 * up;
  return Math.max(ghiWm2 * diffuseFraction(ghiWm2 / outside), ghiWm2 - outside);
}

/** Splits a measured or modelled global irradiance into its parts. Low sun gives no direct part below 2 degrees. */
export function splitIrradiance(at: number, sun: SunPosition, ghiWm2: number): Irradiance {
  return skyOf(at, sun, { ghiWm2: sun.elevationDeg <= 0 ? 0 : ghiWm2 });
}

/**
 * The whole sky from what is measured of it: the global irradiance alone, with its diffuse or its direct part, or the
 * two parts without the whole. What is missing follows from the others; with all three nothing is changed.
 *
 * Units: W/m². Gaps: null and a part left out are the same. Without global irradiance both parts are needed.
 */
export function skyOf(
  at: number,
  sun: SunPosition,
  measured: { ghiWm2?: number | null; dhiWm2?: number | null; dniWm2?: number | null },
): Irradiance {
  const extraWm2 = extraterrestrialNormalWm2(at);
  const { up } = directionOf(sun.elevationDeg, sun.azimuthDeg);
  const sky = completed(
    measured.ghiWm2 ?? Number.NaN,
    measured.dhiWm2 ?? Number.NaN,
    measured.dniWm2 ?? Number.NaN,
    up,
    extraWm2,
  );
  return { ...sky, extraWm2 };
}

/** As `skyOf`, on bare numbers; NaN is a gap. */
function completed(ghi: number, dhi: number, dni: number, up: number, extra: number) {
  const level = Math.max(0, up);
  if (Number.isNaN(ghi)) {
    const [direct, diffuse] = [Math.max(0, dni), Math.max(0, dhi)];
    return { ghiWm2: direct * level + diffuse, dhiWm2: diffuse, dniWm2: direct };
  }
  const whole = Math.max(0, ghi);
  if (!Number.isNaN(dhi)) {
    const diffuse = Math.max(0, dhi);
    const direct = up < LOW_SUN ? 0 : Math.min(extra, Math.max(0, whole - diffuse) / up);
    return { ghiWm2: whole, dhiWm2: diffuse, dniWm2: Number.isNaN(dni) ? direct : Math.max(0, dni) };
  }
  if (!Number.isNaN(dni)) {
    const direct = Math.max(0, dni);
    return { ghiWm2: whole, dhiWm2: Math.max(0, whole - direct * level), dniWm2: direct };
  }
  const diffuse = diffuseOfGlobalWm2(whole, up, extra);
  return { ghiWm2: whole, dhiWm2: diffuse, dniWm2: up < LOW_SUN ? 0 : (whole - diffuse) / up };
}

/**
 * The sky at many instants.
 *
 * Shapes: lists as long as the path of the sun. Units: W/m². Gaps: NaN, in all three at once.
 */
export interface SkySeries {
  ghiWm2: Float64Array;
  dhiWm2: Float64Array;
  dniWm2: Float64Array;
}

/** As `skyOf` for many instants. Gaps: NaN; an instant that lacks what is needed is a gap in all parts. */
export function skySeries(
  path: { up: Float64Array; extraWm2: Float64Array },
  measured: { ghiWm2?: ArrayLike<number>; dhiWm2?: ArrayLike<number>; dniWm2?: ArrayLike<number> },
): SkySeries {
  const { up, extraWm2 } = path;
  const list = () => new Float64Array(up.length);
  const sky: SkySeries = { ghiWm2: list(), dhiWm2: list(), dniWm2: list() };
  const { ghiWm2, dhiWm2, dniWm2 } = measured;
  for (let i = 0; i < up.length; i++) {
    const [ghi, dhi, dni] = [valueAt(ghiWm2, i), valueAt(dhiWm2, i), valueAt(dniWm2, i)];
    const isGap = Number.isNaN(ghi) && (Number.isNaN(dhi) || Number.isNaN(dni));
    const whole = isGap ? null : completed(ghi, dhi, dni, up[i] as number, extraWm2[i] as number);
    sky.ghiWm2[i] = whole?.ghiWm2 ?? Number.NaN;
    sky.dhiWm2[i] = whole?.dhiWm2 ?? Number.NaN;
    sky.dniWm2[i] = whole?.dniWm2 ?? Number.NaN;
  }
  return sky;
}

const valueAt = (list: ArrayLike<number> | undefined, i: number) => list?.[i] ?? Number.NaN;
