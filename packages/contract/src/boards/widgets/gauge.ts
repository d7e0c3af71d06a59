import { z } from 'zod';
import { boardStream } from '../streams.schema.ts';
import { decimals, link, ownRange, thresholds, unit, valueFunction } from './parts.ts';
import { widgetSchema } from './widget-schema.ts';

/** One figure between its least and its most: as an arc, a needle on a dial, or a level in a cylinder. */
const settings = z.strictObject({
  stream: boardStream.optional(),
  function: valueFunction.default('latest'),
  min: z.number().default(0),
  /** Without it, the most of the time range. */
  max: z.number().optional(),
  unit,
  decimals,
  thresholds,
  link,
  range: ownRange,
});
export const gaugeWidget = widgetSchema({ version: 1, settings });
export const speedometerWidget = widgetSchema({ version: 1, settings });
export const cylinderWidget = widgetSchema({ version: 1, settings });
