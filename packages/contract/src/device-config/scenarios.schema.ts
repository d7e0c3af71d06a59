import { z } from 'zod';
import { expectType, field } from '../devices/meta.schema.ts';
import { runInterval } from '../plugins/plugins.schema.ts';
import { OWN_TABLES, tableName } from '../telemetry/telemetry.schema.ts';
import { deviceConfigIssues } from './device-config.errors.ts';

/** What a device can be told to capture, entry by entry, as its configuration says it. */

export const absolutePath = z.string().startsWith('/', deviceConfigIssues['issue.config_path']);
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** What every static scenario has: where its events go and how its lines are read. */
const base = z.object({
  table: tableName.refine((table) => !OWN_TABLES.has(table), deviceConfigIssues['issue.config_own_table']),
  source: z
    .string()
    .min(1)
    .max(400)
    .regex(/^[^.\p{Cc}]+$/u, deviceConfigIssues['issue.config_full_stop']),
  meta: z.looseObject({ units: z.string().max(40).optional() }).optional(),
});
const typed = base.extend({
  expect: z.union([expectType.exclude(['discard']), z.literal('csv')]),
  fields: z.array(field).min(1).max(4096).optional(),
});
const SECONDS = deviceConfigIssues['issue.config_seconds'];
const seconds = z
  .number(SECONDS)
  .min(1, SECONDS)
  .max(86_400 * 366, SECONDS);

/** "M" is a minute of each hour, "H:M" a time of each day; YAML reads a bare minute as a number. */
const clockTime = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^(?:(?:[01]?\d|2[0-3]):)?[0-5]?\d$/, deviceConfigIssues['issue.config_clock']));

export const scenarioSchemas = {
  run: typed.extend({
    command: z.string().min(1),
    frequency: seconds.optional(),
    at: clockTime.optional(),
    timeout: seconds.optional(),
  }),
  tail: typed.extend({ file: absolutePath, from: z.enum(['start', 'end']).optional() }),
  watch: base.extend({
    /** A file, or with `*` in its name every such file of the folder. */
    file: absolutePath.refine(
      (file) => !folderOf(file).includes('*'),
      deviceConfigIssues['issue.config_star'],
    ),
    expect: z.string().optional(),
    send_file: z.boolean().default(false),
    /** Of a folder: also what was there before. */
    from: z.enum(['start', 'end']).optional(),
  }),
  unix_socket: typed.extend({
    socket: z.string().regex(/^[\w-][\w.-]*$/, deviceConfigIssues['issue.config_socket']),
  }),
} as const;

/** Folders below which every file of a name is a source, by its path. */
export const dynamicTail = z.object({
  directory: absolutePath,
  filename: z.string().min(1).default('latest.csv'),
});

/** Folders whose programs run at an interval. */
export const runDir = z.object({
  directory: absolutePath,
  frequency: z.union([runInterval, seconds], deviceConfigIssues['issue.config_interval']),
});

/** The lists of a configuration. */
export const CONFIG_LISTS = { ...scenarioSchemas, dynamic_tail: dynamicTail, run_dir: runDir } as const;
export type ConfigList = keyof typeof CONFIG_LISTS;
