import type { Postgres } from '@albedo/postgres/postgres';
import { oneByOne } from '@albedo/postgres/together';
import { unlessTaken } from '@albedo/postgres/unless-taken';
import { and, eq, lte, sql } from 'drizzle-orm';
import { channels, escalations, heartbeats, rotas } from './notifications.tables.ts';

export type ChannelRow = typeof channels.$inferSelect;
export type EscalationRow = typeof escalations.$inferSelect;
export type RotaRow = typeof rotas.$inferSelect;
export type HeartbeatRow = typeof heartbeats.$inferSelect;

const TABLES = { channels, escalations, rotas };
export type SetupTable = keyof typeof TABLES;
/** All three have an id, a name and a workgroup, which is all that is asked of them here. */
const tableOf = (kind: SetupTable) => TABLES[kind] as typeof channels;
type Row<K extends SetupTable> = (typeof TABLES)[K]['$inferSelect'];
type Values<K extends SetupTable> = Omit<(typeof TABLES)[K]['$inferInsert'], 'workgroup'>;

/** How an attempt to reach a channel ended. */
export interface ChannelEnd {
  at: Date;
  /** Null where it was taken. */
  error: string | null;
}

/** What a workgroup set up for its messages, in SQL. */
export class SetupStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** One change at a time; all that the task writes, through whichever stores, is kept together. */
  alone<T>(workgroup: string, id: string, task: () => Promise<T>): Promise<T> {
    return oneByOne(this.#postgres, `notify ${workgroup} ${id}`, task);
  }

  async list<K extends SetupTable>(kind: K, workgroup: string): Promise<Row<K>[]> {
    const table = tableOf(kind);
    const rows = await this.#postgres.db
      .select()
      .from(table)
      .where(eq(table.workgroup, workgroup))
      .orderBy(sql`lower(${table.name})`, table.id);
    return rows as unknown as Row<K>[];
  }

  async find<K extends SetupTable>(kind: K, workgroup: string, id: string): Promise<Row<K> | undefined> {
    const table = tableOf(kind);
    const [row] = await this.#postgres.db
      .select()
      .from(table)
      .where(is(kind, workgroup, id));
    return row as unknown as Row<K> | undefined;
  }

  /** Null where another one has the name. */
  async add<K extends SetupTable>(kind: K, workgroup: string, values: Values<K>): Promise<Row<K> | null> {
    const [row] = await this.#postgres.db
      .insert(tableOf(kind))
      .values({ ...values, workgroup } as never)
      .onConflictDoNothing()
      .returning();
    return (row as unknown as Row<K> | undefined) ?? null;
  }

  /** Null where another one has the name, undefined where there is none with the id. */
  async set<K extends SetupTable>(
    kind: K,
    workgroup: string,
    id: string,
    values: Partial<Values<K>>,
  ): Promise<Row<K> | null | undefined> {
    const rows = this.#postgres.db
      .update(tableOf(kind))
      .set(values as never)
      .where(is(kind, workgroup, id))
      .returning()
      .execute();
    const found = await unlessTaken(rows, null);
    return found === null ? null : (found[0] as unknown as Row<K> | undefined);
  }

  async remove<K extends SetupTable>(kind: K, workgroup: string, id: string): Promise<Row<K> | undefined> {
    const [row] = await this.#postgres.db
      .delete(tableOf(kind))
      .where(is(kind, workgroup, id))
      .returning();
    return row as unknown as Row<K> | undefined;
  }

  /** Notes how a channel did; answers it as it is then. A test that fails is no message that is lost. */
  async noteEnd(
    workgroup: string,
    id: string,
    { at, error, isTest = false }: ChannelEnd & { isTest?: boolean },
  ): Promise<ChannelRow | undefined> {
    const fails = isTest ? {} : { failingSince: sql`coalesce(${channels.failingSince}, ${at})` };
    const [row] = await this.#postgres.db
      .update(channels)
      .set(
        error === null
          ? { lastOkAt: at, lastError: null, failingSince: null, isReported: false }
          : { lastError: error, ...fails },
      )
      .where(is('channels', workgroup, id))
      .returning();
    return row;
  }

  /** True for the one who is to tell people. */
  async report(workgroup: string, id: string): Promise<boolean> {
    const rows = await this.#postgres.db
      .update(channels)
      .set({ isReported: true })
      .where(and(is('channels', workgroup, id), eq(channels.isReported, false)))
      .returning({ id: channels.id });
    return rows.length > 0;
  }

  /** True for the one who turned it off. */
  async turnOff(workgroup: string, id: string, offReason: 'gone' | 'failed'): Promise<boolean> {
    const rows = await this.#postgres.db
      .update(channels)
      .set({ isEnabled: false, offReason })
      .where(and(is('channels', workgroup, id), eq(channels.isEnabled, true)))
      .returning({ id: channels.id });
    return rows.length > 0;
  }

  async heartbeat(workgroup: string): Promise<HeartbeatRow | undefined> {
    const [row] = await this.#postgres.db
      .select()
      .from(heartbeats)
      .where(eq(heartbeats.workgroup, workgroup));
    return row;
  }

  async setHeartbeat(
    workgroup: string,
    values: Pick<HeartbeatRow, 'isEnabled' | 'everyMinutes' | 'nextAt'> &
      Partial<Pick<HeartbeatRow, 'address' | 'host' | 'lastError'>>,
  ): Promise<HeartbeatRow> {
    const [row] = await this.#postgres.db
      .insert(heartbeats)
      .values({ workgroup, ...values })
      .onConflictDoUpdate({ target: heartbeats.workgroup, set: values })
      .returning();
    if (!row) throw new Error('The database returned no row for a heartbeat.');
    return row;
  }

  /** Those that are due, with their next time moved on, so that nobody else takes them. */
  takeHeartbeats(now: Date): Promise<{ workgroup: string }[]> {
    return this.#postgres.db
      .update(heartbeats)
      .set({ nextAt: sql`${now}::timestamptz + make_interval(mins => ${heartbeats.everyMinutes})` })
      .where(and(eq(heartbeats.isEnabled, true), lte(heartbeats.nextAt, now)))
      .returning({ workgroup: heartbeats.workgroup });
  }

  async noteHeartbeat(workgroup: string, { at, error }: ChannelEnd): Promise<void> {
    await this.#postgres.db
      .update(heartbeats)
      .set(error === null ? { lastOkAt: at, lastError: null } : { lastError: error })
      .where(eq(heartbeats.workgroup, workgroup));
  }
}

const is = (kind: SetupTable, workgroup: string, id: string) =>
  and(eq(tableOf(kind).workgroup, workgroup), eq(tableOf(kind).id, id));
