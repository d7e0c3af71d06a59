import { type KpiTemplate, templateValues } from '@albedo/contract/kpis/kpi-templates';
import { type NewKpi, newKpi } from '@albedo/contract/kpis/kpis.schema';

/** What the values of the templates are called. */
const TITLES: Readonly<Record<string, string>> = {
  energy: 'Energy',
  peak: 'Peak power',
  specificYield: 'Specific yield',
  irradiation: 'Irradiation',
  reference: 'Energy at full efficiency',
  performanceRatio: 'Performance ratio',
  rated: 'Rated power',
  capacityFactor: 'Capacity factor',
  producing: 'Inverter hours producing in the sun',
  sun: 'Inverter hours in the sun',
  availability: 'Availability',
  ac: 'AC energy',
  dc: 'DC energy',
  efficiency: 'Efficiency',
  exported: 'Exported',
  imported: 'Imported',
  selfConsumption: 'Self-consumption',
  autarky: 'Autarky',
  co2Factor: 'CO₂ factor',
  co2: 'CO₂ avoided',
  peers: 'Specific yield of peers',
  peerRatio: 'Yield against peers',
};

const kpi = (name: string, template: KpiTemplate): NewKpi =>
  newKpi.parse({
    name,
    values: Object.fromEntries(
      Object.entries(templateValues(template)).map(([key, value]) => [
        key,
        { ...value, displayName: TITLES[key] ?? '' },
      ]),
    ),
  });

/** The KPIs of the demo. */
export const DEMO_KPIS: readonly NewKpi[] = [
  kpi('Energy', 'energy'),
  kpi('Specific yield', 'specificYield'),
  kpi('Performance ratio', 'performanceRatio'),
  kpi('Capacity factor', 'capacityFactor'),
  kpi('Availability', 'availability'),
  kpi('Inverter efficiency', 'efficiency'),
  kpi('Self-consumption', 'selfConsumption'),
  kpi('Autarky', 'autarky'),
  kpi('CO₂ avoided', 'co2'),
  kpi('Yield against peers', 'peerRatio'),
];
