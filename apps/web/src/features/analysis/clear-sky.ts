import type { PlantSite } from '@albedo/contract/plants/plant-site';
import type { SeriesPoints } from '@albedo/contract/telemetry/telemetry.schema';
import { clearSkyGhiWm2 } from '@albedo/energy/clear-sky';
import { splitIrradiance } from '@albedo/energy/irradiance';
import { sunPosition } from '@albedo/energy/sun';
import { planeOfArrayWm2 } from '@albedo/energy/transposition';
import type { Span } from '../../ui/time-range/time-range.ts';

/** What a plant makes of the light in its plane, less heat, dirt, cables and inverters. Source: usual performance ratio. */
const USUAL_RATIO = 0.84;
const POINTS = 600;
const LEAST_STEP_MS = 300_000;

/** What a line is compared with: light on the ground, light in the plane of the modules, or power. */
export type SkyKind = 'horizontal' | 'plane' | 'power';

/** How a line is compared, by its unit and name; null where the sky says nothing about it. */
export function skyKindOf(unit: string, field: string): SkyKind | null {
  if (unit === 'W') return 'power';
  if (unit !== 'W/m²') return null;
  return /plane|\bpoa\b|inclined|module|tilt/i.test(field) ? 'plane' : 'horizontal';
}

/**
 * The irradiance or the power under a sky without clouds. `part` is how much of the plant a line is.
 *
 * Units: W/m², W. Null where the place, or the power, of the plant is not written down. Without it, modules are taken to
 * lie as most do.
 */
export function clearSky(site: PlantSite, kind: SkyKind, part: number, span: Span): SeriesPoints | null {
  const { latitudeDeg, longitudeDeg, ratedPowerW } = site;
  const peakW = site.peakPowerW ?? ratedPowerW;
  if (latitudeDeg === null || longitudeDeg === null || (kind === 'power' && peakW === null)) return null;
  const usual = { tiltDeg: Math.min(30, Math.abs(latitudeDeg) * 0.7), azimuthDeg: latitudeDeg < 0 ? 0 : 180 };
  const planes = site.planes.length > 0 ? site.planes : [usual];
  const times = timesOf(span);
  const values = times.map((at) => {
    const sun = sunPosition(at, latitudeDeg, longitudeDeg);
    const ghi = clearSkyGhiWm2(sun);
    if (kind === 'horizontal') return ghi;
    const sky = splitIrradiance(at, sun, ghi);
    const poa = planes.reduce((sum, plane) => sum + planeOfArrayWm2(sun, sky, plane), 0) / planes.length;
    if (kind === 'plane') return poa;
    const most = (ratedPowerW ?? Number.POSITIVE_INFINITY) * part;
    return Math.min(most, (poa / 1000) * USUAL_RATIO * (peakW ?? 0) * part);
  });
  const stats = {
    count: values.length,
    min: Math.min(...values),
    avg: values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length),
    max: Math.max(...values),
    last: values.at(-1) ?? null,
  };
  return { stepMs: 0, times, min: values, avg: values, max: values, stats };
}

function timesOf({ from, to }: Span): number[] {
  const step = Math.max(LEAST_STEP_MS, (to - from) / POINTS);
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => Math.round(from + i * step));
}
