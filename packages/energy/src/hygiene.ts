/** What instruments can mean; a value outside is no measurement. */
export const PLAUSIBLE = {
  poaWm2: { least: -10, most: 1500 },
  moduleC: { least: -30, most: 100 },
  /** Power as a part of the AC rating, either way. */
  acLoad: 1.1,
} as const;

/** Under this irradiance it is night: inverters start and sensors err. W/m². */
export const NIGHT_WM2 = 20;

/** A sensor that shows the same light for so long hangs. */
const STUCK = { hours: 1, samples: 4 };

/** Irradiance that may be used, W/m²: what a sensor shows under 0 at night is 0, what cannot be is a gap (NaN). */
export function plausibleIrradianceWm2(wm2: number): number {
  const { least, most } = PLAUSIBLE.poaWm2;
  if (!(wm2 >= least && wm2 <= most)) return Number.NaN;
  return Math.max(0, wm2);
}

/** Module temperature that may be used, °C; what cannot be is a gap (NaN). */
export function plausibleModuleC(degrees: number): number {
  const { least, most } = PLAUSIBLE.moduleC;
  return degrees >= least && degrees <= most ? degrees : Number.NaN;
}

/** Whether a system can have given this power, either way; without a rating nobody can tell. */
export const isPlausiblePower = (powerKw: number, acKw: number | null): boolean =>
  acKw === null || acKw <= 0 || Math.abs(powerKw) <= PLAUSIBLE.acLoad * acKw;

/**
 * Marks (1) where a light sensor hangs: the same value for an hour and at least four samples, by day.
 *
 * Shapes: as long as the values. Gaps: NaN ends a run. Night, under 20 W/m², is no run.
 */
export function stuckMask(wm2: ArrayLike<number>, intervalHours: number): Uint8Array {
  const mask = new Uint8Array(wm2.length);
  const least = Math.max(STUCK.samples, Math.ceil(STUCK.hours / intervalHours));
  let begin = 0;
  for (let i = 1; i <= wm2.length; i++) {
    if (i < wm2.length && wm2[i] === wm2[begin]) continue;
    if (i - begin >= least && (wm2[begin] as number) >= NIGHT_WM2) mask.fill(1, begin, i);
    begin = i;
  }
  return mask;
}

/** A time that does not count, such as an outage of the grid. Epoch ms; `to` is not part of it. */
export interface Exclusion {
  from: number;
  to: number;
  reason: string;
}

/**
 * Marks (1) intervals that touch an exclusion; such an interval leaves every sum.
 *
 * Shapes: as long as `times`, the beginnings of the intervals, rising; epoch ms.
 */
export function exclusionMask(
  times: ArrayLike<number>,
  intervalHours: number,
  exclusions: readonly Exclusion[],
): Uint8Array {
  const mask = new Uint8Array(times.length);
  const lengthMs = intervalHours * 3_600_000;
  for (const { from, to } of exclusions)
    for (let i = 0; i < times.length; i++) {
      const at = times[i] as number;
      if (at < to && at + lengthMs > from) mask[i] = 1;
    }
  return mask;
}
