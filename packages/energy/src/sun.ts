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
 * Units: `at` epoch ms; degrees, north and east positive. Source: suncalc 2 (Meeus, Astronomical Algorithms).
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

/** Cosine of the angle between the sun's rays and the plane's normal; 0 when the sun is behind the plane or set. */
export function incidenceCosine(sun: SunPosition, plane: PlaneOrientation): number {
  if (sun.elevationDeg <= 0) return 0;
  const elevation = radians(sun.elevationDeg);
  const tilt = radians(plane.tiltDeg);
  const turn = radians(sun.azimuthDeg - plane.azimuthDeg);
  const cosine = Math.sin(elevation) * Math.cos(tilt) + Math.cos(elevation) * Math.sin(tilt) * Math.cos(turn);
  return Math.max(0, cosine);
}
