import { z } from 'zod';
import { csvStyle } from '../csv/csv-style.schema.ts';
import { changedVersion } from '../history/history.schema.ts';
import { generalIssues, issuesOf } from '../http/issues.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { email } from '../sessions/sessions.schema.ts';
import { AGGREGATIONS, SEARCH_ROWS, searchQuery } from '../telemetry/search.schema.ts';
import { telemetryIssues } from '../telemetry/telemetry.errors.ts';
import { tableName } from '../telemetry/telemetry.schema.ts';
import { isTimeZone } from '../time/zoned-time.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';

const ownIssue = issuesOf({ ...generalIssues, ...telemetryIssues });

/** Rows that each result shows. Source: specification 2, section 9. */
export const SAVED_ROWS = { table: SEARCH_ROWS.default, visualisation: SEARCH_ROWS.max, csv: 50 } as const;
/** Records of a file that is mailed. Source: domain/cloud.md section 9.1. */
export const MAILED_ROWS = 10_000;
/** Addresses that one schedule mails to. */
export const RECIPIENTS = 20;

const fieldName = z.string().trim().min(1, 'Required').max(200);
const fields = z.array(fieldName).max(200).default([]);
const timezone = z
  .string()
  .min(1, 'Required')
  .max(80)
  .superRefine((zone, context) => {
    if (!isTimeZone(zone)) context.addIssue(ownIssue([], 'issue.zone_unknown', { zone }));
  });

/** Charts of numeric fields. */
const visualisation = z.object({ enabled: z.boolean().default(false), fields });

/** Functions of one numeric field that a line over time can show. */
export const ANALYSIS_FUNCTIONS = AGGREGATIONS.filter((one) => one !== 'latest' && one !== 'percentiles');

/** A statistic of one field by day or hour, for each device where asked. */
const analysis = z
  .object({
    enabled: z.boolean().default(false),
    field: fieldName.nullable().default(null),
    interval: z.enum(['hour', 'day']).default('day'),
    type: z.enum(ANALYSIS_FUNCTIONS).default('average'),
    isPerDevice: z.boolean().default(false),
  })
  .superRefine(({ enabled, field }, context) => {
    if (enabled && field === null) context.addIssue(ownIssue(['field'], 'issue.required'));
  });

/** Which columns the file has; where none is named, all of the table. `style` is that of the files that are mailed. */
const csv = z.object({
  enabled: z.boolean().default(false),
  fields,
  style: csvStyle.nullable().default(null),
});

/** What is looked for, and in which ways the result shows. */
export const searchContent = z.object({
  table: tableName,
  /** What the search of the table takes: presets are cut anew at each run. */
  timeframe: searchQuery.shape.timeframe,
  filters: searchQuery.shape.filters,
  filterOperator: searchQuery.shape.filterOperator,
  dateField: fieldName.default('event_time'),
  /** IANA name; null for that of whoever looks. */
  timezone: timezone.nullable().default(null),
  /** Field name; a leading minus sorts descending. */
  sort: fieldName.default('-event_time'),
  /** Columns of the table, in order; where none is named, all. */
  fields,
  visualisation: visualisation.prefault({}),
  analysis: analysis.prefault({}),
  csv: csv.prefault({}),
});
export type SearchContent = z.output<typeof searchContent>;

/** A search as it is written. */
export const newSearch = searchContent.extend({
  name: z
    .string()
    .trim()
    .min(1, 'Required')
    .max(120)
    .regex(...ONE_LINE),
});
export type NewSearch = z.output<typeof newSearch>;

export const changedSearch = newSearch.extend({ version: changedVersion });
export type ChangedSearch = z.output<typeof changedSearch>;

export const savedSearch = newSearch.extend({
  timeframe: z.union([z.string(), z.looseObject({})]).optional(),
  filters: z.array(z.looseObject({})),
  _id: z.uuid(),
  /** Counts the saves. */
  version: z.number().int(),
  /** The workgroup it is shared with; absent where it is personal. */
  orgRef: z.string().optional(),
  /** Whether the caller may change, share and delete it. */
  shareable: z.boolean(),
  /** Whether the caller may have it mailed: as CSV, by schedule, with what they see themselves. */
  schedulable: z.boolean(),
});
export type SavedSearch = z.infer<typeof savedSearch>;

export const onSearch = inWorkgroup.extend({ search: z.uuid() });

/**
 * When a search is mailed, and to whom. `hour` is one of the clock of `timezone`; `weekday` is 1 for Monday to 7, of weekly
 * mails; `monthday` of monthly ones, and the last day of a month that has fewer.
 */
export const newSchedule = z.object({
  enabled: z.boolean().default(true),
  frequency: z.enum(['hourly', 'daily', 'weekly', 'monthly']).default('daily'),
  hour: z.number().int().min(0).max(23).default(6),
  weekday: z.number().int().min(1).max(7).default(1),
  monthday: z.number().int().min(1).max(31).default(1),
  timezone,
  recipients: z
    .array(email)
    .min(1)
    .max(RECIPIENTS)
    .superRefine((all, context) => {
      const twice = all.findIndex((one, i) => all.indexOf(one) < i);
      if (twice >= 0) context.addIssue(ownIssue([String(twice)], 'issue.twice'));
    }),
});
export type NewSchedule = z.output<typeof newSchedule>;

/** Why a schedule mails nothing any more: its owner may not see the search, or nothing of its table. */
export const scheduleStop = z.enum(['search', 'table', 'fields']);
export type ScheduleStop = z.infer<typeof scheduleStop>;

/** A schedule of the caller. Times are epoch ms. */
export const searchSchedule = newSchedule.extend({
  /** Null while it is off. */
  nextAt: z.number().nullable(),
  /** When the newest mail was handed over; null before the first one. */
  sentAt: z.number().nullable(),
  /** Records in it. */
  sentRecords: z.number().nullable(),
  stopped: scheduleStop.nullable(),
});
export type SearchSchedule = z.infer<typeof searchSchedule>;

/** A search as those see it who manage access: whose it is, and whom it is mailed to. Not what it looks for. */
export const searchOverview = z.object({
  _id: z.uuid(),
  name: z.string(),
  table: z.string(),
  /** E-mail; null once the account is gone. */
  owner: z.string().nullable(),
  isShared: z.boolean(),
  updatedAt: z.number(),
  schedules: z.array(z.object({ owner: z.string(), enabled: z.boolean(), recipients: z.array(z.string()) })),
});
export type SearchOverview = z.infer<typeof searchOverview>;
