import type { PlantSite } from '@albedo/contract/plants/plant-site';
import { clearSkyGhiWm2 } from '@albedo/energy/clear-sky';
import { splitIrradiance } from '@albedo/energy/irradiance';
import { type PlaneOrientation, sunPosition } from '@albedo/energy/sun';
import { planeOfArrayWm2 } from '@albedo/energy/transposition';

/** What a plant makes of the light in its plane, less heat, dirt, cables and inverters. Source: usual performance ratio. */
const USUAL_RATIO = 0.84;

/**
 * Power of a plant under a sky without clouds at each instant, W; null where its place or its power is not known.
 *
 * `wattsPerWm2` is what the plant was seen to make of the light; without it the peak power counts, or the rated one.
 */
export function clearSkyW(
  site: PlantSite,
  wattsPerWm2: number | null,
  times: readonly number[],
): number[] | null {
  const { latitudeDeg, longitudeDeg, ratedPowerW } = site;
  const peakW = site.peakPowerW ?? ratedPowerW;
  if (latitudeDeg === null || longitudeDeg === null) return null;
  const factor = wattsPerWm2 ?? (peakW === null ? null : (peakW / 1000) * USUAL_RATIO);
  if (factor === null) return null;
  const planes = site.planes.length > 0 ? site.planes : [usualPlane(latitudeDeg)];
  return times.map((at) => {
    const sun = sunPosition(at, latitudeDeg, longitudeDeg);
    const sky = splitIrradiance(at, sun, clearSkyGhiWm2(sun));
    const poa = planes.reduce((sum, plane) => sum + planeOfArrayWm2(sun, sky, plane), 0) / planes.length;
    return Math.min(ratedPowerW ?? Number.POSITIVE_INFINITY, poa * factor);
  });
}

/** Where nobody wrote down how the modules lie: towards the equator, and as steep as most are. */
const usualPlane = (latitudeDeg: number): PlaneOrientation => ({
  tiltDeg: Math.min(30, Math.abs(latitudeDeg) * 0.7),
  azimuthDeg: latitudeDeg < 0 ? 0 : 180,
});
