import { z } from 'zod';
import { boardStream } from '../streams.schema.ts';
import { eventBeside } from './event-beside.ts';
import {
  column,
  decimals,
  kpiFigure,
  label,
  link,
  ownRange,
  rowsOf,
  thresholds,
  unit,
  valueFunction,
} from './parts.ts';
import { widgetSchema } from './widget-schema.ts';

const rows = { rows: rowsOf, label: label.optional() };

/** Entities down, fields and KPIs across. */
export const tableWidget = widgetSchema({
  version: 1,
  settings: z.strictObject({ ...rows, columns: z.array(column).max(12).default([]), link, range: ownRange }),
});
/** Entities by one figure, the worst first. */
export const leagueWidget = widgetSchema({
  version: 1,
  settings: z.strictObject({
    ...rows,
    by: z.enum(['stream', 'kpi']).default('stream'),
    stream: boardStream.optional(),
    function: valueFunction.default('difference'),
    figure: kpiFigure.optional(),
    worst: z.enum(['low', 'high']).default('low'),
    /** Of a stream: by the rated power of each entity, so that small and large ones compare. */
    isPerRated: z.boolean().default(false),
    most: z.number().int().min(1).max(100).default(10),
    unit,
    decimals,
    thresholds,
    link,
    range: ownRange,
  }),
});
/** What each entity says of itself. */
export const statusWidget = widgetSchema({
  version: 1,
  settings: z.strictObject({
    ...rows,
    stream: boardStream.optional(),
    thresholds,
    /** Without a value for so long, min, an entity counts as silent. */
    silentMin: z.number().int().min(1).max(10_080).default(15),
    link,
  }),
  asks: ({ stream }) => {
    const event = eventBeside(boardStream.safeParse(stream).data);
    return event ? [event] : [];
  },
});
/** Where the entities are, by how they do. */
export const mapWidget = widgetSchema({
  version: 1,
  settings: z.strictObject({
    ...rows,
    stream: boardStream.optional(),
    function: valueFunction.default('latest'),
    unit,
    decimals,
    thresholds,
    link,
    range: ownRange,
  }),
});
/** The devices behind the entities, and how they are. */
export const devicesWidget = widgetSchema({ version: 1, settings: z.strictObject({ ...rows, link }) });
/** How much of what was captured is stored. */
export const completenessWidget = widgetSchema({ version: 1, settings: z.strictObject({ ...rows, link }) });
/** What is wrong with the entities and below them, the gravest first. */
export const incidentsWidget = widgetSchema({
  version: 1,
  settings: z.strictObject({ ...rows, most: z.number().int().min(1).max(100).default(20), link }),
});
/** The plants below the entity by how they are doing, worst first. */
export const plantsWidget = widgetSchema({
  version: 1,
  settings: z.strictObject({ most: z.number().int().min(1).max(100).default(20), link }),
});
/** Energy of the plants below the entity today, next to what the light would give. */
export const expectedWidget = widgetSchema({ version: 1, settings: z.strictObject({ link }) });
