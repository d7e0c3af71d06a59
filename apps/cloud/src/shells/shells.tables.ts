import type { ShellEnd, ShellFactor } from '@albedo/contract/shells/shells.schema';
import {
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import { named, tablePart, under, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true });

/** Remote shells. They outlive their device and their user: the record is about what was done. */
export const shellSessions = pgTable(
  'shell_sessions',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    deviceId: uuid('device_id').notNull(),
    userId: uuid('user_id').notNull(),
    by: text().notNull(),
    openedAt: time('opened_at').notNull().defaultNow(),
    startedAt: time('started_at'),
    endedAt: time('ended_at'),
    end: text().$type<ShellEnd>(),
    bytes: bigint({ mode: 'number' }).notNull().default(0),
  },
  (table) => [
    index('shell_sessions_of_device').on(table.deviceId, table.openedAt),
    index('shell_sessions_of_user').on(table.userId, table.openedAt),
  ],
);

/** What was on the screen: output in base64, or the size it got. */
export const shellParts = pgTable(
  'shell_parts',
  {
    sessionId: uuid('session_id')
      .notNull()
      .references(() => shellSessions.id, { onDelete: 'cascade' }),
    number: integer().notNull(),
    atMs: integer('at_ms').notNull(),
    output: text(),
    cols: integer(),
    rows: integer(),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.number] })],
);

/** Whether people may reach into devices; without a row they may. */
export const remoteAccess = pgTable('remote_access', {
  workgroup: text()
    .primaryKey()
    .references(() => workgroups.name, { onDelete: 'cascade' }),
  isAllowed: boolean('is_allowed').notNull(),
  changedBy: text('changed_by').notNull(),
  changedAt: time('changed_at').notNull().defaultNow(),
});

/** What the confirmation of a remote shell takes; without a row anything will do. */
export const shellRules = pgTable('shell_rules', {
  workgroup: text()
    .primaryKey()
    .references(() => workgroups.name, { onDelete: 'cascade' }),
  factor: text().$type<ShellFactor>().notNull(),
  changedBy: text('changed_by').notNull(),
  changedAt: time('changed_at').notNull().defaultNow(),
});

/** What workgroups have of it. */
export const shellsPart = [
  tablePart(shellParts, under(shellParts.sessionId, shellSessions, shellSessions.id), {
    sessionId: yes,
    number: yes,
    atMs: yes,
    output: yes,
    cols: yes,
    rows: yes,
  }),
  tablePart(shellSessions, named(shellSessions.workgroup), {
    id: yes,
    workgroup: yes,
    deviceId: yes,
    userId: yes,
    by: yes,
    openedAt: yes,
    startedAt: yes,
    endedAt: yes,
    end: yes,
    bytes: yes,
  }),
  tablePart(remoteAccess, named(remoteAccess.workgroup), {
    workgroup: yes,
    isAllowed: yes,
    changedBy: yes,
    changedAt: yes,
  }),
  tablePart(shellRules, named(shellRules.workgroup), {
    workgroup: yes,
    factor: yes,
    changedBy: yes,
    changedAt: yes,
  }),
];
