import type { EnergyMethod } from '@albedo/contract/energy/energy.names';
import {
  type EnergyConfigs,
  type SensorRole as MappedSensorRole,
  SENSOR_ROLES,
} from '@albedo/contract/energy/energy-config.schema';
import type { KnownSource } from '@albedo/contract/entities/streams.schema';
import type { Dimension, FieldRole } from '@albedo/contract/field-roles/field-roles';
import { readUnit } from '@albedo/contract/field-roles/field-units';
import { type PlantSite, readSite, SITE_NAMES } from '@albedo/contract/plants/plant-site';
import { isTimeZone } from '@albedo/contract/time/zoned-time';
import { parseOrientation, ZERO_DIRECTIONS } from '@albedo/energy/orientation';
import type { SharedPlane } from '@albedo/energy/transposition';
import type { RegisteredDevice } from '../registry/registry.ts';
import { NewestFields } from './energy-newest.ts';
import {
  type EntityFacts,
  type Mapped,
  originOf,
  type Ratings,
  type RolePlaceOf,
  ratingsOf,
  writtenOf,
} from './energy-rates.ts';

/** A field with the scale that leads to kWh, kW, W/m², °C or m/s. */
export interface ScaledField {
  field: string;
  factor: number;
  offset: number;
  dateField?: string | undefined;
  /** Its values count up: power is what they gain. */
  isCounter?: boolean;
}

export interface PlannedSource {
  table: string;
  source: string;
  counters: (ScaledField & { method: Exclude<EnergyMethod, 'powerCurve'> })[];
  power: ScaledField | null;
  dc: ScaledField | null;
  ratings: Ratings;
  /** Where its modules face; empty where nobody wrote it. */
  planes: readonly SharedPlane[];
}

export type SensorRole = MappedSensorRole | 'irradianceDhi';

export interface PlannedSensor extends ScaledField {
  role: SensorRole;
  /** Another device that measures it. */
  device?: string | undefined;
  table: string;
  source: string;
}

/** A device whose energy is computed, with what that is read from. */
export interface PlannedDevice {
  device: RegisteredDevice;
  zone: string;
  site: PlantSite;
  /** Above the sea, m. */
  elevationM: number;
  sources: PlannedSource[];
  sensors: PlannedSensor[];
}

export interface PlanOf {
  configs: EnergyConfigs;
  timezone: string;
  known: readonly KnownSource[];
  devices: ReadonlyMap<string, RegisteredDevice>;
  /** Zones that devices reported themselves. */
  zones: ReadonlyMap<string, string | null>;
  entities: readonly EntityFacts[];
  /** The newest values of fields that roles are mapped to. */
  newest?: NewestFields;
}

const SENSORS: readonly SensorRole[] = [...SENSOR_ROLES, 'irradianceDhi'];

/** The devices that have energy: by the streams of the configuration, or else by what their fields are. */
export function planOf({
  configs,
  timezone,
  known,
  devices,
  zones,
  entities,
  newest = new NewestFields(),
}: PlanOf): Map<string, PlannedDevice> {
  const entityOf = new Map<string, EntityFacts>();
  for (const entity of entities)
    for (const { deviceId, source } of entity.sources) entityOf.set(`${deviceId}\n${source}`, entity);
  const plan = new Map<string, PlannedDevice>();
  const byDevice = Map.groupBy(known, ({ deviceId }) => deviceId);
  for (const [id, own] of byDevice) {
    const device = devices.get(id);
    if (!device) continue;
    const producing = own.flatMap((one) => {
      const entity = entityOf.get(`${id}\n${one.source}`);
      const streams = streamsOf(one, configs, { device, source: one.source, entity, newest });
      return streams ? [{ one, streams }] : [];
    });
    if (producing.length === 0) continue;
    const { site, elevationM } = siteOf(configs, device, newest);
    const names = producing.map(({ one }) => one.source);
    const ratings = ratingsOf(configs, { device, newest }, names, (source) =>
      entityOf.get(`${id}\n${source}`),
    );
    plan.set(id, {
      device,
      site,
      elevationM,
      zone: zoneOf(timezone, site, zones.get(id) ?? null),
      sources: producing.map(({ one, streams }) => ({
        ...{ table: one.table, source: one.source, ...streams },
        ratings: ratings.get(one.source) ?? { ratedKW: null, peakKWp: null },
        planes: planesOf(configs, {
          device,
          source: one.source,
          entity: entityOf.get(`${id}\n${one.source}`),
          newest,
        }),
      })),
      sensors: SENSORS.flatMap((role) =>
        sensorsOf(
          role,
          originOfSensor(configs, role, { device, source: null, entity: undefined, newest }),
          own,
          byDevice,
        ),
      ),
    });
  }
  return plan;
}

/** Where a device stands, by the mapping of the roles, and otherwise by its general information. */
function siteOf(
  configs: EnergyConfigs,
  device: RegisteredDevice,
  newest: NewestFields,
): { site: PlantSite; elevationM: number } {
  const site = readSite(device.info);
  const config = configs['performance-ratio-config'] as Mapped;
  const number = (role: string, otherwise: number | null, most: number) => {
    const text = writtenOf(config, role, { device, source: null, entity: undefined, newest });
    if (text === undefined) return otherwise;
    const value = text === null ? Number.NaN : Number(text.replace(',', '.'));
    return Math.abs(value) <= most ? value : null;
  };
  return {
    site: {
      ...site,
      latitudeDeg: number('latitude', site.latitudeDeg, 90),
      longitudeDeg: number('longitude', site.longitudeDeg, 180),
    },
    elevationM: number('elevation', 0, 6000) ?? 0,
  };
}

/** The clock by which days of a device are counted. */
export function zoneOf(timezone: string, site: PlantSite, reported: string | null): string {
  if (timezone !== 'device') return isTimeZone(timezone) ? timezone : 'UTC';
  return site.timeZone ?? (reported !== null && isTimeZone(reported) ? reported : 'UTC');
}

/** By the mapping of the roles, and otherwise by what the source or its device has under the usual names. */
function planesOf(configs: EnergyConfigs, of: RolePlaceOf): readonly SharedPlane[] {
  const config = configs['performance-ratio-config'];
  const azimuth = writtenOf(config as Mapped, 'azimuth', of);
  const slope = writtenOf(config as Mapped, 'slope', of);
  const zero = ZERO_DIRECTIONS[config.zeroDirection / 90] ?? 'north';
  if (azimuth !== undefined && azimuth !== null) return parseOrientation(azimuth, slope, zero).planes ?? [];
  const own = of.source === null ? undefined : of.device.sourceInfo[of.source];
  const info = own && Object.hasOwn(own, SITE_NAMES.azimuth) ? { ...of.device.info, ...own } : of.device.info;
  const { planes } = readSite(info);
  return planes.map((plane) => ({ ...plane, share: 1 / planes.length }));
}

type Streams = Pick<PlannedSource, 'counters' | 'power' | 'dc'>;

function streamsOf(source: KnownSource, configs: EnergyConfigs, of: RolePlaceOf): Streams | null {
  const { streams } = configs['daily-energy-config'];
  const found = streams.length > 0 ? configured(source, configs) : byRoles(source);
  const dc = dcOf(source, configs, of);
  return found && dc ? { ...found, dc } : found;
}

/** A field of the source that is mapped to what its array gave: a counter, or power. */
function dcOf(source: KnownSource, configs: EnergyConfigs, of: RolePlaceOf): ScaledField | null {
  const origin = originOf(configs['iec-perf-ratio-config'] as Mapped, 'dcEnergy', of);
  if (origin?.from !== 'field' || origin.table !== source.table) return null;
  const known = source.fields.find(({ name }) => name === origin.field);
  if (!known) return null;
  const unit = readUnit(origin.units ?? known.units);
  if (unit?.dimension === 'power') return { field: known.name, factor: unit.factor / 1000, offset: 0 };
  // Without a word about it a value is in kWh.
  const factor = unit === null ? 1 : unit.dimension === 'energy' ? unit.factor / 1000 : null;
  return factor === null ? null : { field: known.name, factor, offset: 0, isCounter: true };
}

/** What the grid gave, what a battery took or gave back and what a meter counted is never production. */
function byRoles(source: KnownSource): Streams | null {
  if (source.kind !== 'inverter') return null;
  const of = (role: FieldRole) => {
    const field = source.fields.find((one) => one.role === role);
    return field ? { field: field.name, factor: field.factor / 1000, offset: field.offset / 1000 } : null;
  };
  const [total, today, power] = [of('energyTotal'), of('energyToday'), of('acPower')];
  if (!total && !today && !power) return null;
  return {
    counters: [
      ...(total ? [{ method: 'totalEnergy' as const, ...total }] : []),
      ...(today ? [{ method: 'dailyEnergy' as const, ...today }] : []),
    ],
    power,
    dc: of('dcPower'),
  };
}

/** What nothing is produced by, whatever its table is configured for. */
const NO_PRODUCERS: readonly KnownSource['kind'][] = ['meter', 'battery', 'station'];

function configured(source: KnownSource, configs: EnergyConfigs): Streams | null {
  if (NO_PRODUCERS.includes(source.kind)) return null;
  const own = configs['daily-energy-config'].streams.filter(
    ({ table, field }) => table === source.table && source.fields.some(({ name }) => name === field),
  );
  const scaled = own.flatMap(({ method, field, units, dateField }) => {
    const known = source.fields.find(({ name }) => name === field);
    const unit = readUnit(units ?? known?.units ?? null);
    const wanted = method === 'powerCurve' ? 'power' : 'energy';
    // Without a word about it a value is in kWh, or in kW.
    const factor = unit === null ? 1 : unit.dimension === wanted ? unit.factor / 1000 : null;
    return factor === null ? [] : [{ method, field, factor, offset: 0, dateField }];
  });
  if (scaled.length === 0) return null;
  const roles = byRoles(source);
  return {
    counters: (['totalEnergy', 'dailyEnergy'] as const).flatMap((method) =>
      scaled.filter((one) => one.method === method).map((one) => ({ ...one, method })),
    ),
    power: scaled.find(({ method }) => method === 'powerCurve') ?? null,
    dc: roles?.dc ?? null,
  };
}

/** Where a sensor is mapped for a device; undefined where what its fields are says it. */
function originOfSensor(configs: EnergyConfigs, role: SensorRole, of: RolePlaceOf) {
  for (const name of ['performance-ratio-config', 'iec-perf-ratio-config'] as const) {
    const origin = originOf(configs[name] as Mapped, role, of);
    if (origin?.from === 'field') return origin;
  }
  return undefined;
}

const DIMENSIONS: Readonly<Record<SensorRole, Dimension>> = {
  ...{ irradiancePoa: 'irradiance', irradianceGhi: 'irradiance', irradianceDhi: 'irradiance' },
  ...{ irradianceFeed: 'irradiance', irradianceRear: 'irradiance' },
  ...{ moduleTemperature: 'temperature', ambientTemperature: 'temperature', windSpeed: 'speed' },
};

/** The field that is mapped, of this device or of another one, and otherwise what has the role. */
function sensorsOf(
  role: SensorRole,
  origin: ReturnType<typeof originOfSensor>,
  own: readonly KnownSource[],
  byDevice: ReadonlyMap<string, readonly KnownSource[]>,
): PlannedSensor[] {
  if (!origin)
    return own.flatMap(({ table, source, fields }) =>
      fields.flatMap((one) =>
        one.role === role
          ? [{ role, table, source, field: one.name, factor: one.factor, offset: one.offset }]
          : [],
      ),
    );
  const { table, field, device } = origin;
  const other = device === undefined ? {} : { device };
  return (device === undefined ? own : (byDevice.get(device) ?? [])).flatMap((one) => {
    const known = one.table === table ? one.fields.find(({ name }) => name === field) : undefined;
    if (!known) return [];
    const unit = readUnit(origin.units ?? known.units);
    // Without a word about it a value is in W/m², °C or m/s.
    if (unit !== null && unit.dimension !== DIMENSIONS[role]) return [];
    const scale = { factor: unit?.factor ?? 1, offset: unit?.offset ?? 0 };
    return [{ role, table, source: one.source, field, ...scale, ...other }];
  });
}
