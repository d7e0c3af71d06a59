import { type NewEntity, newEntity } from '@albedo/contract/entities/entities.schema';
import type { EntityLabel } from '@albedo/contract/entities/labels';
import { type NewMachine, newMachine } from '@albedo/contract/machines/machines.schema';

/** The portfolio of the demo as code: labels, machines and the tree, with ids that stay the same. */
export const DEMO_LABELS: readonly EntityLabel[] = [
  { id: 'site', name: 'Site', color: '#3f8f5f' },
  { id: 'inverter', name: 'Inverter', color: '#b0c748' },
  { id: 'meter', name: 'Meter', color: '#2f7fb8' },
  { id: 'station', name: 'Weather station', color: '#d9822b' },
];

const inSolar = (field: string, units: string | null = null) => ({ table: 'solar', field, units });
const inMeter = (field: string, units: string | null = null) => ({ table: 'meter', field, units });
const inWeather = (field: string, units: string | null = null) => ({ table: 'weather', field, units });

const INVERTER_ROLES: NewMachine['roles'] = {
  acPower: inSolar('AC Power', 'W'),
  energyTotal: inSolar('Total Energy', 'Wh'),
  dcPower: inSolar('DC Power', 'W'),
  acCurrent: inSolar('AC Current', 'A'),
  apparentPower: inSolar('Apparent Power', 'VA'),
  reactivePower: inSolar('Reactive Power', 'var'),
  powerFactor: inSolar('Cos Phi'),
  frequency: inSolar('Grid Freq', 'Hz'),
  deviceTemperature: inSolar('Cabinet Temperature', '°C'),
  state: inSolar('Status'),
  event: inSolar('Event'),
};

const STATES: NewMachine['states'] = [
  { code: 'MPPT', word: 'Producing', level: 'ok' },
  { code: 'Throttled', word: 'Limited', level: 'warning' },
  { code: 'Starting', word: 'Starting', level: 'idle' },
  { code: 'Sleeping', word: 'Asleep', level: 'idle' },
  { code: 'Off', word: 'Off', level: 'idle' },
  { code: 'Standby', word: 'Standby', level: 'idle' },
  { code: 'Shutting down', word: 'Shutting down', level: 'idle' },
  { code: 'Fault', word: 'Fault', level: 'danger' },
];

/** `kW` is the AC rating, `kWp` what its arrays have; the line is straight until the inverter clips. */
function inverter(name: string, maker: string, model: string, kW: number, kWp: number): NewMachine {
  const clipsAt = Math.round((kW / kWp / 0.97) * 1000);
  return newMachine.parse({
    name,
    class: 'inverter',
    maker,
    model,
    ratings: [
      { name: 'AC power', value: kW, units: 'kW' },
      { name: 'Array', value: kWp, units: 'kWp' },
    ],
    states: STATES,
    powerCurve: [
      { x: 0, powerW: 0 },
      { x: 50, powerW: Math.round(kWp * 40) },
      { x: clipsAt, powerW: kW * 1000 },
      { x: 1200, powerW: kW * 1000 },
    ],
    roles: INVERTER_ROLES,
  });
}

const METER = 'Grid meter';
const STATION = 'Weather station';

export const DEMO_MACHINES: readonly NewMachine[] = [
  inverter('HN-25K3', 'Helionova', 'HN-25K3', 25, 30.8),
  inverter('BP 60-TL', 'Borealis Power', 'BP 60-TL', 60, 75.6),
  inverter('AI-100', 'Austral Inverters', 'AI-100', 100, 129.6),
  newMachine.parse({
    name: METER,
    class: 'meter',
    roles: {
      gridPower: inMeter('AC Power', 'W'),
      gridEnergyImported: inMeter('Total Energy Imported', 'Wh'),
      gridEnergyExported: inMeter('Total Energy Exported', 'Wh'),
      frequency: inMeter('Grid Freq', 'Hz'),
    },
  }),
  newMachine.parse({
    name: STATION,
    class: 'station',
    roles: {
      irradiancePoa: inWeather('Plane Irradiance', 'W/m²'),
      irradianceGhi: inWeather('Global Irradiance', 'W/m²'),
      moduleTemperature: inWeather('Module Temperature', '°C'),
      ambientTemperature: inWeather('Ambient Temperature', '°C'),
      windSpeed: inWeather('Wind Speed', 'm/s'),
    },
  }),
];

const PORTFOLIO = 'portfolio';

/** With an id that never changes. */
const entity = newEntity.required({ _id: true });

interface DemoSite {
  /** Name of the device that serves it. */
  device: string;
  id: string;
  name: string;
  kWp: number;
  ratedKW: number;
  inverters: number;
  machine: string;
  city: string;
  /** Degrees. */
  latitude: number;
  longitude: number;
  timezone: string;
  commissioned: string;
}

const SITES: readonly DemoSite[] = [
  {
    device: 'Hilltop',
    id: 'hilltop',
    name: 'Hilltop winery',
    kWp: 61.6,
    ratedKW: 50,
    inverters: 2,
    machine: 'HN-25K3',
    city: 'Stellenbosch',
    latitude: -33.93,
    longitude: 18.86,
    timezone: 'Africa/Johannesburg',
    commissioned: '2024-11-02',
  },
  {
    device: 'Riverside',
    id: 'riverside',
    name: 'Riverside works',
    kWp: 378,
    ratedKW: 300,
    inverters: 5,
    machine: 'BP 60-TL',
    city: 'Denver',
    latitude: 39.68,
    longitude: -104.91,
    timezone: 'America/Denver',
    commissioned: '2025-01-16',
  },
  {
    device: 'Harbour',
    id: 'harbour',
    name: 'Harbour cold store',
    kWp: 1555,
    ratedKW: 1200,
    inverters: 12,
    machine: 'AI-100',
    city: 'Darwin',
    latitude: -12.46,
    longitude: 130.85,
    timezone: 'Australia/Darwin',
    commissioned: '2025-03-11',
  },
];

/** The tree: the portfolio, its three sites, and below each its inverters, meter and station. */
export function demoEntities(
  deviceIds: ReadonlyMap<string, string>,
  machineIds: ReadonlyMap<string, string>,
): (NewEntity & { _id: string })[] {
  const machineOf = (name: string) => machineIds.get(name) ?? null;
  const kWp = Math.round(SITES.reduce((sum, site) => sum + site.kWp, 0) * 10) / 10;
  const portfolio = entity.parse({ _id: PORTFOLIO, name: 'Portfolio', meta: { kWp } });
  return [portfolio, ...SITES.flatMap((site) => entitiesOf(site, deviceIds.get(site.device), machineOf))];
}

function entitiesOf(
  site: DemoSite,
  deviceId: string | undefined,
  machineOf: (name: string) => string | null,
): (NewEntity & { _id: string })[] {
  const { id, name, kWp, ratedKW, inverters, machine, city, latitude, longitude, timezone, commissioned } =
    site;
  const part = (key: string, label: string, title: string, source: string, of: string, meta: object = {}) =>
    entity.parse({
      _id: `${id}-${key}`,
      name: title,
      parent: id,
      labels: [label],
      machine: machineOf(of),
      meta,
      signals: { sources: deviceId === undefined ? [] : [{ deviceId, source }] },
    });
  const peak = Math.round((kWp / inverters) * 100) / 100;
  return [
    entity.parse({
      _id: id,
      name,
      parent: PORTFOLIO,
      labels: ['site'],
      meta: { kWp, ratedKW, city, latitude, longitude, timezone, commissioned },
    }),
    ...Array.from({ length: inverters }, (_, at) => {
      const number = String(at + 1).padStart(2, '0');
      return part(`inv-${number}`, 'inverter', `Inverter ${at + 1}`, `inv-${number}`, machine, { kWp: peak });
    }),
    part('meter', 'meter', 'Meter', 'grid', METER),
    part('station', 'station', 'Weather station', 'station', STATION),
  ];
}
