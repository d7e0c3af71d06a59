import { index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { users } from '../database/sessions.tables.ts';
import { named, tablePart, under, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';

/** What people asked the provider for. A ticket outlives the account it came from, and goes with its workgroup. */
export const supportTickets = pgTable(
  'support_tickets',
  {
    id: uuid().primaryKey(),
    /** What people call it by. */
    number: integer().notNull().unique().generatedAlwaysAsIdentity(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** Address of the account that wrote it, which may differ from the one to answer to. */
    accountEmail: text('account_email').notNull(),
    workgroup: text().references(() => workgroups.name, { onDelete: 'set null', onUpdate: 'cascade' }),
    name: text().notNull(),
    email: text().notNull(),
    /** The page it was written on. */
    url: text().notNull(),
    subject: text().notNull(),
    body: text().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    /** Null while it is open. */
    closedAt: timestamp('closed_at', { withTimezone: true }),
    closedBy: text('closed_by'),
    /** E-mail of who of the staff takes care of it. */
    assignee: text(),
  },
  (table) => [index().on(table.createdAt)],
);

/** What came along with tickets; the bytes lie in the files store. */
export const supportFiles = pgTable(
  'support_files',
  {
    id: uuid().primaryKey(),
    ticketId: uuid('ticket_id')
      .notNull()
      .references(() => supportTickets.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    type: text().notNull(),
    /** Bytes. */
    size: integer().notNull(),
    key: text().notNull(),
  },
  (table) => [index().on(table.ticketId)],
);

/** What workgroups have of it. */
export const supportPart = [
  tablePart(supportFiles, under(supportFiles.ticketId, supportTickets, supportTickets.id), {
    id: yes,
    ticketId: yes,
    name: yes,
    type: yes,
    size: yes,
    key: yes,
  }),
  tablePart(supportTickets, named(supportTickets.workgroup), {
    id: yes,
    number: yes,
    userId: yes,
    accountEmail: yes,
    workgroup: yes,
    name: yes,
    email: yes,
    url: yes,
    subject: yes,
    body: yes,
    createdAt: yes,
    closedAt: yes,
    closedBy: yes,
    assignee: yes,
  }),
];
