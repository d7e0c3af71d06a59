import type { Postgres, Transaction } from '@albedo/postgres/postgres';
import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import { JOBS_SCHEMA } from '../jobs/jobs.queue.ts';
import { longActions } from './long-actions.tables.ts';

export type LongActionRow = typeof longActions.$inferSelect;
export type NewLongAction = Pick<
  LongActionRow,
  'id' | 'workgroup' | 'ownerId' | 'ownerEmail' | 'ownerAddress' | 'kind' | 'about' | 'input'
>;
/** How it ended. */
export type Ending = Pick<LongActionRow, 'state'> &
  Partial<Pick<LongActionRow, 'result' | 'fileName' | 'fileType' | 'fileSize' | 'error'>>;

/** Whose: one caller's in a workgroup, or those of the staff. */
export type Whose = { workgroup: string; ownerId: string } | 'staff';

const SHOWN = 100;
const IS_OPEN = inArray(longActions.state, ['queued', 'running']);

const of = (whose: Whose) =>
  whose === 'staff'
    ? isNull(longActions.workgroup)
    : and(eq(longActions.workgroup, whose.workgroup), eq(longActions.ownerId, whose.ownerId));

export class LongActionsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#postgres.db.transaction(work);
  }

  async add(row: NewLongAction, inside: Transaction): Promise<LongActionRow> {
    const [added] = await inside.insert(longActions).values(row).returning();
    return added as LongActionRow;
  }

  list(whose: Whose): Promise<LongActionRow[]> {
    const { db } = this.#postgres;
    return db.select().from(longActions).where(of(whose)).orderBy(desc(longActions.createdAt)).limit(SHOWN);
  }

  async find(whose: Whose, id: string): Promise<LongActionRow | undefined> {
    const where = and(of(whose), eq(longActions.id, id));
    return (await this.#postgres.db.select().from(longActions).where(where))[0];
  }

  async isOpen(id: string): Promise<boolean> {
    const { db } = this.#postgres;
    const rows = await db
      .select({ id: longActions.id })
      .from(longActions)
      .where(and(eq(longActions.id, id), IS_OPEN));
    return rows.length > 0;
  }

  /** Marks it as running; undefined where it is over or gone. */
  begin(id: string): Promise<LongActionRow | undefined> {
    return this.#change(id, { state: 'running' });
  }

  progress(id: string, progress: number): Promise<LongActionRow | undefined> {
    return this.#change(id, { progress });
  }

  /** Notes that somebody wants it to end; one that waits ends at once. Undefined where it is over. */
  cancel(id: string, at: Date, expiresAt: Date): Promise<LongActionRow | undefined> {
    const isWaiting = sql`${longActions.state} = 'queued'`;
    return this.#change(id, {
      cancelledAt: at,
      state: sql`case when ${isWaiting} then 'cancelled' else ${longActions.state} end`,
      endedAt: sql`case when ${isWaiting} then ${at.toISOString()}::timestamptz end`,
      expiresAt: sql`case when ${isWaiting} then ${expiresAt.toISOString()}::timestamptz end`,
    });
  }

  /** Undefined where it is over already. */
  async end(
    id: string,
    ending: Ending,
    expiresAt: Date,
    inside: Transaction | Postgres['db'] = this.#postgres.db,
  ): Promise<LongActionRow | undefined> {
    const set = { ...ending, endedAt: new Date(), expiresAt };
    const where = and(eq(longActions.id, id), IS_OPEN);
    return (await inside.update(longActions).set(set).where(where).returning())[0];
  }

  async remove(id: string): Promise<void> {
    await this.#postgres.db.delete(longActions).where(eq(longActions.id, id));
  }

  async keepLink(id: string, linkHash: string, linkExpiresAt: Date): Promise<void> {
    const where = eq(longActions.id, id);
    await this.#postgres.db.update(longActions).set({ linkHash, linkExpiresAt }).where(where);
  }

  /** Uses the link up; undefined for one that is not there any more. */
  async takeLink(linkHash: string): Promise<LongActionRow | undefined> {
    const isGood = and(eq(longActions.linkHash, linkHash), gt(longActions.linkExpiresAt, new Date()));
    const set = { linkHash: null, linkExpiresAt: null };
    return (await this.#postgres.db.update(longActions).set(set).where(isGood).returning())[0];
  }

  async expired(now: Date): Promise<string[]> {
    const { db } = this.#postgres;
    const rows = await db
      .select({ id: longActions.id })
      .from(longActions)
      .where(lt(longActions.expiresAt, now));
    return rows.map(({ id }) => id);
  }

  /** Ids of all that a workgroup has a file of. */
  async withFiles(workgroup: string): Promise<string[]> {
    const where = and(eq(longActions.workgroup, workgroup), isNotNull(longActions.fileName));
    const rows = await this.#postgres.db.select({ id: longActions.id }).from(longActions).where(where);
    return rows.map(({ id }) => id);
  }

  /** Those that are not over and that no job will end any more. */
  async orphans(): Promise<string[]> {
    const job = sql.raw(`${JOBS_SCHEMA}.job`);
    const hasJob = sql`exists (select 1 from ${job} where ${job}.id = ${longActions.id} and ${job}.state < 'completed')`;
    const where = and(IS_OPEN, sql`not ${hasJob}`);
    const rows = await this.#postgres.db.select({ id: longActions.id }).from(longActions).where(where);
    return rows.map(({ id }) => id);
  }

  /** Begins one anew that came to nothing. Undefined where it did not. */
  async reopen(id: string, newId: string, inside: Transaction): Promise<LongActionRow | undefined> {
    const failed = or(eq(longActions.state, 'failed'), eq(longActions.state, 'cancelled'));
    const set = {
      id: newId,
      state: 'queued' as const,
      progress: null,
      error: null,
      cancelledAt: null,
      endedAt: null,
      expiresAt: null,
    };
    const where = and(eq(longActions.id, id), failed);
    return (await inside.update(longActions).set(set).where(where).returning())[0];
  }

  async #change(
    id: string,
    set: Parameters<ReturnType<Postgres['db']['update']>['set']>[0],
  ): Promise<LongActionRow | undefined> {
    const where = and(eq(longActions.id, id), IS_OPEN);
    return (await this.#postgres.db.update(longActions).set(set).where(where).returning())[0];
  }
}
