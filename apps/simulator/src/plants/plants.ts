import type { PlaneOrientation } from '@albedo/energy/sun';
import type { ControlModel, ControlScale } from '../controls/control-state.ts';
import type { Climate, Site } from '../weather/site.ts';

export interface InverterType {
  manufacturer: string;
  model: string;
  version: string;
  /** AC power the inverter clips at, W. */
  ratedPowerW: number;
  /** Rated array power of one input, W, and its rated voltage, V. */
  inputPowerW: number;
  inputVoltageV: number;
  /** Strings in parallel at each input; a lost string takes its share. */
  stringsPerInput: number;
  inputs: number;
  /** Powers of ten of the register values, as the maker chose them. */
  scale: { power: number; current: number; energy: number };
  /** How it is controlled, where the plant takes writes. */
  control: { model: ControlModel; scale: ControlScale };
}

export interface LoadProfile {
  /** Always there, W. */
  baseW: number;
  /** Added at the busiest hour of a working day, W. */
  dayW: number;
  opensAtHour: number;
  closesAtHour: number;
  /** Part of `dayW` left on Saturday and Sunday. */
  weekend: number;
}

/** A plant made of equations. Unit ids on its Modbus port: inverters from 1, the meter 100, the weather station 110. */
export interface PlantDescription {
  slug: string;
  name: string;
  seed: number;
  site: Site;
  /** Energy counters start at 0 here; epoch ms. */
  commissionedAt: number;
  inverters: number;
  inverter: InverterType;
  planes: PlaneOrientation[];
  /** Voltage of a phase to neutral, V, and frequency of the grid, Hz. */
  grid: { voltageV: number; frequencyHz: number };
  load: LoadProfile;
  climate: Climate;
  /**
   * Strings of one input that fall out again and again: counted in days of a cycle that all plants share, so that
   * somewhere one is out. Large plants have them, as the year of a small one would tell of little else.
   */
  wornStrings?: { inverter: number; strings: number; fromDay: number; days: number };
}

export const METER_UNIT = 100;
export const STATION_UNIT = 110;

/** Around the globe, so that the sun stands at least 14 degrees above one of them at any instant of the year. */
export const PLANTS: PlantDescription[] = [
  {
    slug: 'hilltop',
    name: 'Hilltop winery',
    seed: 41,
    site: { latitudeDeg: -33.93, longitudeDeg: 18.86, altitudeM: 180, timezone: 'Africa/Johannesburg' },
    commissionedAt: Date.UTC(2024, 10, 2),
    inverters: 2,
    inverter: {
      manufacturer: 'Helionova',
      model: 'HN-25K3',
      version: '2.14',
      ratedPowerW: 25_000,
      inputPowerW: 15_400,
      inputVoltageV: 640,
      stringsPerInput: 2,
      inputs: 2,
      scale: { power: 0, current: -1, energy: 1 },
      control: { model: 123, scale: { limit: -2, cosPhi: -3, vars: -1 } },
    },
    planes: [
      { tiltDeg: 28, azimuthDeg: 0 },
      { tiltDeg: 28, azimuthDeg: 340 },
    ],
    grid: { voltageV: 230, frequencyHz: 50 },
    load: { baseW: 3600, dayW: 19_700, opensAtHour: 7, closesAtHour: 18, weekend: 0.35 },
    climate: { meanC: 17, yearSwingC: 6, daySwingC: 6, cloudiness: 0.408, windMs: 3.1 },
  },
  {
    slug: 'riverside',
    name: 'Riverside works',
    seed: 77,
    site: { latitudeDeg: 39.68, longitudeDeg: -104.91, altitudeM: 1640, timezone: 'America/Denver' },
    commissionedAt: Date.UTC(2025, 0, 16),
    inverters: 5,
    inverter: {
      manufacturer: 'Borealis Power',
      model: 'BP 60-TL',
      version: '5.3.1',
      ratedPowerW: 60_000,
      inputPowerW: 18_900,
      inputVoltageV: 715,
      stringsPerInput: 3,
      inputs: 4,
      scale: { power: 1, current: -1, energy: 2 },
      control: { model: 704, scale: { limit: -1, cosPhi: -3, vars: -1 } },
    },
    planes: [
      { tiltDeg: 12, azimuthDeg: 110 },
      { tiltDeg: 12, azimuthDeg: 290 },
    ],
    grid: { voltageV: 277, frequencyHz: 60 },
    load: { baseW: 46_000, dayW: 230_000, opensAtHour: 6, closesAtHour: 22, weekend: 0.25 },
    climate: { meanC: 9, yearSwingC: 12, daySwingC: 9, cloudiness: 0.37, windMs: 3.8 },
    wornStrings: { inverter: 4, strings: 1, fromDay: 13, days: 15 },
  },
  {
    slug: 'harbour',
    name: 'Harbour cold store',
    seed: 113,
    site: { latitudeDeg: -12.46, longitudeDeg: 130.85, altitudeM: 8, timezone: 'Australia/Darwin' },
    commissionedAt: Date.UTC(2025, 2, 11),
    inverters: 12,
    inverter: {
      manufacturer: 'Austral Inverters',
      model: 'AI-100',
      version: '1.9.0',
      ratedPowerW: 100_000,
      inputPowerW: 21_600,
      inputVoltageV: 820,
      stringsPerInput: 3,
      inputs: 6,
      scale: { power: 1, current: -1, energy: 2 },
      control: { model: 123, scale: { limit: 0, cosPhi: -2, vars: 0 } },
    },
    planes: [
      { tiltDeg: 10, azimuthDeg: 20 },
      { tiltDeg: 10, azimuthDeg: 340 },
      { tiltDeg: 5, azimuthDeg: 0 },
    ],
    grid: { voltageV: 240, frequencyHz: 50 },
    load: { baseW: 405_000, dayW: 325_000, opensAtHour: 4, closesAtHour: 20, weekend: 0.7 },
    climate: { meanC: 25.5, yearSwingC: 3, daySwingC: 4, cloudiness: 0.498, windMs: 8 },
    wornStrings: { inverter: 7, strings: 2, fromDay: 0, days: 14 },
  },
];

/** Throws an error that names the plants there are. */
export function findPlant(slug: string): PlantDescription {
  const plant = PLANTS.find((one) => one.slug === slug);
  if (!plant) throw new Error(`no plant "${slug}"; there are ${PLANTS.map((one) => one.slug).join(', ')}`);
  return plant;
}
