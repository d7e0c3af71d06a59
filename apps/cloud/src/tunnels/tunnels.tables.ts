import type { TunnelEnd, TunnelKind } from '@albedo/contract/tunnels/tunnels.schema';
import { bigint, index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { named, no, tablePart, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true });
const bytes = (name: string) => bigint(name, { mode: 'number' }).notNull().default(0);

/** Tunnels. They outlive their device and their user: the record is about what was done. */
export const tunnels = pgTable(
  'tunnels',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    deviceId: uuid('device_id').notNull(),
    userId: uuid('user_id').notNull(),
    by: text().notNull(),
    kind: text().$type<TunnelKind>().notNull(),
    host: text().notNull(),
    port: integer().notNull(),
    /** SHA-256 of the token; and for a page the first part of its host name. */
    tokenHash: text('token_hash').notNull().unique(),
    label: text().unique(),
    openedAt: time('opened_at').notNull().defaultNow(),
    endsAt: time('ends_at').notNull(),
    /** When something connected through it first. */
    attachedAt: time('attached_at'),
    endedAt: time('ended_at'),
    end: text().$type<TunnelEnd>(),
    connections: integer().notNull().default(0),
    bytesDown: bytes('bytes_down'),
    bytesUp: bytes('bytes_up'),
  },
  (table) => [index('tunnels_of_device').on(table.deviceId, table.openedAt)],
);

/** What workgroups have of it. */
export const tunnelsPart = [
  tablePart(tunnels, named(tunnels.workgroup), {
    id: yes,
    workgroup: yes,
    deviceId: yes,
    userId: yes,
    by: yes,
    kind: yes,
    host: yes,
    port: yes,
    tokenHash: no,
    label: yes,
    openedAt: yes,
    endsAt: yes,
    attachedAt: yes,
    endedAt: yes,
    end: yes,
    connections: yes,
    bytesDown: yes,
    bytesUp: yes,
  }),
];
