/**
 * What a field means, whatever its maker calls it: the one vocabulary for screens, entities, machines, KPIs and reports.
 *
 * Values of a role are in the base unit of its dimension. Powers of the site are seen from the site's own bus: what
 * flows to it is positive, so that import from the grid and the discharge of a battery are positive, export and charge
 * negative, and generation plus grid plus battery is the load.
 * Source: symbols of IEC 61724-1:2021, table 4; points of the SunSpec models 1xx, 2xx, 3xx and 8xx.
 */

/** What is measured, with the unit in which values of its roles are. */
export const DIMENSIONS = {
  power: 'W',
  energy: 'Wh',
  apparentPower: 'VA',
  reactivePower: 'var',
  irradiance: 'W/m²',
  temperature: '°C',
  voltage: 'V',
  current: 'A',
  frequency: 'Hz',
  ratio: '%',
  speed: 'm/s',
  angle: '°',
  none: '',
} as const;
export type Dimension = keyof typeof DIMENSIONS;

interface RoleFacts {
  dimension: Dimension;
  /** Symbol of IEC 61724-1, or the SunSpec point where the standard has none. */
  term: string;
  /** Where positive values flow; missing where a value has no direction. */
  positive?: 'generation' | 'import' | 'discharge' | 'consumption';
  /** A counter that only rises, but for the day on which it starts over. */
  isCounter?: true;
}

export const FIELD_ROLES = {
  acPower: { dimension: 'power', term: 'P_out', positive: 'generation' },
  energyTotal: { dimension: 'energy', term: 'E_out', positive: 'generation', isCounter: true },
  energyToday: { dimension: 'energy', term: 'E_out', positive: 'generation' },
  dcPower: { dimension: 'power', term: 'P_A', positive: 'generation' },
  dcVoltage: { dimension: 'voltage', term: 'V_A' },
  dcCurrent: { dimension: 'current', term: 'I_A' },
  acVoltage: { dimension: 'voltage', term: 'V_out' },
  acCurrent: { dimension: 'current', term: 'I_out' },
  apparentPower: { dimension: 'apparentPower', term: 'VA' },
  reactivePower: { dimension: 'reactivePower', term: 'VAr' },
  powerFactor: { dimension: 'none', term: 'PF' },
  frequency: { dimension: 'frequency', term: 'Hz' },
  state: { dimension: 'none', term: 'St' },
  event: { dimension: 'none', term: 'Evt1' },
  deviceTemperature: { dimension: 'temperature', term: 'TmpCab' },
  irradiancePoa: { dimension: 'irradiance', term: 'G_i' },
  irradianceGhi: { dimension: 'irradiance', term: 'GHI' },
  irradianceDhi: { dimension: 'irradiance', term: 'DHI' },
  irradianceDni: { dimension: 'irradiance', term: 'DNI' },
  moduleTemperature: { dimension: 'temperature', term: 'T_mod' },
  ambientTemperature: { dimension: 'temperature', term: 'T_amb' },
  windSpeed: { dimension: 'speed', term: 'WS' },
  windDirection: { dimension: 'angle', term: 'WD' },
  humidity: { dimension: 'ratio', term: 'RH' },
  gridPower: { dimension: 'power', term: 'P_grid', positive: 'import' },
  gridEnergyImported: { dimension: 'energy', term: 'TotWhImp', positive: 'import', isCounter: true },
  gridEnergyExported: { dimension: 'energy', term: 'TotWhExp', isCounter: true },
  loadPower: { dimension: 'power', term: 'P_L', positive: 'consumption' },
  loadEnergyTotal: { dimension: 'energy', term: 'E_L', positive: 'consumption', isCounter: true },
  batteryPower: { dimension: 'power', term: 'P_S', positive: 'discharge' },
  batteryEnergyCharged: { dimension: 'energy', term: 'E_TS', isCounter: true },
  batteryEnergyDischarged: { dimension: 'energy', term: 'E_FS', isCounter: true },
  stateOfCharge: { dimension: 'ratio', term: 'SoC' },
  cpuUsage: { dimension: 'ratio', term: 'CPU' },
  memoryUsage: { dimension: 'ratio', term: 'MEM' },
  diskUsage: { dimension: 'ratio', term: 'DISK' },
} as const satisfies Record<string, RoleFacts>;

export type FieldRole = keyof typeof FIELD_ROLES;
export const FIELD_ROLE_NAMES = Object.keys(FIELD_ROLES) as [FieldRole, ...FieldRole[]];

/** Unit in which values of a role are. */
export const unitOfRole = (role: FieldRole): string => DIMENSIONS[FIELD_ROLES[role].dimension];

/** What kind of thing a source is, as its fields say. */
export const SOURCE_KINDS = ['inverter', 'meter', 'battery', 'station', 'computer', 'other'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];
