import type { FieldRole } from '../../field-roles/field-roles.ts';
import type { BoardStream } from '../streams.schema.ts';

/** What an energy flow is made of; a role that an entity does not have is left out. */
export const FLOW_ROLES = {
  power: [
    'acPower',
    'gridPower',
    'batteryPower',
    'loadPower',
    'irradiancePoa',
    'irradianceGhi',
    'stateOfCharge',
  ],
  energy: [
    'energyTotal',
    'gridEnergyImported',
    'gridEnergyExported',
    'batteryEnergyCharged',
    'batteryEnergyDischarged',
    'loadEnergyTotal',
  ],
} as const satisfies Record<string, readonly FieldRole[]>;

/** Parts of an energy summary, each with the setting that shows it. */
export const ENERGY_PARTS = {
  production: 'hasProduction',
  estimate: 'hasEstimate',
  meter: 'hasMeter',
  budget: 'hasBudget',
} as const;
export type EnergyPart = keyof typeof ENERGY_PARTS;

/** What is shown where nobody chose a stream. */
export const ENERGY_DEFAULTS: Partial<Record<EnergyPart, BoardStream>> = {
  production: { over: 'descendants', role: 'energyTotal', combine: 'sum' },
  meter: { over: 'descendants', role: 'gridEnergyExported', combine: 'sum' },
};
