import { z } from 'zod';
import { ONE_LINE } from '../http/one-line.ts';
import { fieldType, tableName } from '../telemetry/telemetry.schema.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';

export const RETENTION_DAYS = { min: 1, max: 36_500 } as const;

/** Events that are older are deleted, days; null keeps them for ever. */
const retentionDays = z.number().int().min(RETENTION_DAYS.min).max(RETENTION_DAYS.max).nullable();

/**
 * One table of the workgroup, and what it takes.
 *
 * Units: epoch ms; `bytes` is the share of the engine's files that its events are likely to have, since all tables of all
 * workgroups lie in the same ones.
 */
export const dataTable = z.object({
  table: z.string(),
  events: z.number().int(),
  bytes: z.number().int(),
  devices: z.number().int(),
  firstAt: z.number(),
  lastAt: z.number(),
  /** Events of a mean day of the last 30, or of all days where the table began lately. */
  eventsPerDay: z.number(),
  retentionDays,
  /** Only the cloud writes it; it is kept for ever. */
  isSystem: z.boolean(),
  /** Prices, weather, schedules: values stand at their own times, also those of the future. */
  holdsForecasts: z.boolean(),
});
export type DataTable = z.infer<typeof dataTable>;

/** What a field is called where people see it; null where it is called as it was sent. */
export const fieldWords = z.object({
  table: tableName,
  field: z.string().min(1).max(200),
  displayName: z
    .string()
    .trim()
    .min(1)
    .max(80)
    .regex(...ONE_LINE)
    .nullable(),
  units: z
    .string()
    .trim()
    .min(1)
    .max(40)
    .regex(...ONE_LINE)
    .nullable(),
});
export type FieldWords = z.infer<typeof fieldWords>;

/** A field as it is stored: `types` has two where devices disagree whether it is a number or a text. */
export const storedField = z.object({
  field: z.string(),
  types: z.array(fieldType),
  units: z.string().nullable(),
});
export type StoredField = z.infer<typeof storedField>;

export const dataTableDetails = z.object({ table: dataTable, fields: z.array(storedField) });
export type DataTableDetails = z.infer<typeof dataTableDetails>;

const share = z.object({ events: z.number().int(), bytes: z.number().int() });

/**
 * What the events of the workgroup take on the disk. `months` is what was measured in each month, in UTC, oldest first;
 * `devices` the hundred that take most.
 */
export const storageUse = share.extend({
  tables: z.array(dataTable),
  devices: z.array(share.extend({ device: z.uuid() })),
  months: z.array(share.extend({ month: z.iso.date() })),
  bytesPerDay: z.number().int(),
  /** In a year, if devices go on like in the last 30 days and what is too old is deleted. */
  bytesInAYear: z.number().int(),
});
export type StorageUse = z.infer<typeof storageUse>;

/** The first day of a month in UTC, such as `2026-03-01`. */
const month = z.iso.date().regex(/-01$/);

/** A table, or one month of it, that must not be deleted, for a reason such as a legal claim. */
export const newLegalHold = z.object({
  table: tableName,
  /** Null for the whole table. */
  month: month.nullable(),
  reason: z
    .string()
    .trim()
    .min(3, 'Required')
    .max(500)
    .regex(...ONE_LINE),
});
export type NewLegalHold = z.output<typeof newLegalHold>;
export const legalHold = newLegalHold.extend({ _id: z.uuid(), by: z.string(), at: z.number() });
export type LegalHold = z.infer<typeof legalHold>;

/**
 * How much a table holds of a month. Units: epoch ms; `bytes` is the month's share of those of the table.
 */
const monthOfTable = share.extend({ month, firstAt: z.number(), lastAt: z.number() });
export type MonthOfTable = z.infer<typeof monthOfTable>;

/** A month that an owner dropped. Later events of it are deleted at night. */
const droppedMonth = z.object({
  month,
  by: z.string(),
  at: z.number(),
  /** False while it is being deleted. */
  isDone: z.boolean(),
  /** Events deleted at once, and events that came in later and were deleted at night. */
  events: z.number().int(),
  cameLater: z.number().int(),
});

export const tableStorage = share.extend({
  table: z.string(),
  months: z.array(monthOfTable),
  dropped: z.array(droppedMonth),
  holds: z.array(legalHold),
});
export type TableStorage = z.infer<typeof tableStorage>;

export const onMonth = inWorkgroup.extend({ table: tableName, month });
export const onLegalHold = inWorkgroup.extend({ hold: z.uuid() });
export const forecastsChoice = z.object({ holdsForecasts: z.boolean() });
export const newRetention = z.object({ retentionDays });
export const onDataTable = inWorkgroup.extend({ table: tableName });

/** Which events would be deleted: of one table, or of all without a retention of their own. */
export const retentionQuestion = z.object({
  days: z.coerce.number().int().min(RETENTION_DAYS.min).max(RETENTION_DAYS.max),
  table: tableName.optional(),
});

/** The events that are older than so many days; `before` is epoch ms, `month` its first day in UTC. */
export const retentionPreview = z.object({
  before: z.number(),
  events: z.number().int(),
  tables: z.array(z.object({ table: z.string(), events: z.number().int() })),
  months: z.array(z.object({ month: z.iso.date(), events: z.number().int() })),
});
export type RetentionPreview = z.infer<typeof retentionPreview>;
