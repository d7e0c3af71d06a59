import { z } from 'zod';
import { boardStream } from '../streams.schema.ts';
import { decimals, link, ownRange, thresholds, unit, valueFunction } from './parts.ts';
import { widgetSchema } from './widget-schema.ts';

/** One figure, with how it went and how far its target is. */
export const numberWidget = widgetSchema({
  version: 1,
  settings: z.strictObject({
    stream: boardStream.optional(),
    function: valueFunction.default('latest'),
    hasSparkline: z.boolean().default(true),
    /** In the unit of the field. */
    target: z.number().optional(),
    unit,
    decimals,
    thresholds,
    link,
    range: ownRange,
  }),
});

/** One value of a KPI for the entity, by the clock of its site, with how it went and how far its target is. */
export const kpiWidget = widgetSchema({
  version: 1,
  settings: z.strictObject({
    /** `value` is one of its values; without it the primary one. */
    figure: z
      .strictObject({ kpi: z.string().min(1).max(60), value: z.string().min(1).max(60).optional() })
      .optional(),
    hasSparkline: z.boolean().default(true),
    /** In the unit of the value. */
    target: z.number().optional(),
    unit,
    decimals,
    thresholds,
    link,
    range: ownRange,
  }),
});
