import { readUnit } from '../field-roles/field-units.ts';
import { isTimeZone } from '../time/zoned-time.ts';

/** What people wrote of a plant into the general information of its device. Null where they did not, or not readably. */
export interface PlantSite {
  latitudeDeg: number | null;
  longitudeDeg: number | null;
  timeZone: string | null;
  /** AC power of the inverters together. */
  ratedPowerW: number | null;
  /** DC power of the modules at 1000 W/m² and 25 °C. */
  peakPowerW: number | null;
  /** Where modules face, clockwise from north, and how steep they are; pairs, each an equal part of the plant. */
  planes: { azimuthDeg: number; tiltDeg: number }[];
}

/** Names of the general information that the product reads. */
export const SITE_NAMES = {
  latitude: 'Latitude',
  longitude: 'Longitude',
  timeZone: 'Timezone',
  ratedPower: 'Rated power',
  peakPower: 'Peak power',
  azimuth: 'Azimuth',
  slope: 'Slope',
} as const;

/** Reads the general information, names in any case. Powers without a unit are in kW. */
export function readSite(info: Readonly<Record<string, string>>): PlantSite {
  const texts = new Map(Object.entries(info).map(([name, text]) => [plainName(name), text.trim()]));
  const text = (name: keyof typeof SITE_NAMES) => texts.get(plainName(SITE_NAMES[name])) ?? '';
  const within = (name: 'latitude' | 'longitude', limit: number) => {
    const value = number(text(name));
    return value !== null && Math.abs(value) <= limit ? value : null;
  };
  return {
    latitudeDeg: within('latitude', 90),
    longitudeDeg: within('longitude', 180),
    timeZone: text('timeZone') !== '' && isTimeZone(text('timeZone')) ? text('timeZone') : null,
    ratedPowerW: powerW(text('ratedPower')),
    peakPowerW: powerW(text('peakPower')),
    planes: planesOf(text('azimuth'), text('slope')),
  };
}

const plainName = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '');

function number(text: string): number | null {
  if (!/^[+-]?\d+([.,]\d+)?$/.test(text)) return null;
  return Number(text.replace(',', '.'));
}

/** `50 kW`, `61.6 kWp`, `1.2MW`, `50`. */
function powerW(text: string): number | null {
  const [, digits = '', unit = ''] = /^([\d.,]+)\s*([a-zA-Z]*)$/.exec(text) ?? [];
  const value = number(digits);
  if (value === null || value <= 0) return null;
  const scale = unit === '' ? { dimension: 'power', factor: 1000 } : readUnit(unit.replace(/p$/i, ''));
  return scale?.dimension === 'power' ? value * scale.factor : null;
}

/** `180, 200` and `28`: the last of the shorter list counts for the others. */
function planesOf(azimuths: string, slopes: string): PlantSite['planes'] {
  const list = (text: string) => text.split(/[;,]\s*/).flatMap((one) => number(one.trim()) ?? []);
  const [facing, tilts] = [list(azimuths), list(slopes)];
  if (facing.length === 0 || tilts.length === 0) return [];
  const count = Math.max(facing.length, tilts.length);
  return Array.from({ length: count }, (_, i) => ({
    azimuthDeg: (((facing[i] ?? facing.at(-1) ?? 0) % 360) + 360) % 360,
    tiltDeg: Math.min(90, Math.max(0, tilts[i] ?? tilts.at(-1) ?? 0)),
  }));
}
