import { z } from 'zod';
import { issuesOf } from '../../http/issues.ts';
import { ONE_LINE } from '../../http/one-line.ts';
import { AGGREGATION_INTERVALS } from '../../telemetry/intervals.ts';
import { SERIES_FUNCTIONS } from '../../telemetry/series-functions.ts';
import { isLink } from '../addresses.ts';
import { boardsIssues } from '../boards.errors.ts';
import { boardStream } from '../streams.schema.ts';
import { VARIABLE } from '../variables.ts';
import { VALUE_FUNCTIONS } from './value-functions.ts';

const ownIssue = issuesOf(boardsIssues);

export const valueFunction = z.enum(VALUE_FUNCTIONS);
export const seriesFunction = z.enum(SERIES_FUNCTIONS);

export const streams = (max: number) => z.array(boardStream).max(max).default([]);

/** From this value on it is so; the last one that is reached counts. */
const threshold = z.strictObject({ from: z.number(), level: z.enum(['ok', 'warning', 'danger']) });
export const thresholds = z.array(threshold).max(12).default([]);
export type Threshold = z.output<typeof threshold>;

/** An address in this app, or of the web. */
export const link = z
  .string()
  .max(1000)
  .superRefine((given, context) => {
    if (!isLink(given)) context.addIssue(ownIssue([], 'issue.link'));
  })
  .optional();

export const decimals = z.number().int().min(0).max(6).optional();
/** Written behind the number in place of the unit of the field. */
export const unit = z
  .string()
  .max(20)
  .regex(...ONE_LINE)
  .optional();
/** A range of its own, as it stands in an address: `today`, `90m`, `last-7-days`. */
export const ownRange = z.string().max(80).optional();
const intervals = z.enum(['auto', ...AGGREGATION_INTERVALS]);
/** Calendar intervals of columns, or what the pixels can show. A variable stands here until it is something. */
export const interval = z
  .union([
    intervals,
    z
      .string()
      .regex(VARIABLE)
      .transform(() => 'auto' as const),
  ])
  .default('auto');
export const label = z
  .string()
  .trim()
  .max(120)
  .regex(...ONE_LINE);
/** The entities that rows stand for, seen from the one that the board shows. */
export const rowsOf = z.enum(['self', 'children', 'descendants', 'label']).default('children');

/** A KPI; `value` is one of its values, without it the primary one. */
export const kpiFigure = z.strictObject({
  kpi: z.string().min(1).max(60),
  value: z.string().min(1).max(60).optional(),
});
export type KpiFigure = z.output<typeof kpiFigure>;

/** A column of a table of entities: of a stream, or of a KPI. */
export const column = z
  .strictObject({
    stream: boardStream.optional(),
    /** Of a stream. */
    function: valueFunction.default('latest'),
    figure: kpiFigure.optional(),
    /** Of a KPI, in the unit of the value. */
    target: z.number().optional(),
    name: label.optional(),
    unit,
    decimals,
    thresholds,
  })
  .superRefine(({ stream, figure }, context) => {
    if ((stream === undefined) === (figure === undefined))
      context.addIssue(ownIssue(['stream'], 'issue.column_of'));
  });
export type Column = z.output<typeof column>;
