import { z } from 'zod';
import { boardStream } from '../streams.schema.ts';
import { interval, link, ownRange, seriesFunction, streams } from './parts.ts';
import { widgetSchema } from './widget-schema.ts';

const overTime = {
  streams: streams(20),
  function: seriesFunction.default('average'),
  interval,
  /** A line that shows the same time before. */
  compare: z.enum(['day', 'week', 'month', 'year']).optional(),
  hasLegend: z.boolean().default(true),
  link,
  range: ownRange,
};

/** Lines over time. */
export const linesWidget = widgetSchema({ version: 1, settings: z.strictObject(overTime) });
/** Columns over time. */
export const barsWidget = widgetSchema({
  version: 1,
  settings: z.strictObject({
    ...overTime,
    function: seriesFunction.default('difference'),
    interval: interval.default('1d'),
  }),
});
/** How long values were at least as high. */
export const durationWidget = widgetSchema({
  version: 1,
  settings: z.strictObject({ streams: streams(10), interval, link, range: ownRange }),
});
/** A stream by day and hour, or many streams by time. */
export const heatWidget = widgetSchema({
  version: 1,
  settings: z.strictObject({
    stream: boardStream.optional(),
    by: z.enum(['calendar', 'entities', 'peers']).default('calendar'),
    function: seriesFunction.default('average'),
    interval,
    link,
    range: ownRange,
  }),
});
/** One stream over another one. */
export const scatterWidget = widgetSchema({
  version: 1,
  settings: z.strictObject({
    x: boardStream.optional(),
    y: boardStream.optional(),
    interval,
    /** The mean of y for each class of x. */
    hasCurve: z.boolean().default(true),
    link,
    range: ownRange,
  }),
});
/** What a state was, and for how long. */
export const timelineWidget = widgetSchema({
  version: 1,
  settings: z.strictObject({
    streams: streams(20),
    link,
    range: ownRange,
  }),
});
