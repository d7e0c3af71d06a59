import { bigint, char, index, pgTable, smallint, timestamp, uuid } from 'drizzle-orm/pg-core';

/** Processes that speak with devices over one broker; whoever finds one that has expired deletes it. */
export const linkProcesses = pgTable('link_processes', {
  id: uuid().primaryKey(),
  /** From 1; names the process to the broker, and only one has it. */
  place: smallint().notNull().unique(),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
});

/** The shards of the device link, once several processes may have them. */
export const linkShards = pgTable(
  'link_shards',
  {
    shard: char({ length: 2 }).primaryKey(),
    /** Null when nobody has it. */
    holder: uuid().references(() => linkProcesses.id, { onDelete: 'set null' }),
    /** Rises with every change of hands, so that what an earlier holder still writes is refused. */
    token: bigint({ mode: 'number' }).notNull().default(0),
    /** Everything stored before this instant is in the ledgers of its devices; null while no holder has saved any. */
    savedAt: timestamp('saved_at', { withTimezone: true }),
  },
  (table) => [index('link_shards_holder').on(table.holder)],
);
