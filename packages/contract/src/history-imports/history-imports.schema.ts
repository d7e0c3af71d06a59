import { z } from 'zod';
import { DECIMAL_SIGNS } from '../csv/csv.names.ts';
import { generalIssues, issuesOf } from '../http/issues.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { openMapping, TIME_FORMATS } from '../mapping/mapping.schema.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';

const ownIssue = issuesOf(generalIssues);

/** Bytes of a file, and of a part of it: larger files are sent in several. */
export const HISTORY_FILE_BYTES = 5_000_000_000;
export const HISTORY_PART_BYTES = 8_000_000;
/** Records at the beginning of a file whose columns are known before it is read whole. */
export const HISTORY_PREVIEW_RECORDS = 1000;
/** Bytes of a spreadsheet, and what it may unpack to: it is read in one piece. */
export const SHEET_BYTES = 50_000_000;
export const SHEET_UNPACKED_BYTES = 400_000_000;

/** `lines` is InfluxDB's line protocol. */
export const HISTORY_FORMATS = ['csv', 'xlsx', 'parquet', 'lines'] as const;
export type HistoryFormat = (typeof HISTORY_FORMATS)[number];

const line = (most: number) =>
  z
    .string()
    .trim()
    .min(1, 'Required')
    .max(most)
    .regex(...ONE_LINE);

export const newHistoryImport = z.object({
  /** Name of the file. */
  name: line(200),
  format: z.enum(HISTORY_FORMATS),
  bytes: z.number().int().min(1).max(HISTORY_FILE_BYTES),
});

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type Encoding = (typeof ENCODINGS)[number];
export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

const lineNumber = z.number().int().min(1).max(10_000);

/**
 * How a CSV file or a sheet is written; its lines count from 1. Where several lines have the names, what they say is joined. Lines
 * before the first record that are neither names nor units are passed over.
 */
export const historyLayout = z.object({
  encoding: z.enum(ENCODINGS).default('utf-8'),
  delimiter: z.enum(DELIMITERS).default(','),
  /** Name of the sheet; null for the first one. */
  sheet: z.string().max(100).nullable().default(null),
  headers: z.array(lineNumber).max(10),
  units: lineNumber.nullable().default(null),
  firstRecord: lineNumber,
});
export type HistoryLayout = z.output<typeof historyLayout>;

/** How a file is to be read; the lines of names, units and records are looked for where no first record is said. */
export const askedLayout = historyLayout.extend({
  headers: historyLayout.shape.headers.default([]),
  firstRecord: lineNumber.nullable().default(null),
});
export type AskedLayout = z.output<typeof askedLayout>;

/**
 * What the records of a file become. Each belongs to `device`, or to the one that `deviceColumn` names: by `devices`, else by
 * its name or id. `tableColumn` names the table in place of the mapping.
 */
export const historyPlan = z
  .object({
    mapping: openMapping,
    device: z.uuid().nullable().default(null),
    deviceColumn: line(300).nullable().default(null),
    devices: z.record(z.string().max(300), z.uuid()).default({}),
    tableColumn: line(300).nullable().default(null),
    /**
     * What happens to an event of a stream that has one at that instant already. `replace` takes out what was imported or fetched
     * between the first and the last event of the file, source by source; what devices sent themselves stays.
     */
    existing: z.enum(['skip', 'add', 'replace']).default('skip'),
    /** How the file is written; null where it is found by looking. */
    layout: historyLayout.nullable().default(null),
  })
  .superRefine(({ device, deviceColumn }, context) => {
    if (device === null && deviceColumn === null) context.addIssue(ownIssue(['device'], 'issue.required'));
  });
export type HistoryPlan = z.output<typeof historyPlan>;

/**
 * Why a record is no event: it cannot be read as one, its time is none or lies before 2000 or after tomorrow, the clocks of the
 * zone skipped that time, it names a device or table that is none, has no source or no value. `number`: one of its values
 * is none of the field; the others are kept.
 */
export const FAULT_REASONS = [
  'record',
  'time',
  'skipped_time',
  'device',
  'table',
  'source',
  'number',
  'empty',
] as const;
export type FaultReason = (typeof FAULT_REASONS)[number];

/** `line` counts from 1, the header included; in Parquet it counts rows. */
export const historyFault = z.object({
  line: z.number().int(),
  reason: z.enum(FAULT_REASONS),
  text: z.string(),
});
export type HistoryFault = z.infer<typeof historyFault>;

/** What became of the records: each is an event or a fault, each event was stored, there already, or repeated in the file. */
export const historyCounts = z.object({
  records: z.number().int(),
  events: z.number().int(),
  stored: z.number().int(),
  existing: z.number().int(),
  repeated: z.number().int(),
  /** Records that are no event. */
  faulty: z.number().int(),
  /** Values that were left out of events. */
  values: z.number().int(),
  /** Events of other imports that were taken out for them. */
  replaced: z.number().int().default(0),
});
export type HistoryCounts = z.infer<typeof historyCounts>;

const cell = z.union([z.number(), z.string(), z.null()]);

/** What a column has, over all records that were looked at. */
export const historyColumn = z.object({
  name: z.string(),
  /** From the line of units. */
  units: z.string().nullable(),
  /** Records with a value. */
  filled: z.number().int(),
  kind: z.enum(['number', 'time', 'clock', 'bool', 'text', 'empty']),
  /** Of numbers with decimals; `unclear` where every one can be read in two ways. */
  decimal: z.enum([...DECIMAL_SIGNS, 'unclear']).nullable(),
  /** Of times; `unclear` where day and month can be read in two ways. */
  timeFormat: z.enum([...TIME_FORMATS, 'unclear']).nullable(),
  /** A value that shows it. */
  example: z.string(),
});
export type HistoryColumn = z.infer<typeof historyColumn>;

/** What has to be said before a file can be imported, since all its values can be read in two ways. */
export const historyAsk = z.object({
  what: z.enum(['decimal', 'timeFormat']),
  column: z.string(),
  example: z.string(),
});
export type HistoryAsk = z.infer<typeof historyAsk>;

/** A file as it is: its columns, its first records as texts, and with a plan the events that all of it becomes. */
export const historyPreview = z.object({
  columns: z.array(z.string()),
  records: z.array(z.record(z.string(), z.string())),
  /** Null for files that say it themselves. */
  layout: historyLayout.nullable(),
  /** Names of the sheets of a spreadsheet. */
  sheets: z.array(z.string()),
  /** Lines at the beginning, as they were written, so that names and units can be chosen. */
  head: z.array(z.object({ line: z.number().int(), text: z.string() })),
  profiles: z.array(historyColumn),
  /** The columns that seem to say the time. */
  timeColumn: z.string().nullable(),
  clockColumn: z.string().nullable(),
  asks: z.array(historyAsk),
  /** Records that were looked at, and whether these are all. */
  looked: z.number().int(),
  isWhole: z.boolean(),
  events: z.number().int(),
  /** Events whose instant is stored already, repeated in the file, and stored events that would be replaced. */
  existing: z.number().int(),
  repeated: z.number().int(),
  replaced: z.number().int(),
  /** Of the events; epoch ms. */
  firstAt: z.number().nullable(),
  lastAt: z.number().nullable(),
  sample: z.array(
    z.object({
      device: z.uuid(),
      table: z.string(),
      source: z.string(),
      at: z.number(),
      values: z.record(z.string(), cell),
    }),
  ),
  faulty: z.number().int(),
  /** Values that would be left out of events. */
  values: z.number().int(),
  faults: z.array(historyFault),
  /** What the column of the device says, of the records that were looked at, with the device that it stands for. */
  devices: z.array(z.object({ text: z.string(), device: z.uuid().nullable() })),
});
export type HistoryPreview = z.infer<typeof historyPreview>;

export const HISTORY_STATES = [
  'uploading',
  'ready',
  'running',
  'done',
  'cancelled',
  'failed',
  'undoing',
  'undone',
] as const;
export type HistoryState = (typeof HISTORY_STATES)[number];

/** Instants are epoch ms. `received` are the bytes that are here. */
export const historyImport = z.object({
  _id: z.uuid(),
  name: z.string(),
  format: z.enum(HISTORY_FORMATS),
  bytes: z.number().int(),
  received: z.number().int(),
  state: z.enum(HISTORY_STATES),
  plan: historyPlan.nullable(),
  counts: historyCounts,
  /** The first 100. */
  faults: z.array(historyFault),
  /** Of the events that are stored. */
  firstAt: z.number().nullable(),
  lastAt: z.number().nullable(),
  error: z.string().nullable(),
  by: z.string(),
  createdAt: z.number(),
  /** Its long action, the newest one. */
  action: z.uuid().nullable(),
});
export type HistoryImport = z.infer<typeof historyImport>;

export const onHistoryImport = inWorkgroup.extend({ historyImport: z.uuid() });
