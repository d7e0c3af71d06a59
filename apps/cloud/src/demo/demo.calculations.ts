import { type NewCalculation, newCalculation } from '@albedo/contract/calculations/calculations.schema';
import { templateValues } from '@albedo/contract/kpis/kpi-templates';

const SITES = { kind: 'label', label: 'site' } as const;

/** The calculations of the demo. */
export const DEMO_CALCULATIONS: readonly NewCalculation[] = [
  newCalculation.parse({
    name: 'Specific yield by hour',
    table: 'yields',
    interval: '1h',
    target: SITES,
    values: templateValues('specificYield'),
  }),
  newCalculation.parse({
    name: 'Expected energy by hour',
    description: 'By irradiance and module temperature: modules lose 0.35 % for each degree above 25 °C.',
    table: 'expected',
    interval: '1h',
    target: SITES,
    values: {
      peak: { kind: 'metadata', key: 'kWp', units: 'kWp' },
      irradiation: {
        kind: 'aggregate',
        streams: { role: 'irradiancePoa' },
        operator: 'integral',
        aggregator: 'average',
        units: 'kWh/m²',
      },
      module: {
        kind: 'aggregate',
        streams: { role: 'moduleTemperature' },
        operator: 'timeWeightedAverage',
        aggregator: 'average',
        units: '°C',
      },
      expected: {
        kind: 'formula',
        formula: 'irradiation * peak / (1 kW / m²) * (1 - 0.0035 / °C * (module - 25 °C))',
        units: 'kWh',
        displayName: 'Expected energy',
        isPrimary: true,
      },
    },
  }),
  newCalculation.parse({
    name: 'Performance ratio at 25 °C by day',
    table: 'daily',
    interval: '1d',
    target: SITES,
    values: {
      energy: {
        kind: 'aggregate',
        streams: { role: 'energyTotal' },
        operator: 'difference',
        units: 'kWh',
      },
      expected: {
        kind: 'aggregate',
        streams: { table: 'expected', field: 'expected' },
        operator: 'sum',
        units: 'kWh',
      },
      ratio: {
        kind: 'formula',
        formula: 'energy / expected',
        displayName: 'Performance ratio at 25 °C',
        isPrimary: true,
      },
    },
  }),
];
