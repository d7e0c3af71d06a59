import type { PlantDescription } from '@albedo/simulator/plants/plants';
import { smoothNoise } from '@albedo/simulator/weather/noise';
import { type Weather, WeatherModel } from '@albedo/simulator/weather/weather';
import { type Colour, paintPng } from './png.ts';

export const VIEW = { width: 480, height: 300 } as const;
/** What the camera sees to the left and right of where it looks, and above the horizon, degrees. */
const HALF_WIDTH_DEG = 65;
const HEIGHT_DEG = 75;
/** Where the sky ends, from the top. */
const HORIZON = 0.56;

const NIGHT_SKY: Colour = [12, 16, 30];
const DAY_SKY: Colour = [88, 146, 210];
const LOW_SKY: Colour = [190, 210, 226];
const DUSK: Colour = [226, 138, 84];
const OVERCAST: Colour = [172, 178, 186];
const GROUND: Colour = [104, 112, 70];
const PANEL: Colour = [26, 40, 74];
const FRAME: Colour = [168, 174, 180];

/** What a camera beside the modules of a plant sees: the sky, the sun where it stands, clouds, and rows of modules. */
export function viewOf({ seed, site, climate }: PlantDescription, at: number): Buffer {
  const weather = new WeatherModel(seed, site, climate).at(at);
  const light = Math.max(0, Math.min(1, (weather.sun.elevationDeg + 6) / 26));
  const looksTo = site.latitudeDeg < 0 ? 0 : 180;
  const sun = sunIn(weather, looksTo);
  const cover = coverOf(weather);
  const { width, height } = VIEW;
  return paintPng(width, height, (x, y) =>
    y < height * HORIZON
      ? skyAt(x, y, { light, cover, sun, seed, at })
      : groundAt(x, y, light * (1 - 0.45 * cover)),
  );
}

interface Sky {
  /** 0 at night, 1 by day. */
  light: number;
  /** Part of the sun's light that clouds keep back. */
  cover: number;
  sun: { x: number; y: number } | null;
  seed: number;
  at: number;
}

function skyAt(x: number, y: number, { light, cover, sun, seed, at }: Sky): Colour {
  const up = 1 - y / (VIEW.height * HORIZON);
  const clear = mix(mix(LOW_SKY, DAY_SKY, up), DUSK, (1 - light) * (1 - up) * 0.8);
  // Clouds drift to the right, the higher the slower.
  const drift = at / 20_000;
  const cloud = smoothNoise(seed + Math.floor(y / 9), (x - drift) * 1000, 60_000);
  const sky = mix(clear, OVERCAST, Math.max(0, Math.min(0.95, cover * 1.5 * cloud + 0.5 * cover ** 2)));
  const shown = mix(NIGHT_SKY, sky, light);
  if (!sun) return shown;
  const distance = Math.hypot(x - sun.x, y - sun.y);
  const glow = Math.max(0, 1 - distance / 90) ** 2 * (1 - 0.75 * cover);
  return mix(shown, [255, 248, 226], distance < 11 ? 1 - 0.7 * cover : glow);
}

/** Rows of modules, larger the nearer they are. */
function groundAt(x: number, y: number, light: number): Colour {
  const depth = (y / VIEW.height - HORIZON) / (1 - HORIZON);
  const row = Math.sqrt(depth) * 5;
  const isModule = row % 1 > 0.28 && depth > 0.04;
  const across = (x - VIEW.width / 2) / (0.35 + depth) / 46;
  const isFrame = isModule && (Math.abs(across % 1) < 0.045 || row % 1 < 0.34);
  const shine = isModule && !isFrame ? 0.22 * light * (1 - depth) : 0;
  const colour = isFrame ? FRAME : isModule ? mix(PANEL, DAY_SKY, shine) : GROUND;
  return mix([6, 8, 12], colour, 0.12 + 0.88 * light);
}

/** Null when it is set, or behind the camera. */
function sunIn({ sun }: Weather, looksTo: number): { x: number; y: number } | null {
  const turn = ((sun.azimuthDeg - looksTo + 540) % 360) - 180;
  if (sun.elevationDeg < -1 || Math.abs(turn) > HALF_WIDTH_DEG + 10) return null;
  return {
    x: VIEW.width * (0.5 + turn / (2 * HALF_WIDTH_DEG)),
    y: VIEW.height * HORIZON * (1 - sun.elevationDeg / HEIGHT_DEG),
  };
}

/** From how much of the light comes from everywhere. */
function coverOf({ sky, sun }: Weather): number {
  if (sun.elevationDeg < 3 || sky.ghiWm2 < 5) return 0.3;
  return Math.max(0, Math.min(1, (sky.dhiWm2 / sky.ghiWm2 - 0.15) / 0.85));
}

const mix = (from: Colour, to: Colour, part: number): Colour => [
  from[0] + (to[0] - from[0]) * part,
  from[1] + (to[1] - from[1]) * part,
  from[2] + (to[2] - from[2]) * part,
];
