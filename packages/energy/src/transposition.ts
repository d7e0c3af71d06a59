import type { Irradiance, SkySeries } from './irradiance.ts';
import {
  airMass,
  type Direction,
  directionOf,
  normalOf,
  type PlaneOrientation,
  radians,
  type SunPath,
  type SunPosition,
} from './sun.ts';

/**
 * How the light of the sky reaches a tilted plane. Hay and Davies see the sky brighter around the sun; Perez also at the
 * horizon, which may take light away; the isotropic sky is as bright everywhere and gives 2 to 3 % less over a year.
 */
export type SkyModel = 'hay-davies' | 'perez' | 'isotropic';
export const SKY_MODELS: readonly SkyModel[] = ['hay-davies', 'perez', 'isotropic'];

export interface TranspositionOptions {
  /** Default: hay-davies. */
  model?: SkyModel;
  /** Part of the light that the ground throws back, 0..1. Default 0.2, grass; snow has 0.6 to 0.9. */
  albedo?: number;
}

const USUAL_ALBEDO = 0.2;

/** Irradiance in a plane by where it comes from, W/m². The parts make the whole. */
export interface PlaneIrradiance {
  totalWm2: number;
  beamWm2: number;
  skyDiffuseWm2: number;
  groundWm2: number;
}

/**
 * Irradiance in the plane of the array, G_i of IEC 61724-1, with its parts, W/m². When the sun is behind the plane, the
 * light of the sky and of the ground remains.
 *
 * Source: the beam by geometry, the ground after Liu and Jordan 1963, the sky as its model says (below).
 */
export function planeIrradiance(
  sun: SunPosition,
  sky: Irradiance,
  plane: PlaneOrientation,
  options: TranspositionOptions = {},
): PlaneIrradiance {
  const normal = normalOf(plane);
  const to = directionOf(sun.elevationDeg, sun.azimuthDeg);
  const incidence = dot(to, normal);
  const beamWm2 = to.up > 0 ? sky.dniWm2 * Math.max(0, incidence) : 0;
  const skyDiffuseWm2 = diffuseModel(options.model)(
    sky.dhiWm2,
    sky.dniWm2,
    sky.extraWm2,
    to.up,
    incidence,
    normal.up,
  );
  const groundWm2 = (sky.ghiWm2 * (options.albedo ?? USUAL_ALBEDO) * (1 - normal.up)) / 2;
  return { totalWm2: beamWm2 + skyDiffuseWm2 + groundWm2, beamWm2, skyDiffuseWm2, groundWm2 };
}

/** Irradiance in the plane of the array, W/m². */
export function planeOfArrayWm2(
  sun: SunPosition,
  sky: Irradiance,
  plane: PlaneOrientation,
  options: TranspositionOptions = {},
): number {
  return planeIrradiance(sun, sky, plane, options).totalWm2;
}

/** One plane of several, with its part of all modules. Shares make 1. */
export interface SharedPlane extends PlaneOrientation {
  share: number;
}

/**
 * Irradiance in the planes of an array at many instants, the mean of all planes by their shares, W/m².
 *
 * Shapes: all lists as long as the path of the sun, and so is the result. Gaps: NaN gives NaN. A year of five minutes
 * and one plane takes about 10 ms with Hay and Davies.
 */
export function planeSeriesWm2(
  path: SunPath,
  sky: SkySeries,
  planes: readonly SharedPlane[],
  options: TranspositionOptions = {},
): Float64Array {
  const result = new Float64Array(path.at.length);
  const skyDiffuse = diffuseModel(options.model);
  const albedo = options.albedo ?? USUAL_ALBEDO;
  for (const plane of planes) {
    const { east, north, up } = normalOf(plane);
    const ground = (albedo * (1 - up)) / 2;
    for (let i = 0; i < result.length; i++) {
      const [ghi, dhi, dni] = [sky.ghiWm2[i] as number, sky.dhiWm2[i] as number, sky.dniWm2[i] as number];
      if (ghi === 0) continue;
      const sunUp = path.up[i] as number;
      const incidence = (path.east[i] as number) * east + (path.north[i] as number) * north + sunUp * up;
      const beam = sunUp > 0 && incidence > 0 ? dni * incidence : 0;
      const diffuse = skyDiffuse(dhi, dni, path.extraWm2[i] as number, sunUp, incidence, up);
      result[i] = (result[i] as number) + plane.share * (beam + diffuse + ghi * ground);
    }
  }
  return result;
}

const dot = (a: Direction, b: Direction) => a.east * b.east + a.north * b.north + a.up * b.up;

/**
 * Light of the sky on a plane, W/m².
 *
 * `sunUp` is the sine of the sun's elevation, `incidence` the cosine to the plane's normal, `planeUp` the cosine of the tilt.
 */
type SkyDiffuse = (
  dhi: number,
  dni: number,
  extra: number,
  sunUp: number,
  incidence: number,
  planeUp: number,
) => number;

const diffuseModel = (model: SkyModel = 'hay-davies'): SkyDiffuse =>
  model === 'perez' ? perez : model === 'isotropic' ? isotropic : hayDavies;

/** Source: Liu and Jordan 1963. */
const isotropic: SkyDiffuse = (dhi, _dni, _extra, _sunUp, _incidence, planeUp) => (dhi * (1 + planeUp)) / 2;

/** Below one degree the light around the sun is held there, as its share would grow without end. */
const LEAST_SUN_UP = Math.sin(radians(1));

/** Source: Hay and Davies 1980, as given by Loutzenhiser et al. 2007, Solar Energy 81, 254-267. */
const hayDavies: SkyDiffuse = (dhi, dni, extra, sunUp, incidence, planeUp) => {
  if (sunUp <= 0) return (dhi * (1 + planeUp)) / 2;
  const around = Math.min(1, Math.max(0, dni / extra));
  const ratio = Math.max(0, incidence) / Math.max(LEAST_SUN_UP, sunUp);
  return dhi * (((1 - around) * (1 + planeUp)) / 2 + around * ratio);
};

/** Upper edges of the clearness of the sky, and F11, F12, F13, F21, F22, F23 under each. */
const PEREZ_CLEARNESS = [1.065, 1.23, 1.5, 1.95, 2.8, 4.5, 6.2];
const PEREZ_FACTORS = [
  [-0.008, 0.588, -0.062, -0.06, 0.072, -0.022],
  [0.13, 0.683, -0.151, -0.019, 0.066, -0.029],
  [0.33, 0.487, -0.221, 0.055, -0.064, -0.026],
  [0.568, 0.187, -0.295, 0.109, -0.152, -0.014],
  [0.873, -0.392, -0.362, 0.226, -0.462, 0.001],
  [1.132, -1.237, -0.412, 0.288, -0.823, 0.056],
  [1.06, -1.6, -0.359, 0.264, -1.127, 0.131],
  [0.678, -0.327, -0.25, 0.156, -1.377, 0.251],
] as const;
/** Lower suns were not measured; a longer way through the air would make the sky brighter than the light it has. */
const MOST_PEREZ_MASS = 12;
const LEAST_PEREZ_UP = Math.sin(radians(5));

/**
 * The horizon's part (F2) may be negative, when the sky is darker there; the whole never is.
 *
 * Source: Perez et al. 1990, Solar Energy 44, 271-289, all sites composite.
 */
const perez: SkyDiffuse = (dhi, dni, extra, sunUp, incidence, planeUp) => {
  if (dhi <= 0) return 0;
  if (sunUp <= 0) return (dhi * (1 + planeUp)) / 2;
  const zenith = Math.acos(Math.min(1, sunUp));
  const turned = 1.041 * zenith ** 3;
  const clearness = ((dhi + dni) / dhi + turned) / (1 + turned);
  const bin = PEREZ_CLEARNESS.findIndex((edge) => clearness < edge);
  const [f11, f12, f13, f21, f22, f23] = PEREZ_FACTORS[bin < 0 ? 7 : bin] as (typeof PEREZ_FACTORS)[number];
  const brightness = (dhi * Math.min(MOST_PEREZ_MASS, airMass(sunUp))) / extra;
  const around = Math.max(0, f11 + f12 * brightness + f13 * zenith);
  const horizon = f21 + f22 * brightness + f23 * zenith;
  const ratio = Math.max(0, incidence) / Math.max(LEAST_PEREZ_UP, sunUp);
  const tiltSine = Math.sqrt(Math.max(0, 1 - planeUp ** 2));
  return Math.max(0, dhi * (((1 - around) * (1 + planeUp)) / 2 + around * ratio + horizon * tiltSine));
};
