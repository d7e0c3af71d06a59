import { z } from 'zod';
import { storedBoard } from '../boards/boards.schema.ts';
import { kpiFigure } from '../boards/widgets/parts.ts';
import { entity } from '../entities/entities.schema.ts';
import { knownSource } from '../entities/streams.schema.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { KPI_LIMITS } from '../kpis/kpi-limits.ts';
import { kpi } from '../kpis/kpis.schema.ts';
import { lookupTable } from '../lookup-tables/lookup-tables.schema.ts';
import { machine } from '../machines/machines.schema.ts';
import { rangeFromText } from '../time/ranges.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { displaysIssues } from './displays.errors.ts';

/**
 * Days that a link may live, pages of its playlist, networks that it may be limited to. Free variables of a page, and how
 * many ways of choosing them and its entity there may be over all of its widgets.
 */
export const DISPLAY_LIMITS = {
  days: 366,
  pages: 30,
  networks: 20,
  variables: 100,
  choices: 20_000,
} as const;
/** Seconds between two pages of a playlist. */
export const TURN_SECONDS = { min: 5, max: 3600 } as const;
/** How the token of a link begins. */
export const DISPLAY_TOKEN = 'display.';

/** What those in front of a display may choose themselves. */
export const FREE_CHOICES = ['entity', 'range'] as const;

const isNetwork = (given: string): boolean =>
  [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()].some((one) => one.safeParse(given).success);

const network = z
  .string()
  .trim()
  .max(60)
  .refine((given) => isNetwork(given), displaysIssues['issue.display_network']);

/**
 * One page of the playlist: a dashboard, and of a dashboard of a label the entity, or `each` for all of them one after the
 * other; null for the first one.
 */
export const displayPage = z.strictObject({
  board: z.uuid(),
  entity: z.string().min(1).max(120).nullable().default(null),
  /** A time range as it stands in an address, such as `last-7-days`; null for that of the dashboard. */
  range: z
    .string()
    .max(80)
    .refine((given) => rangeFromText(given) !== null, displaysIssues['issue.display_range'])
    .nullable()
    .default(null),
  /** What variables of the dashboard are; others are what they are first. */
  variables: z.record(z.string().max(120), z.string().max(200)).optional(),
  /**
   * Variables that those in front of it may choose, by their names; those of a widget are called by its id, a full stop
   * and their name. All others are fixed.
   */
  free: z.array(z.string().min(1).max(120)).max(DISPLAY_LIMITS.variables).optional(),
});
export type DisplayPage = z.output<typeof displayPage>;

/** What a display shows, and from where it may be opened. */
export const newDisplay = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'Required')
    .max(120)
    .regex(...ONE_LINE),
  pages: z.array(displayPage).min(1, 'Required').max(DISPLAY_LIMITS.pages),
  intervalS: z.number().int().min(TURN_SECONDS.min).max(TURN_SECONDS.max).default(30),
  order: z.enum(['given', 'random']).default('given'),
  free: z.array(z.enum(FREE_CHOICES)).max(FREE_CHOICES.length).default([]),
  /** Addresses and networks (CIDR) that may open it; none for all. */
  networks: z.array(network).max(DISPLAY_LIMITS.networks).default([]),
  /** After so many days it ends. */
  days: z.number().int().min(1).max(DISPLAY_LIMITS.days).default(30),
});
export type NewDisplay = z.output<typeof newDisplay>;

/** Why a link is good no more: somebody revoked it, its time is over, or its maker may not show this any more. */
const ended = z.enum(['revoked', 'expired', 'maker']);

/** A display link without its token, which is told once. Times are epoch ms. */
export const display = newDisplay.omit({ days: true }).extend({
  _id: z.uuid(),
  madeBy: z.string(),
  madeAt: z.number(),
  expiresAt: z.number(),
  /** When and from which address it was last opened, to the minute. */
  seenAt: z.number().nullable(),
  seenFrom: z.string().nullable(),
  ended: ended.nullable(),
});
export type Display = z.output<typeof display>;

export const madeDisplay = display.extend({ token: z.string() });

export const onDisplay = inWorkgroup.extend({ display: z.uuid() });

/** A page as it is shown: the entities that the dashboard turns through, and those that may be chosen. */
const shownPage = z.object({
  board: storedBoard.omit({ may: true, updatedBy: true }),
  entities: z.array(z.string()),
  choices: z.array(z.string()),
  range: z.string().nullable(),
  /** What can be chosen of the variables of the dashboard, by their keys; of those without choices anything can be typed. */
  offered: z.record(z.string(), z.array(z.object({ value: z.string(), text: z.string() }))),
});

/** A KPI that widgets of a display show, with those of its values that they ask for. */
const shownKpi = kpi
  .pick({ _id: true, name: true, version: true })
  .extend({ values: z.record(z.string(), z.object({ displayName: z.string() })) });
export type ShownKpi = z.output<typeof shownKpi>;

/** Pieces in which a KPI is shown over a range. */
export const SHOWN_INTERVALS = ['1h', '1d', '1M'] as const;

const kpiQuestionParts = {
  kpi: z.uuid(),
  /** One of its values; without it the primary one. */
  value: kpiFigure.shape.value,
  /** As it stands in an address: that of the widget, of the page, or what was chosen where ranges are free. */
  range: z.string().max(80),
  /** Where no entity says a zone. */
  timezone: z.string().min(1).max(100).default('UTC'),
};

/** What a display asks of a KPI at one entity, or at many without intervals. */
export const shownKpiQuestion = z.object({
  ...kpiQuestionParts,
  entity: z.string().min(1).max(200),
  interval: z.enum(SHOWN_INTERVALS).optional(),
});
export type ShownKpiQuestion = z.output<typeof shownKpiQuestion>;
export const shownKpiRowsQuestion = z.object({
  ...kpiQuestionParts,
  entities: z.array(z.string().min(1).max(200)).min(1).max(KPI_LIMITS.rows),
});
export type ShownKpiRowsQuestion = z.output<typeof shownKpiRowsQuestion>;

/** All that a display needs to draw itself, and nothing beside it. */
export const shownDisplay = z.object({
  name: z.string(),
  pages: z.array(shownPage),
  intervalS: z.number(),
  order: z.enum(['given', 'random']),
  free: z.array(z.enum(FREE_CHOICES)),
  entities: z.array(entity),
  sources: z.array(knownSource),
  machines: z.array(machine),
  lookupTables: z.array(lookupTable),
  kpis: z.array(shownKpi),
  expiresAt: z.number(),
});
export type ShownDisplay = z.output<typeof shownDisplay>;
