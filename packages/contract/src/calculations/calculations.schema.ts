import { z } from 'zod';
import { entityId } from '../entities/entities.schema.ts';
import { changedVersion } from '../history/history.schema.ts';
import { generalIssues, issuesOf } from '../http/issues.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { keptValues, kpiAnswer, kpiValues } from '../kpis/kpis.schema.ts';
import { instant } from '../telemetry/instants.schema.ts';
import { BUILT_IN_COLUMNS, CLOUD_TABLES } from '../telemetry/telemetry.schema.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { calculationsIssues } from './calculations.errors.ts';

const ownIssue = issuesOf({ ...generalIssues, ...calculationsIssues });

/** What a workgroup and one request may have. */
export const CALCULATION_LIMITS = {
  /** In one workgroup. */
  calculations: 200,
  /** Entities that one of them names. */
  entities: 1000,
  /** Intervals that can be tried at once. */
  intervals: 3700,
  /** Changes that one answer lists. */
  changes: 200,
  /** Of a back-fill. */
  years: 30,
} as const;

/** How often a calculation writes; days and what is longer are those of the zone of the entity. */
export const CALCULATION_INTERVALS = ['1m', '5m', '10m', '15m', '30m', '1h', '1d', '1w', '1M', '1y'] as const;
export type CalculationInterval = (typeof CALCULATION_INTERVALS)[number];

/** For which entities it is computed: some of them, those with a label, or those of a machine. */
export const calculationTarget = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('entities'),
    entities: z
      .array(entityId)
      .min(1, 'Required')
      .max(CALCULATION_LIMITS.entities)
      .refine((ids) => new Set(ids).size === ids.length, 'Each entry can appear only once.'),
  }),
  z.object({ kind: z.literal('label'), label: z.string().min(1, 'Required').max(200) }),
  z.object({ kind: z.literal('machine'), machine: z.uuid('Required') }),
]);
export type CalculationTarget = z.output<typeof calculationTarget>;

const intervals = CALCULATION_INTERVALS.join(', ');
const interval = z.string().superRefine((given, context) => {
  if (!(CALCULATION_INTERVALS as readonly string[]).includes(given))
    context.addIssue(ownIssue([], 'issue.calculation_interval', { intervals }));
}) as unknown as z.ZodType<CalculationInterval, CalculationInterval>;

/** How a calculation is called. */
export const calculationName = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'Required')
    .max(120)
    .regex(...ONE_LINE),
});

const parts = {
  ...calculationName.shape,
  description: z.string().trim().max(2000).default(''),
  /** One that is switched off stays as it is, with what it has written. */
  isActive: z.boolean().default(true),
  table: z
    .string()
    .trim()
    .min(1, 'Required')
    .max(200)
    .regex(...ONE_LINE)
    .default('calculations'),
  interval: interval.default('1h'),
  target: calculationTarget,
};

/**
 * A calculation as it is written, all of it at once. Its values are those of a KPI; each formula is a field of the
 * records that it writes, at the beginning of every interval, with its id in place of the device and the id of the
 * entity as the source.
 */
const written = z.object({ ...parts, values: kpiValues });
export type NewCalculation = z.output<typeof written>;

const demandWritable = ({ values, table }: NewCalculation, context: z.RefinementCtx): void => {
  if (Object.values(values).every(({ kind }) => kind !== 'formula'))
    context.addIssue(ownIssue(['values'], 'issue.calculation_no_formula'));
  for (const name of BUILT_IN_COLUMNS)
    if (values[name]?.kind === 'formula')
      context.addIssue(ownIssue(['values', name], 'issue.calculation_field', { name }));
  if (CLOUD_TABLES.has(table)) context.addIssue(ownIssue(['table'], 'issue.calculation_table', { table }));
};

export const newCalculation = written.superRefine(demandWritable);

export const changedCalculation = written.extend({ version: changedVersion }).superRefine(demandWritable);
export type ChangedCalculation = z.output<typeof changedCalculation>;

/** One that is kept stays as it is, whatever is asked of new ones meanwhile. */
export const keptCalculation = z.object({ ...parts, values: keptValues });

/** `version` counts the saves; instants are epoch ms. */
export const calculation = keptCalculation.extend({
  _id: z.uuid(),
  version: z.number().int(),
  updatedAt: z.number(),
  /** From here on intervals are computed; a back-fill moves it back. */
  since: z.number(),
  /** When it last wrote, or found nothing new; null before. */
  computedAt: z.number().nullable(),
  /** Stretches that are due and not computed yet. */
  waiting: z.number().int(),
  /** Why the last attempt failed, for people. */
  failure: z.string().nullable(),
});
export type Calculation = z.output<typeof calculation>;

export const onCalculation = inWorkgroup.extend({ calculation: z.uuid() });

/** What a calculation would have written of one entity, from when (included) to when (not), epoch ms. */
const range = {
  entity: z.string().min(1).max(200),
  from: instant,
  to: instant,
  /** Where neither the entity nor those above and below it say a zone. */
  timezone: z.string().min(1).max(100).default('UTC'),
};

function demandSpan(
  { from, to }: { from: number; to: number },
  context: z.core.$RefinementCtx<unknown>,
): void {
  if (to <= from) context.addIssue(ownIssue(['to'], 'issue.end_first'));
}

export const calculationPreview = z.object({
  calculation: newCalculation,
  question: z.object(range).superRefine(demandSpan),
});

export const backfill = z
  .object({ from: z.number().int().min(0), to: z.number().int().min(0) })
  .superRefine(({ from, to }, context) => {
    demandSpan({ from, to }, context);
    const { years } = CALCULATION_LIMITS;
    if (to - from > years * 366 * 86_400_000)
      context.addIssue(ownIssue(['from'], 'issue.backfill_long', { years: String(years) }));
  });

/** Why a number was computed again. */
export const CHANGE_CAUSES = ['late', 'metadata', 'definition', 'backfill', 'chain'] as const;
export type ChangeCause = (typeof CHANGE_CAUSES)[number];

/** A number that is another one now. Instants are epoch ms. */
export const calculationChange = z.object({
  entity: z.string(),
  field: z.string(),
  /** Where its interval begins. */
  at: z.number(),
  was: z.number().nullable(),
  now: z.number().nullable(),
  cause: z.enum(CHANGE_CAUSES),
  /** The definition that gave it. */
  version: z.number().int(),
  changedAt: z.number(),
});
export type CalculationChange = z.output<typeof calculationChange>;

/** Asks what was written of an entity, from when (included) to when (not). */
export const valuesQuestion = z
  .object({
    entity: z.string().min(1).max(200),
    from: instant,
    to: instant,
  })
  .superRefine(demandSpan);

/** What was written; `starts` has one more than there are intervals: the last is the end. */
export const calculationValues = z.object({
  zone: z.string(),
  starts: z.array(z.number()),
  fields: z.record(z.string(), z.object({ units: z.string(), values: z.array(z.number().nullable()) })),
});
export type CalculationValues = z.output<typeof calculationValues>;

/** Asks where the numbers of one interval come from: of which entity, and an instant within it. */
export const explainQuestion = z.object({
  entity: z.string().min(1).max(200),
  at: instant,
});

/** `answer` is how the numbers of the interval come about now, `stored` what was written, by field. */
export const calculationExplanation = z.object({
  answer: kpiAnswer,
  stored: z.record(z.string(), z.number().nullable()),
  changes: z.array(calculationChange),
});
export type CalculationExplanation = z.output<typeof calculationExplanation>;
