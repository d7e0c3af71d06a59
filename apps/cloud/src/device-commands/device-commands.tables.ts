import type {
  CommandOutcome,
  CommandParameter,
} from '@albedo/contract/device-commands/device-commands.schema';
import { sql } from 'drizzle-orm';
import {
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { devices } from '../database/devices.tables.ts';
import { named, tablePart, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';

const workgroup = () =>
  text()
    .notNull()
    .references(() => workgroups.name, { onDelete: 'cascade' });

/** Saved commands; without a device they are for all. */
export const deviceCommands = pgTable(
  'device_commands',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: workgroup(),
    deviceId: uuid('device_id').references(() => devices.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    description: text().notNull(),
    command: text().notNull(),
    parameters: jsonb().$type<CommandParameter[]>().notNull(),
    timeoutS: integer('timeout_s').notNull(),
  },
  (table) => [
    uniqueIndex('device_commands_name').on(
      table.workgroup,
      sql`coalesce(${table.deviceId}, '00000000-0000-0000-0000-000000000000')`,
      table.name,
    ),
  ],
);

/** What came of runs: one row for each device, written before it is sent, so that nothing runs twice. */
export const commandOutcomes = pgTable(
  'device_command_outcomes',
  {
    workgroup: workgroup(),
    runId: uuid('run_id').notNull(),
    deviceId: uuid('device_id').notNull(),
    state: text().$type<CommandOutcome['state']>().notNull(),
    stdout: text().notNull().default(''),
    stderr: text().notNull().default(''),
    stdoutFile: text('stdout_file'),
    stderrFile: text('stderr_file'),
    returnCode: integer('return_code'),
    error: text(),
    tookMs: integer('took_ms'),
    at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.deviceId] }),
    index('device_command_outcomes_of').on(table.workgroup, table.at),
  ],
);

/** What workgroups have of it. */
export const deviceCommandsPart = [
  tablePart(deviceCommands, named(deviceCommands.workgroup), {
    id: yes,
    workgroup: yes,
    deviceId: yes,
    name: yes,
    description: yes,
    command: yes,
    parameters: yes,
    timeoutS: yes,
  }),
  tablePart(commandOutcomes, named(commandOutcomes.workgroup), {
    workgroup: yes,
    runId: yes,
    deviceId: yes,
    state: yes,
    stdout: yes,
    stderr: yes,
    stdoutFile: yes,
    stderrFile: yes,
    returnCode: yes,
    error: yes,
    tookMs: yes,
    at: yes,
  }),
];
