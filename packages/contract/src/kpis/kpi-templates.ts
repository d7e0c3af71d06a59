import type { FieldRole } from '../field-roles/field-roles.ts';
import { type KpiValue, kpiValue } from './kpis.schema.ts';

/** KPIs to begin with. Formulas: IEC 61724-1 and common practice; the label `site` has the entities with a station. */
export const KPI_TEMPLATES = [
  'energy',
  'specificYield',
  'performanceRatio',
  'correctedRatio',
  'capacityFactor',
  'availability',
  'efficiency',
  'selfConsumption',
  'autarky',
  'co2',
  'revenue',
  'peerRatio',
] as const;
export type KpiTemplate = (typeof KPI_TEMPLATES)[number];

/** The values of a template by their names, the primary one last. */
export const templateValues = (template: KpiTemplate): Record<string, KpiValue> =>
  Object.fromEntries(Object.entries(VALUES[template]).map(([name, value]) => [name, kpiValue.parse(value)]));

const counted = (role: FieldRole) => ({
  kind: 'aggregate',
  streams: { role },
  operator: 'difference',
  units: 'kWh',
});
const energyOf = (role: FieldRole) => ({ ...counted(role), operator: 'integral' });
/** By each inverter's own sun: an hour of work before the sun counts makes up for no hour of standstill at noon. */
const sunnyHours = (above: number | null) => ({
  kind: 'aggregate',
  streams: { role: 'acPower' },
  operator: 'timeInState',
  above,
  during: { streams: { role: 'irradiancePoa' }, above: 50 },
  units: 'h',
});
const formula = (text: string, units = '') => ({ kind: 'formula', formula: text, units, isPrimary: true });

const irradiation = {
  kind: 'aggregate',
  streams: { role: 'irradiancePoa' },
  operator: 'integral',
  aggregator: 'average',
  units: 'kWh/m²',
};
const ofSite = (text: string) => ({ ...formula(text, 'kWh'), isPrimary: false, each: 'site' });

const peak = { kind: 'metadata', key: 'kWp', units: 'kWp' };

const VALUES: Record<KpiTemplate, Record<string, object>> = {
  energy: { energy: { ...counted('energyTotal'), isPrimary: true } },
  specificYield: {
    energy: counted('energyTotal'),
    peak,
    specificYield: formula('energy / peak', 'kWh/kWp'),
  },
  performanceRatio: {
    energy: counted('energyTotal'),
    peak,
    irradiation,
    reference: ofSite('irradiation * peak / (1 kW / m²)'),
    performanceRatio: formula('energy / reference'),
  },
  // What modules lose because they are warm is taken out: at 25 °C the reference stays as it is.
  correctedRatio: {
    energy: counted('energyTotal'),
    peak,
    irradiation,
    temperature: {
      kind: 'aggregate',
      streams: { role: 'moduleTemperature' },
      operator: 'weightedAverage',
      aggregator: 'average',
      weightedBy: { role: 'irradiancePoa' },
      units: '°C',
    },
    coefficient: {
      kind: 'metadata',
      key: 'temperatureCoefficient',
      lookup: 'above',
      aggregator: 'average',
      fallback: -0.004,
      units: '1/°C',
    },
    reference: ofSite('irradiation * peak / (1 kW / m²) * (1 + coefficient * (temperature - 25 °C))'),
    // Energy of sites without a reference would be compared with nothing.
    comparable: ofSite('energy + 0 * reference'),
    correctedRatio: formula('comparable / reference'),
  },
  capacityFactor: {
    energy: counted('energyTotal'),
    rated: { kind: 'metadata', key: 'ratedKW', units: 'kW' },
    capacityFactor: formula('energy / (rated * period)', '%'),
  },
  availability: {
    producing: sunnyHours(10),
    sun: sunnyHours(null),
    availability: formula('producing / sun', '%'),
  },
  efficiency: {
    ac: energyOf('acPower'),
    dc: energyOf('dcPower'),
    efficiency: formula('ac / dc', '%'),
  },
  selfConsumption: {
    energy: counted('energyTotal'),
    exported: counted('gridEnergyExported'),
    selfConsumption: formula('(energy - exported) / energy', '%'),
  },
  autarky: {
    energy: counted('energyTotal'),
    exported: counted('gridEnergyExported'),
    imported: counted('gridEnergyImported'),
    autarky: formula('(energy - exported) / (energy - exported + imported)', '%'),
  },
  co2: {
    energy: counted('energyTotal'),
    co2Factor: {
      kind: 'metadata',
      key: 'co2Factor',
      lookup: 'above',
      aggregator: 'average',
      fallback: 0.4,
      units: 'kg/kWh',
    },
    co2: formula('energy * co2Factor', 't'),
  },
  revenue: {
    energy: counted('energyTotal'),
    tariff: { kind: 'metadata', key: 'tariff', lookup: 'above', aggregator: 'average', units: 'EUR/kWh' },
    revenue: formula('energy * tariff', 'EUR'),
  },
  peerRatio: {
    energy: counted('energyTotal'),
    peak,
    specificYield: { ...formula('energy / peak', 'kWh/kWp'), isPrimary: false },
    peers: { kind: 'peers', of: 'specificYield' },
    peerRatio: formula('specificYield / peers', '%'),
  },
};
