import { bigint, index, jsonb, pgTable, real, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { named, no, tablePart, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';

/** What takes longer than a request; the id is that of its job as well. */
export const longActions = pgTable(
  'long_actions',
  {
    id: uuid().primaryKey(),
    /** Null for those of the staff. */
    workgroup: text().references(() => workgroups.name, { onDelete: 'cascade', onUpdate: 'cascade' }),
    /** A user, or an API token. */
    ownerId: uuid('owner_id').notNull(),
    ownerEmail: text('owner_email').notNull(),
    /** Client address of who began it. */
    ownerAddress: text('owner_address').notNull(),
    kind: text().notNull(),
    about: text().notNull(),
    input: jsonb().$type<Record<string, unknown>>().notNull(),
    state: text({ enum: ['queued', 'running', 'done', 'failed', 'cancelled'] })
      .notNull()
      .default('queued'),
    progress: real(),
    result: jsonb(),
    fileName: text('file_name'),
    fileType: text('file_type'),
    /** Bytes. */
    fileSize: bigint('file_size', { mode: 'number' }),
    error: text(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    /** Somebody wants it to end. */
    cancelledAt: timestamp('cancelled_at', { withTimezone: true }),
    endedAt: timestamp('ended_at', { withTimezone: true }),
    expiresAt: timestamp('expires_at', { withTimezone: true }),
    /** SHA-256 of the link to the file. */
    linkHash: text('link_hash').unique(),
    linkExpiresAt: timestamp('link_expires_at', { withTimezone: true }),
  },
  (table) => [index().on(table.workgroup, table.ownerId), index().on(table.expiresAt)],
);

/** What workgroups have of it. */
export const longActionsPart = [
  tablePart(longActions, named(longActions.workgroup), {
    id: yes,
    workgroup: yes,
    ownerId: yes,
    ownerEmail: yes,
    ownerAddress: yes,
    kind: yes,
    about: yes,
    input: yes,
    state: yes,
    progress: no,
    result: yes,
    fileName: yes,
    fileType: yes,
    fileSize: yes,
    error: yes,
    createdAt: yes,
    cancelledAt: yes,
    endedAt: yes,
    expiresAt: yes,
    linkHash: no,
    linkExpiresAt: no,
  }),
];
