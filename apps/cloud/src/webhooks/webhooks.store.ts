import { WEBHOOK_LIMITS, type WebhookEvent } from '@albedo/contract/webhooks/webhooks.names';
import type { Postgres, Transaction } from '@albedo/postgres/postgres';
import { oneByOne } from '@albedo/postgres/together';
import { unlessTaken } from '@albedo/postgres/unless-taken';
import { and, asc, count, desc, eq, getTableColumns, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm';
import { webhookDeliveries, webhooks } from './webhooks.tables.ts';

export type WebhookRow = typeof webhooks.$inferSelect;
type NewRow = Omit<typeof webhooks.$inferInsert, 'workgroup'>;
export type DeliveryRow = typeof webhookDeliveries.$inferSelect;
export type NewDelivery = Omit<
  DeliveryRow,
  'place' | 'state' | 'attempts' | 'status' | 'tookMs' | 'error' | 'endedAt'
>;

/** How far new rows of tables are reported. */
export type RowsProgress = Pick<WebhookRow, 'rowsTold' | 'rowsSince' | 'rowsSeen'>;

const NO_FAILURE = { failingSince: null, failures: 0, nextAt: null };
/** A webhook without failures in a row. */
export const NOT_FAILING = { ...NO_FAILURE, refused: 0, refusedSince: null, isReported: false };

/** After this many refused messages in a row it is the receiver that fails, not the messages. */
const REFUSED_IN_A_ROW = 3;

/** Since when a webhook delivers nothing; null if it works, as far as anybody knows. */
export const failingSinceOf = ({ refused, refusedSince, failingSince }: WebhookRow): Date | null =>
  refused >= REFUSED_IN_A_ROW ? refusedSince : failingSince;

/** Rows written in one statement. */
const AT_ONCE = 500;
/** Days that messages are kept, waiting ones too. */
const KEPT_DAYS = 30;
/** Finished messages kept for each webhook. */
const KEPT = 200;

/** Webhooks of a workgroup and the messages on their way to them, in SQL. */
export class WebhooksStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** One change at a time; everything the task writes, through any store, is one transaction. */
  alone<T>(workgroup: string, id: string, task: () => Promise<T>): Promise<T> {
    return oneByOne(this.#postgres, `webhook ${workgroup} ${id}`, task);
  }

  transaction<T>(task: (inside: Transaction) => Promise<T>): Promise<T> {
    return this.#postgres.db.transaction(task);
  }

  async list(workgroup: string): Promise<(WebhookRow & { waiting: number })[]> {
    const rows = await this.#postgres.db
      .select({ webhook: webhooks, waiting: count(webhookDeliveries.id) })
      .from(webhooks)
      .leftJoin(
        webhookDeliveries,
        and(eq(webhookDeliveries.webhook, webhooks.id), eq(webhookDeliveries.state, 'waiting')),
      )
      .where(eq(webhooks.workgroup, workgroup))
      .groupBy(webhooks.id)
      .orderBy(sql`lower(${webhooks.name})`, webhooks.id);
    return rows.map(({ webhook, waiting }) => ({ ...webhook, waiting }));
  }

  async find(workgroup: string, id: string): Promise<WebhookRow | undefined> {
    const [row] = await this.#postgres.db.select().from(webhooks).where(is(workgroup, id));
    return row;
  }

  /** Null if the name is taken. */
  async add(workgroup: string, values: NewRow): Promise<WebhookRow | null> {
    const [row] = await this.#postgres.db
      .insert(webhooks)
      .values({ ...values, workgroup })
      .onConflictDoNothing()
      .returning();
    return row ?? null;
  }

  /** Null if the name is taken, undefined if there is no such webhook. */
  async set(workgroup: string, id: string, values: Partial<NewRow>): Promise<WebhookRow | null | undefined> {
    const rows = this.#postgres.db
      .update(webhooks)
      .set(values)
      .where(is(workgroup, id))
      .returning()
      .execute();
    const saved = await unlessTaken(rows, null);
    return saved === null ? null : saved[0];
  }

  async remove(workgroup: string, id: string): Promise<WebhookRow | undefined> {
    const [row] = await this.#postgres.db.delete(webhooks).where(is(workgroup, id)).returning();
    return row;
  }

  /** Enabled webhooks that want one of these events. They cannot be deleted before the transaction ends. */
  async wanting(
    workgroup: string,
    events: readonly WebhookEvent[],
    inside: Transaction,
  ): Promise<Pick<WebhookRow, 'id' | 'events'>[]> {
    const rows = await inside
      .select({ id: webhooks.id, events: webhooks.events })
      .from(webhooks)
      .where(and(eq(webhooks.workgroup, workgroup), eq(webhooks.isEnabled, true)))
      .for('key share');
    return rows.filter((row) => row.events.some((event) => events.includes(event)));
  }

  /** Enabled webhooks of all workgroups that get new rows of tables. */
  async wantingRows(): Promise<WebhookRow[]> {
    const rows = await this.#postgres.db.select().from(webhooks).where(eq(webhooks.isEnabled, true));
    return rows.filter(({ events }) => events.includes('table.rows'));
  }

  /** Adds messages in this order. */
  async addDeliveries(rows: readonly NewDelivery[], inside: Transaction): Promise<void> {
    for (let from = 0; from < rows.length; from += AT_ONCE)
      await inside.insert(webhookDeliveries).values(rows.slice(from, from + AT_ONCE));
  }

  /** Drops the oldest messages where more wait than may, in one workgroup or in all. */
  async trim(workgroup?: string): Promise<void> {
    const { waiting, waitingBytes } = WEBHOOK_LIMITS;
    const ofOne =
      workgroup === undefined
        ? sql``
        : sql`and webhook in (select id from ${webhooks} where workgroup = ${workgroup})`;
    await this.#postgres.db.execute(sql`
      update ${webhookDeliveries} set state = 'dropped', error = 'Too many messages waited.', ended_at = now()
      where state = 'waiting' and id in (
        select id from (
          select id, row_number() over newest as number, sum(octet_length(body)) over newest as bytes
          from ${webhookDeliveries} where state = 'waiting' ${ofOne}
          window newest as (partition by webhook order by place desc)
        ) as those where number > ${waiting} or bytes > ${waitingBytes})`);
  }

  /** Keeps how far new rows are reported, with the messages; false if somebody reported them or changed the webhook meanwhile. */
  async tellRows(
    before: WebhookRow,
    progress: RowsProgress,
    messages: readonly NewDelivery[],
  ): Promise<boolean> {
    return this.transaction(async (inside) => {
      const { workgroup, id, rowsTold, rowsSince, rowsSeen, events, tables } = before;
      const isSame = and(
        eq(webhooks.isEnabled, true),
        eq(webhooks.rowsSince, rowsSince),
        sql`${webhooks.rowsTold} = ${JSON.stringify(rowsTold)}::jsonb`,
        sql`${webhooks.rowsSeen} = ${JSON.stringify(rowsSeen)}::jsonb`,
        sql`${webhooks.events} = ${JSON.stringify(events)}::jsonb`,
        sql`${webhooks.tables} = ${JSON.stringify(tables)}::jsonb`,
      );
      const rows = await inside
        .update(webhooks)
        .set(progress)
        .where(and(is(workgroup, id), isSame))
        .returning({ id: webhooks.id });
      if (rows.length === 0) return false;
      await this.addDeliveries(messages, inside);
      return true;
    });
  }

  /** What goes out next. */
  async next(workgroup: string, webhook: string): Promise<DeliveryRow | undefined> {
    const [row] = await this.#postgres.db
      .select()
      .from(webhookDeliveries)
      .where(
        and(
          eq(webhookDeliveries.workgroup, workgroup),
          eq(webhookDeliveries.webhook, webhook),
          eq(webhookDeliveries.state, 'waiting'),
        ),
      )
      .orderBy(asc(webhookDeliveries.place))
      .limit(1);
    return row;
  }

  /** Webhooks with waiting messages whose next attempt is due, of one workgroup or of all. */
  due(now: Date, workgroup?: string): Promise<{ workgroup: string; id: string }[]> {
    const waits = sql`exists (select from ${webhookDeliveries} d
      where d.webhook = ${webhooks.id} and d.state = 'waiting')`;
    return this.#postgres.db
      .select({ workgroup: webhooks.workgroup, id: webhooks.id })
      .from(webhooks)
      .where(
        and(
          workgroup === undefined ? undefined : eq(webhooks.workgroup, workgroup),
          eq(webhooks.isEnabled, true),
          or(isNull(webhooks.nextAt), lte(webhooks.nextAt, now)),
          waits,
        ),
      );
  }

  /** Newest first, each with only the first characters of its body. */
  last(
    workgroup: string,
    webhook: string,
    { most, characters }: { most: number; characters: number },
  ): Promise<DeliveryRow[]> {
    const body = sql<string>`left(${webhookDeliveries.body}, ${characters})`;
    return this.#postgres.db
      .select({ ...getTableColumns(webhookDeliveries), body })
      .from(webhookDeliveries)
      .where(and(eq(webhookDeliveries.workgroup, workgroup), eq(webhookDeliveries.webhook, webhook)))
      .orderBy(desc(webhookDeliveries.place))
      .limit(most);
  }

  async noteDelivery(
    { workgroup, id }: Pick<DeliveryRow, 'workgroup' | 'id'>,
    values: Partial<Pick<DeliveryRow, 'state' | 'status' | 'tookMs' | 'error' | 'endedAt'>>,
  ): Promise<void> {
    await this.#postgres.db
      .update(webhookDeliveries)
      .set({ ...values, attempts: sql`${webhookDeliveries.attempts} + 1` })
      .where(and(eq(webhookDeliveries.workgroup, workgroup), eq(webhookDeliveries.id, id)));
  }

  /** Queues a message again, behind all others. Undefined if it is no longer kept. */
  async again(workgroup: string, webhook: string, id: string): Promise<DeliveryRow | undefined> {
    const next = sql`nextval(pg_get_serial_sequence('webhook_deliveries', 'place'))`;
    const [row] = await this.#postgres.db
      .update(webhookDeliveries)
      .set({ state: 'waiting', endedAt: null, place: next as never })
      .where(
        and(
          eq(webhookDeliveries.workgroup, workgroup),
          eq(webhookDeliveries.webhook, webhook),
          eq(webhookDeliveries.id, id),
        ),
      )
      .returning();
    return row;
  }

  async noteOk(workgroup: string, id: string, lastOkAt: Date): Promise<void> {
    await this.#postgres.db
      .update(webhooks)
      .set({ lastOkAt, lastError: null, ...NOT_FAILING })
      .where(is(workgroup, id));
  }

  /** A message was dropped for its content; the next one may be fine. Returns the webhook as it is afterwards. */
  async noteRefused(
    workgroup: string,
    id: string,
    { at, error }: { at: Date; error: string },
  ): Promise<WebhookRow | undefined> {
    const { failingSince, refused, refusedSince } = webhooks;
    const [row] = await this.#postgres.db
      .update(webhooks)
      .set({
        lastError: error,
        ...NO_FAILURE,
        refused: sql`${refused} + 1`,
        refusedSince: sql`coalesce(${refusedSince}, ${failingSince}, ${at})`,
      })
      .where(is(workgroup, id))
      .returning();
    return row;
  }

  /** Returns the webhook as it is afterwards. */
  async noteFailure(
    workgroup: string,
    id: string,
    { at, nextAt, error }: { at: Date; nextAt: Date; error: string },
  ): Promise<WebhookRow | undefined> {
    const [row] = await this.#postgres.db
      .update(webhooks)
      .set({
        lastError: error,
        failingSince: sql`coalesce(${webhooks.failingSince}, ${at})`,
        failures: sql`${webhooks.failures} + 1`,
        nextAt,
      })
      .where(is(workgroup, id))
      .returning();
    return row;
  }

  async postpone(workgroup: string, id: string, nextAt: Date): Promise<void> {
    await this.#postgres.db.update(webhooks).set({ nextAt }).where(is(workgroup, id));
  }

  /** True for the caller who should tell people. */
  async report(workgroup: string, id: string): Promise<boolean> {
    const rows = await this.#postgres.db
      .update(webhooks)
      .set({ isReported: true })
      .where(and(is(workgroup, id), eq(webhooks.isReported, false)))
      .returning({ id: webhooks.id });
    return rows.length > 0;
  }

  /** True for the caller who turned it off. */
  async turnOff(workgroup: string, id: string, offReason: 'gone' | 'failed'): Promise<boolean> {
    const rows = await this.#postgres.db
      .update(webhooks)
      .set({ isEnabled: false, offReason, nextAt: null })
      .where(and(is(workgroup, id), eq(webhooks.isEnabled, true)))
      .returning({ id: webhooks.id });
    return rows.length > 0;
  }

  /** Deletes finished messages and old secrets that are no longer valid. */
  async tidy(now: Date): Promise<void> {
    const { db } = this.#postgres;
    const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
    await db.delete(webhookDeliveries).where(lt(webhookDeliveries.createdAt, before));
    await db.execute(sql`
      delete from ${webhookDeliveries} where state <> 'waiting' and id in (
        select id from (
          select id, row_number() over (partition by webhook order by place desc) as number
          from ${webhookDeliveries} where state <> 'waiting'
        ) as those where number > ${KEPT})`);
    await db
      .update(webhooks)
      .set({ oldSecret: null, oldSecretUntil: null })
      .where(and(isNotNull(webhooks.oldSecret), lte(webhooks.oldSecretUntil, now)));
  }
}

const is = (workgroup: string, id: string) => and(eq(webhooks.workgroup, workgroup), eq(webhooks.id, id));
