import type { LatestSource } from '../devices/devices.schema.ts';
import type { FieldRole } from '../field-roles/field-roles.ts';
import { type RoledSource, valueOfRole } from '../field-roles/source-roles.ts';
import { compareNames } from '../telemetry/name-order.ts';

/** A source that said nothing for so long is silent: what it said last is no value of now. */
export const SILENT_MS = 15 * 60_000;
/** Below this part of the strongest inverter, or of its own rating, an inverter gives nothing. */
const NOTHING = 0.002;
/** Light in which inverters give power, W/m²; without a sensor, the part of the rating that the others give. */
const LIGHT_WM2 = 150;
const OTHERS_GIVE = 0.05;

export type DeviceKind = 'plant' | 'machine' | 'computer';

/** `standing`: no power in good light. `idle`: no power, and no light that is known of. */
export type InverterState = 'producing' | 'idle' | 'standing' | 'fault' | 'silent';

/** Why there is no number. */
export type Missing = 'noSource' | 'silent';

/** A value of now with the instant at which it was measured (the oldest, where several make it up). */
export type Reading =
  | { value: number; at: number; missing: null }
  | { value: null; at: number | null; missing: Missing };

export interface InverterReading {
  table: string;
  source: string;
  state: InverterState;
  /** What the inverter itself says. */
  ownState: string | null;
  power: Reading;
}

/** A plant as its newest values say. Units: W, W/m², °C, %. Signs: those of the roles. */
export interface PlantReading {
  inverters: InverterReading[];
  /** AC power of the inverters that report. */
  power: Reading;
  poa: Reading;
  ghi: Reading;
  moduleTemperature: Reading;
  ambientTemperature: Reading;
  /** Import is positive. */
  grid: Reading;
  /** Discharge is positive. */
  battery: Reading;
  stateOfCharge: Reading;
  /** Measured, or what generation, grid and battery leave. */
  load: Reading;
}

/** The newest values of a source, and what they mean. */
export type ReadSource = LatestSource & Pick<RoledSource, 'kind' | 'places'>;

const GENERATION = ['acPower', 'dcPower', 'energyTotal', 'energyToday'] as const satisfies FieldRole[];

export const isInverter = ({ kind, places }: Pick<ReadSource, 'kind' | 'places'>): boolean =>
  kind === 'inverter' && GENERATION.some((role) => places[role] !== undefined);

/** What kind of device it is, from what its sources are. */
export function kindOfDevice(sources: readonly Pick<ReadSource, 'kind' | 'places' | 'table'>[]): DeviceKind {
  if (sources.some(isInverter)) return 'plant';
  return sources.some(({ kind }) => kind !== 'computer') ? 'machine' : 'computer';
}

/** `ratedPowerW` is that of the plant; null where nobody wrote it down. `now`: epoch ms. */
export function readPlant(
  sources: readonly ReadSource[],
  { now, ratedPowerW }: { now: number; ratedPowerW: number | null },
): PlantReading {
  const inverters = sources.filter(isInverter).toSorted(bySource);
  const powers = inverters.map((one) => read(one, one.places.acPower ? 'acPower' : 'dcPower', now));
  const poa = first(sources, 'irradiancePoa', now);
  const ghi = first(sources, 'irradianceGhi', now);
  const strongest = Math.max(0, ...powers.map(({ value }) => value ?? 0));
  const ratedW = ratedPowerW === null ? strongest : ratedPowerW / Math.max(1, inverters.length);
  const light = poa.value ?? ghi.value;
  const isLight =
    light === null ? ratedPowerW !== null && strongest > ratedW * OTHERS_GIVE : light > LIGHT_WM2;
  const power = sum(powers);
  const grid = gridOf(sources, now);
  const battery = sum(
    sources.filter(({ places }) => places.batteryPower).map((one) => read(one, 'batteryPower', now)),
  );
  return {
    inverters: inverters.map((one, i) => {
      const own = powers[i] as Reading;
      const ownState = textOf(one, 'state');
      const isNothing = (own.value ?? 0) <= Math.max(strongest, ratedW) * NOTHING;
      const state = stateOf({ reading: own, eventAt: one.eventAt, ownState, isNothing, isLight, now });
      return { table: one.table, source: one.source, state, ownState, power: own };
    }),
    power,
    poa,
    ghi,
    moduleTemperature: first(sources, 'moduleTemperature', now),
    ambientTemperature: first(sources, 'ambientTemperature', now),
    grid,
    battery,
    stateOfCharge: first(sources, 'stateOfCharge', now),
    load: loadOf(sources, power, grid, battery, now),
  };
}

const NO_SOURCE: Reading = { value: null, at: null, missing: 'noSource' };

function read(source: ReadSource, role: FieldRole, now: number): Reading {
  const value = valueOfRole(source, role, source.values);
  const at = source.eventAt;
  if (now - at > SILENT_MS) return { value: null, at, missing: 'silent' };
  return value === null ? NO_SOURCE : { value, at, missing: null };
}

/** Of several sources the first that has a value; else why there is none. */
function first(sources: readonly ReadSource[], role: FieldRole, now: number): Reading {
  const all = sources.filter(({ places }) => places[role]).map((one) => read(one, role, now));
  return all.find(({ value }) => value !== null) ?? all[0] ?? NO_SOURCE;
}

/** Of those that report; nothing only where nobody does. */
function sum(all: readonly Reading[]): Reading {
  const known = all.filter((one) => one.value !== null);
  if (known.length === 0) return all.find(({ missing }) => missing === 'silent') ?? NO_SOURCE;
  return {
    value: known.reduce((total, { value }) => total + value, 0),
    at: Math.min(...known.map(({ at }) => at)),
    missing: null,
  };
}

/** The meter at the grid; where several meters count, the one that is called so. Undefined without one. */
export function mainMeterOf<T extends Pick<ReadSource, 'source' | 'places'>>(
  sources: readonly T[],
): T | undefined {
  const meters = sources.filter(
    ({ places }) => places.gridPower ?? places.gridEnergyImported ?? places.gridEnergyExported,
  );
  return meters.find(({ source }) => /grid|pcc|main|netz|utility/i.test(source)) ?? meters[0];
}

function gridOf(sources: readonly ReadSource[], now: number): Reading {
  const meter = mainMeterOf(sources);
  return meter?.places.gridPower ? read(meter, 'gridPower', now) : NO_SOURCE;
}

function loadOf(
  sources: readonly ReadSource[],
  power: Reading,
  grid: Reading,
  battery: Reading,
  now: number,
): Reading {
  const measured = first(sources, 'loadPower', now);
  if (measured.value !== null) return measured;
  if (power.value === null || grid.value === null) return power.value === null ? power : grid;
  if (battery.missing === 'silent') return battery;
  const at = Math.min(power.at, grid.at, battery.at ?? Number.POSITIVE_INFINITY);
  return { value: Math.max(0, power.value + grid.value + (battery.value ?? 0)), at, missing: null };
}

/** SunSpec says 7 for a fault; words say it in their language. */
const FAULT = /fault|error|alarm|störung|fehler|fallo|avería/i;
const FAULT_CODE = '7';

function stateOf(of: {
  reading: Reading;
  eventAt: number;
  ownState: string | null;
  isNothing: boolean;
  isLight: boolean;
  now: number;
}): InverterState {
  if (of.now - of.eventAt > SILENT_MS) return 'silent';
  if (of.ownState !== null && (FAULT.test(of.ownState) || of.ownState === FAULT_CODE)) return 'fault';
  if (of.reading.value === null) return 'idle';
  if (!of.isNothing) return 'producing';
  return of.isLight ? 'standing' : 'idle';
}

function textOf({ places, values }: ReadSource, role: FieldRole): string | null {
  const place = places[role];
  const value = place && Object.hasOwn(values, place.field) ? values[place.field] : null;
  return value === null || value === undefined ? null : String(value);
}

const bySource = (a: ReadSource, b: ReadSource): number =>
  compareNames(a.source, b.source) || compareNames(a.table, b.table);
