import { z } from 'zod';
import { boardStream } from '../streams.schema.ts';
import { decimals, kpiFigure, link, ownRange, thresholds, unit, valueFunction } from './parts.ts';
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
    figure: kpiFigure.optional(),
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
