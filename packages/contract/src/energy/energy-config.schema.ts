import { z } from 'zod';
import { generalIssues } from '../http/issues.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { freeKey } from '../http/reserved-names.ts';
import { energyIssues } from './energy.errors.ts';
import { ENERGY_LIMITS, ENERGY_METHODS, METER_COUNTS, METER_GRANULARITIES } from './energy.names.ts';

const line = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(...ONE_LINE);
const share = z.number().min(0).max(1);
const table = z.string().min(1).max(200);
const field = z.string().min(1).max(200);

/**
 * A field of a table, with its unit if the device does not tell it. What changes all the time (`SENSOR_ROLES`)
 * may be measured by another device, such as a weather station; of what stands still the newest value counts.
 */
const ofField = z.strictObject({
  from: z.literal('field'),
  table,
  field,
  units: z.string().max(40).optional(),
  device: z.uuid().optional(),
});
/** What people wrote of a device, a source or an entity. */
const ofMetadata = z.strictObject({
  from: z.literal('metadata'),
  level: z.enum(['device', 'source', 'entity']),
  key: freeKey(200),
});
const ofValue = z.strictObject({ from: z.literal('value'), value: z.union([z.number(), line]) });

/** Where the value of a role of a report stands. */
export const roleOrigin = z.discriminatedUnion('from', [ofField, ofMetadata, ofValue]);
export type RoleOrigin = z.output<typeof roleOrigin>;

/**
 * Roles with where they stand: for the workgroup, and otherwise for single devices and entities. The nearest counts: an
 * entity before its device, a device before the workgroup. What is mapped nowhere is read from the roles of fields and
 * from the general information of the device.
 */
const mapped = <Role extends string>(roles: readonly [Role, ...Role[]]) => {
  const some = z.partialRecord(z.enum(roles), roleOrigin);
  return {
    roles: some.default({}),
    devices: z.record(z.uuid(), some).default({}),
    entities: z.record(freeKey(200), some).default({}),
  };
};

/** A stream that gives the energy of days. Without `table` and `field` the roles of the fields say which one it is. */
export const energyStream = z.strictObject({
  method: z.enum(ENERGY_METHODS),
  table,
  field,
  units: z.string().max(40).optional(),
  /** A field of the record that says its time, in place of the time of the event. */
  dateField: field.optional(),
});
export type EnergyStream = z.output<typeof energyStream>;

export const dailyEnergyConfig = z.strictObject({
  /** `UTC`, the name of a zone, or `device`: each device by its own clock. The setting `dailyEnergy.timezone`. */
  timezone: z.string().min(1).max(64).default('device'),
  /** Empty: what the roles of the fields say. */
  streams: z.array(energyStream).max(100).default([]),
  showSpecificYield: z.boolean().default(true),
  ...mapped(['peakPower', 'ratedPower']),
});

export const SOLAR_ROLES = [
  'azimuth',
  'slope',
  'elevation',
  'latitude',
  'longitude',
  'panelArea',
  'panelsPerSource',
  'moduleEfficiency',
  'peakPower',
  'ratedPower',
] as const;

/** What is measured all the time: a field that is mapped is read in place of those that are found by themselves. */
export const SENSOR_ROLES = [
  'irradiancePoa',
  'irradianceGhi',
  'irradianceFeed',
  'irradianceRear',
  'moduleTemperature',
  'ambientTemperature',
  'windSpeed',
] as const;
export type SensorRole = (typeof SENSOR_ROLES)[number];
export const isSensorRole = (role: string): role is SensorRole =>
  (SENSOR_ROLES as readonly string[]).includes(role);
/** Roles that are a field or nothing: neither a value nor what somebody wrote can be them. */
export const isSignalRole = (role: string): boolean => isSensorRole(role) || role === 'dcEnergy';

export const SKY_ROLES = [
  'irradiancePoa',
  'irradianceGhi',
  'irradianceFeed',
  'moduleTemperature',
  'ambientTemperature',
  'windSpeed',
] as const satisfies readonly SensorRole[];

export const IRRADIANCE_SOURCES = ['feed', 'plane', 'horizontal', 'clearSky'] as const;
export const TEMPERATURE_MODELS = ['measured', 'sapm', 'noct', 'faiman'] as const;
export const TRANSPOSITIONS = ['hay-davies', 'perez', 'isotropic'] as const;

export const performanceRatioConfig = z.strictObject({
  /** Degrees from north, clockwise, at which an azimuth of 0 points: 0 north, 90 east, 180 south, 270 west. */
  zeroDirection: z.union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)]).default(0),
  /** The first that has values counts. */
  irradiance: z
    .array(z.enum(IRRADIANCE_SOURCES))
    .min(1)
    .max(IRRADIANCE_SOURCES.length)
    .default(['plane', 'horizontal', 'feed', 'clearSky']),
  transposition: z.enum(TRANSPOSITIONS).default('hay-davies'),
  temperatureModel: z.enum(TEMPERATURE_MODELS).default('measured'),
  systemFactor: z.number().gt(0).max(1.2).default(0.8),
  albedo: share.default(0.2),
  /** Part of the power that is lost in a year. */
  degradationPerYear: z.number().min(0).max(0.1).default(0.005),
  /** Deviation of a meter from the inverters, (meter - production)/meter, that is as it should be. */
  band: z
    .strictObject({ from: z.number().min(-1).max(1), to: z.number().min(-1).max(1) })
    .default({ from: -0.04, to: 0.01 }),
  ...mapped([...SOLAR_ROLES, ...SKY_ROLES]),
});

export const capacityFactorConfig = z.strictObject({
  basis: z.enum(['ac', 'dc']).default('ac'),
  ...mapped(['ratedPower', 'peakPower']),
});

/** A time that is left out, with the reason that is printed. Instants are epoch ms. */
export const availabilityExclusion = z.strictObject({
  id: z.uuid(),
  from: z.number().int(),
  to: z.number().int(),
  /** Without one, the whole workgroup. */
  deviceId: z.uuid().nullable(),
  source: z.string().max(400).nullable().default(null),
  category: z.enum([
    'plannedOutage',
    'gridOutage',
    'curtailment',
    'forceMajeure',
    'suspended',
    'ownerStop',
    'noInformation',
  ]),
  reason: line,
});

export const availabilityConfig = z.strictObject({
  variant: z.enum(['plant', 'inverter', 'device', 'energy']).default('inverter'),
  /** Irradiance from which a unit has to produce, W/m². */
  irradianceThresholdWm2: z.number().min(0).max(500).default(100),
  /** Part of its rating from which a unit counts as producing. */
  powerThreshold: share.default(0.005),
  isWeightedByIrradiance: z.boolean().default(false),
  exclusions: z.array(availabilityExclusion).max(2000).default([]),
});

export const iecPerfRatioConfig = z.strictObject({
  /** Power temperature coefficient, per K; negative. */
  gammaPerK: z.number().gt(-0.02).max(0).default(-0.0037),
  /** Mean temperature of the cells in the year that PR is compared with, weighted by irradiance, °C. */
  referenceTemperatureC: z.number().min(-20).max(80).nullable().default(null),
  /** Refused where it says that the evaluated period is its own reference: that gives the plain PR again. */
  reference: z.enum(['typicalYear', 'contract']).default('typicalYear'),
  irradianceFloorWm2: z.number().min(0).max(200).default(20),
  isBifacial: z.boolean().default(false),
  bifaciality: share.default(0.7),
  ...mapped(['peakPower', 'irradiancePoa', 'irradianceRear', 'moduleTemperature', 'dcEnergy']),
});

const recipients = z.array(z.email().max(254)).max(ENERGY_LIMITS.recipients).default([]);

export const mpptExtractConfig = z.strictObject({
  /** Fields by tracker: `{ table, field, name }`; empty: what the fields of inputs are called. */
  trackers: z
    .array(z.strictObject({ table, field, name: line }))
    .max(200)
    .default([]),
  mppt: z.strictObject({ isOn: z.boolean().default(false), recipients }).prefault({}),
  irradiation: z.strictObject({ isOn: z.boolean().default(false), recipients }).prefault({}),
});

/** Ids are chosen by people, and may be those of another system. */
export const meterCode = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(...ONE_LINE)
  .refine((code) => !code.includes('|'), energyIssues['issue.energy_code_bar']);

export const meterDataConfig = z.strictObject({
  codes: z
    .array(z.strictObject({ code: meterCode, counts: z.enum(METER_COUNTS).default('production') }))
    .max(ENERGY_LIMITS.codes)
    .refine((all) => new Set(all.map(({ code }) => code)).size === all.length, generalIssues['issue.twice'])
    .default([]),
  sites: z
    .array(
      z.strictObject({
        id: z.uuid(),
        name: line,
        codes: z.array(meterCode).max(200),
        devices: z.array(z.uuid()).max(5000),
      }),
    )
    .max(ENERGY_LIMITS.sites)
    .default([]),
  granularity: z.enum(METER_GRANULARITIES).default('day'),
});

/** What may stand in each configuration. */
export const ENERGY_CONFIG_SCHEMAS = {
  'daily-energy-config': dailyEnergyConfig,
  'performance-ratio-config': performanceRatioConfig,
  'capacity-factor-config': capacityFactorConfig,
  'meter-data-config': meterDataConfig,
  'availability-config': availabilityConfig,
  'iec-perf-ratio-config': iecPerfRatioConfig,
  'mppt-extract-config': mpptExtractConfig,
} as const;
export type EnergyConfigs = {
  [Name in keyof typeof ENERGY_CONFIG_SCHEMAS]: z.output<(typeof ENERGY_CONFIG_SCHEMAS)[Name]>;
};
