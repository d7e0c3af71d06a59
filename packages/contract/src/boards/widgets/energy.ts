import { z } from 'zod';
import { boardStream } from '../streams.schema.ts';
import { ENERGY_DEFAULTS, FLOW_ROLES } from './energy-parts.ts';
import { link, ownRange } from './parts.ts';
import { widgetSchema } from './widget-schema.ts';

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
