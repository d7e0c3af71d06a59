import type { EnergyConfigs } from '@albedo/contract/energy/energy-config.schema';
import { planeLight } from '@albedo/energy/expected';
import { plausibleIrradianceWm2, plausibleModuleC, stuckMask } from '@albedo/energy/hygiene';
import { type SunPath, sunPath } from '@albedo/energy/sun';
import { cellC } from '@albedo/energy/temperature';
import type { SharedPlane } from '@albedo/energy/transposition';
import type { DayLight } from './energy.tables.ts';
import { type DaySky, heldOf, SLOT_MS, slotsOf } from './energy-day.ts';
import type { SensorRole } from './energy-plan.ts';

/** Where light and modules stand. */
export interface SkyPlace {
  latitudeDeg: number | null;
  longitudeDeg: number | null;
  elevationM: number;
  planes: readonly SharedPlane[];
}

export type SensorMeans = ReadonlyMap<SensorRole, Float64Array>;

/** What a sensor of the air may say. */
const PLAUSIBLE_AIR = { ambientTemperature: [-50, 60], windSpeed: [0, 60] } as const;

/** What a sensor said over the slots of a day: of a slow one each value stands for its own usual pause. Gaps: NaN. */
export function sensed(role: SensorRole, means: Float64Array): Float64Array {
  const spread = slotsOf(means);
  const values = plausible(role, means);
  if (role.startsWith('irradiance')) leaveOutStuck(values, spread);
  return heldOf(values, values.length, spread);
}

function leaveOutStuck(values: Float64Array, spread: number): void {
  const filled = [...values.keys()].filter((i) => !Number.isNaN(values[i] as number));
  const mask = stuckMask(
    filled.map((i) => values[i] as number),
    (spread * SLOT_MS) / 3_600_000,
  );
  filled.forEach((slot, i) => {
    if (mask[i]) values[slot] = Number.NaN;
  });
}

/** A sensor at night shows little, also below nothing; what cannot be is a gap (NaN). */
function plausible(role: SensorRole, means: Float64Array): Float64Array {
  if (role === 'moduleTemperature') return means.map(plausibleModuleC);
  if (role !== 'ambientTemperature' && role !== 'windSpeed') return means.map(plausibleIrradianceWm2);
  const [least, most] = PLAUSIBLE_AIR[role];
  return means.map((one) => (one < least || one > most ? Number.NaN : one));
}

/** Light and heat over the slots of a day, by the first source of light that has values; null where there is none. */
export function skyOfDay(
  from: number,
  slots: number,
  sensors: SensorMeans,
  place: SkyPlace,
  config: EnergyConfigs['performance-ratio-config'],
): { sky: DaySky; light: DayLight } | null {
  const { latitudeDeg, longitudeDeg } = place;
  const middles = Float64Array.from({ length: slots }, (_, i) => from + (i + 0.5) * SLOT_MS);
  const path =
    latitudeDeg === null || longitudeDeg === null ? null : sunPath(middles, latitudeDeg, longitudeDeg);
  for (const source of config.irradiance) {
    const found = lightFrom(source, { path, sensors, place, config });
    if (!found) continue;
    const { poaWm2, light } = found;
    const isMeasured = light === 'plane' || light === 'transposed';
    return {
      sky: {
        ...{ poaWm2, path, isMeasured, rearWm2: sensors.get('irradianceRear') },
        moduleC: heatOf(poaWm2, sensors, config.temperatureModel),
      },
      light,
    };
  }
  return null;
}

interface LightOf {
  path: SunPath | null;
  sensors: SensorMeans;
  place: SkyPlace;
  config: EnergyConfigs['performance-ratio-config'];
}

function lightFrom(
  source: EnergyConfigs['performance-ratio-config']['irradiance'][number],
  { path, sensors, place: { planes, elevationM }, config }: LightOf,
): { poaWm2: Float64Array; light: DayLight } | null {
  const has = (means: Float64Array | undefined): means is Float64Array =>
    means?.some((one) => !Number.isNaN(one)) ?? false;
  const options = { model: config.transposition, albedo: config.albedo };
  const isTurned = path !== null && planes.length > 0;
  if (source === 'plane') {
    const poaWm2 = sensors.get('irradiancePoa');
    return has(poaWm2) ? { poaWm2, light: 'plane' } : null;
  }
  if (source === 'horizontal') {
    const ghiWm2 = sensors.get('irradianceGhi');
    if (!has(ghiWm2)) return null;
    if (!isTurned) return { poaWm2: ghiWm2, light: 'horizontal' };
    const dhiWm2 = sensors.get('irradianceDhi');
    const known = { from: 'horizontal' as const, ghiWm2, ...(has(dhiWm2) ? { dhiWm2 } : {}) };
    return { poaWm2: planeLight(path, known, planes, options).poaWm2, light: 'transposed' };
  }
  if (source === 'feed') {
    const ghiWm2 = sensors.get('irradianceFeed');
    if (!has(ghiWm2)) return null;
    if (!isTurned) return { poaWm2: ghiWm2, light: 'horizontal' };
    const known = { from: 'feed' as const, ghiWm2 };
    return { poaWm2: planeLight(path, known, planes, options).poaWm2, light: 'transposed' };
  }
  if (source === 'clearSky' && isTurned) {
    const known = { from: 'clearSky' as const, air: { altitudeM: elevationM } };
    return { poaWm2: planeLight(path, known, planes, options).poaWm2, light: 'clearSky' };
  }
  return null;
}

/** Temperature of the modules: measured, or from that of the air. Gaps: NaN. */
function heatOf(
  poaWm2: Float64Array,
  sensors: SensorMeans,
  model: EnergyConfigs['performance-ratio-config']['temperatureModel'],
): Float64Array {
  const measured = sensors.get('moduleTemperature');
  if (model === 'measured' && measured) return measured;
  const air = sensors.get('ambientTemperature');
  const wind = sensors.get('windSpeed');
  const options = { model: model === 'measured' ? ('faiman' as const) : model };
  return poaWm2.map((g, i) => cellC(g, air?.[i] ?? Number.NaN, wind?.[i] ?? Number.NaN, options));
}
