import type { AlertKind } from '@albedo/contract/alerts/alerts.schema';
import type {
  CloseReason,
  EnergyAtRisk,
  Incident,
  IncidentCondition,
  IncidentTransition,
} from '@albedo/contract/incidents/incidents.schema';
import { sql } from 'drizzle-orm';
import {
  bigserial,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { named, no, tablePart, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

export const incidents = pgTable(
  'incidents',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    alert: uuid().notNull(),
    /** What it is about, within the alert. */
    subjectKey: text('subject_key').notNull(),
    name: text().notNull(),
    kind: text().$type<AlertKind>().notNull(),
    finding: text(),
    severity: text().notNull(),
    category: text(),
    device: uuid(),
    table: text('table_name'),
    source: text(),
    subject: text().notNull(),
    condition: text().$type<IncidentCondition>().notNull(),
    isLatched: boolean('is_latched').notNull().default(false),
    since: instant('since').notNull(),
    createdAt: instant('created_at').notNull(),
    changedAt: instant('changed_at').notNull(),
    clearedAt: instant('cleared_at'),
    closedAt: instant('closed_at'),
    closeReason: text('close_reason').$type<CloseReason>(),
    acknowledged: jsonb().$type<{ user: string; name: string; at: number }[]>().notNull().default([]),
    shelvedUntil: instant('shelved_until'),
    shelvedReason: text('shelved_reason'),
    silenced: text().$type<'design' | 'outOfService'>(),
    causedBy: uuid('caused_by'),
    count: integer().notNull().default(1),
    reading: jsonb().$type<Incident['reading']>().notNull(),
    energy: jsonb().$type<EnergyAtRisk>(),
  },
  (table) => [
    uniqueIndex('incidents_open').on(table.alert, table.subjectKey).where(sql`${table.closedAt} is null`),
    index('incidents_by_time').on(table.workgroup, table.createdAt),
    index('incidents_ended').on(table.workgroup, table.closedAt).where(sql`${table.closedAt} is not null`),
    index('incidents_open_of').on(table.workgroup).where(sql`${table.closedAt} is null`),
  ],
);

/** Every transition, in the order in which they happened; copied into the table `incidents_log` of the telemetry. */
export const incidentSteps = pgTable(
  'incident_steps',
  {
    seq: bigserial({ mode: 'number' }).primaryKey(),
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    incident: uuid().notNull(),
    at: instant('at').notNull(),
    action: text().$type<IncidentTransition['action']>().notNull(),
    by: text('by_user'),
    value: jsonb().$type<IncidentTransition['value']>(),
    text: text(),
    /** The state after it. */
    state: text().$type<Incident['state']>().notNull(),
    isCopied: boolean('is_copied').notNull().default(false),
  },
  (table) => [
    index('incident_steps_of').on(table.incident, table.seq),
    index('incident_steps_by_time').on(table.workgroup, table.at),
    index('incident_steps_waiting').on(table.seq).where(sql`not ${table.isCopied}`),
  ],
);

/** What workgroups have of it. */
export const incidentsPart = [
  tablePart(incidents, named(incidents.workgroup), {
    id: yes,
    workgroup: yes,
    alert: yes,
    subjectKey: yes,
    name: yes,
    kind: yes,
    finding: yes,
    severity: yes,
    category: yes,
    device: yes,
    table: yes,
    source: yes,
    subject: yes,
    condition: yes,
    isLatched: yes,
    since: yes,
    createdAt: yes,
    changedAt: yes,
    clearedAt: yes,
    closedAt: yes,
    closeReason: yes,
    acknowledged: yes,
    shelvedUntil: yes,
    shelvedReason: yes,
    silenced: yes,
    causedBy: yes,
    count: yes,
    reading: yes,
    energy: yes,
  }),
  tablePart(incidentSteps, named(incidentSteps.workgroup), {
    seq: yes,
    workgroup: yes,
    incident: yes,
    at: yes,
    action: yes,
    by: yes,
    value: yes,
    text: yes,
    state: yes,
    isCopied: no,
  }),
];
