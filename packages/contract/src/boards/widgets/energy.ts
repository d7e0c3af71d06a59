import { z } from 'zod';
import type { FieldRole } from '../../field-roles/field-roles.ts';
import { type BoardStream, boardStream } from '../streams.schema.ts';
import { link, ownRange } from './parts.ts';
import { widgetSchema } from './widget-schema.ts';

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

/** Where power comes from and goes to now, or where the energy of the range went. */
export const flowWidget = widgetSchema({
  version: 1,
  settings: z.strictObject({
    over: z.enum(['self', 'descendants']).default('descendants'),
    of: z.enum(['power', 'energy']).default('power'),
    link,
    range: ownRange,
  }),
  asks: ({ over, of }) =>
    FLOW_ROLES[of as keyof typeof FLOW_ROLES].map((role) => ({ over: String(over), role, combine: 'sum' })),
});
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

/** Production beside what was expected, metered and planned. Source of the defaults: specification 2, section 9. */
export const energyWidget = widgetSchema({
  version: 1,
  settings: z.strictObject({
    production: boardStream.optional(),
    estimate: boardStream.optional(),
    meter: boardStream.optional(),
    budget: boardStream.optional(),
    granularity: z.enum(['hour', 'day', 'week', 'month', 'year']).default('day'),
    chart: z.enum(['line', 'column']).default('line'),
    hasProduction: z.boolean().default(true),
    hasEstimate: z.boolean().default(true),
    hasMeter: z.boolean().default(false),
    hasBudget: z.boolean().default(false),
    link,
    range: ownRange,
  }),
  asks: () => Object.values(ENERGY_DEFAULTS),
});
