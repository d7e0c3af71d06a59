import type { Postgres, Transaction } from '@albedo/postgres/postgres';
import { and, count, desc, eq, gt, inArray, isNull, lt, lte, ne, or, sql } from 'drizzle-orm';
import { channels, deliveries, floods, heldMessages, toldIncidents } from './notifications.tables.ts';

export type ToldRow = typeof toldIncidents.$inferSelect;
export type HeldRow = typeof heldMessages.$inferSelect;
export type NewHeld = Omit<HeldRow, 'toldWhat'>;
export type DeliveryRow = typeof deliveries.$inferSelect;

/** Where an escalation stands. */
export type Step = Pick<ToldRow, 'step' | 'round' | 'dueAt'>;

/** Rows that one statement writes. */
const AT_ONCE = 500;
/** Days that what was told, and what went out, is kept. */
const KEPT_DAYS = 30;

/** What was told, what waits to be told, and what is on its way, in SQL. */
export class ToldStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  transaction<T>(task: (inside: Transaction) => Promise<T>): Promise<T> {
    return this.#postgres.db.transaction(task);
  }

  /** Inside a transaction they stay as they are until it ends, always locked in one order, so that none waits for another. */
  async rows(workgroup: string, incidents: readonly string[], inside?: Transaction): Promise<ToldRow[]> {
    const rows: ToldRow[] = [];
    for (const some of chunks([...new Set(incidents)].toSorted())) {
      const found = (inside ?? this.#postgres.db)
        .select()
        .from(toldIncidents)
        .where(and(eq(toldIncidents.workgroup, workgroup), inArray(toldIncidents.incident, some)))
        .orderBy(toldIncidents.incident);
      rows.push(...(await (inside ? found.for('update') : found)));
    }
    return rows;
  }

  async keep(rows: readonly ToldRow[], inside: Transaction): Promise<void> {
    for (const some of chunks(rows.toSorted(byIncident)))
      await inside
        .insert(toldIncidents)
        .values([...some])
        .onConflictDoUpdate({
          target: [toldIncidents.workgroup, toldIncidents.incident],
          set: {
            content: sql`excluded.content`,
            notify: sql`excluded.notify`,
            told: sql`excluded.told`,
            isOver: sql`excluded.is_over`,
            openedAt: sql`excluded.opened_at`,
            countedAt: sql`excluded.counted_at`,
            tellings: sql`excluded.tellings`,
            step: sql`excluded.step`,
            round: sql`excluded.round`,
            dueAt: sql`excluded.due_at`,
            repeatAt: sql`excluded.repeat_at`,
            changedAt: sql`excluded.changed_at`,
          },
        });
  }

  /** Notes who was told, and what comes next where the incident still waits for an answer. */
  async noteTold(
    workgroup: string,
    toldAt: Date,
    told: readonly (Step & Pick<ToldRow, 'incident' | 'toldTo' | 'repeatAt'>)[],
    inside: Transaction,
  ): Promise<void> {
    for (const some of chunks(told.toSorted(byIncident))) {
      // An update locks in any order, which those who read them inside a transaction do not.
      await inside
        .select({ incident: toldIncidents.incident })
        .from(toldIncidents)
        .where(
          and(
            eq(toldIncidents.workgroup, workgroup),
            inArray(
              toldIncidents.incident,
              some.map(({ incident }) => incident),
            ),
          ),
        )
        .orderBy(toldIncidents.incident)
        .for('update');
      const rows = some.map(({ incident, toldTo, step, round, dueAt, repeatAt }) => ({
        incident,
        told_to: toldTo,
        step,
        round,
        due_at: dueAt,
        repeat_at: repeatAt,
      }));
      await inside.execute(sql`
        update ${toldIncidents} t set
          told_to = v.told_to,
          told_at = ${toldAt.toISOString()}::timestamptz,
          step = case when t.is_over then t.step else v.step end,
          round = case when t.is_over then t.round else v.round end,
          due_at = case when t.is_over then null else v.due_at end,
          repeat_at = case when t.is_over then null else v.repeat_at end
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as v(
          incident uuid, told_to jsonb, step int, round int, due_at timestamptz, repeat_at timestamptz)
        where t.workgroup = ${workgroup} and t.incident = v.incident`);
    }
  }

  /** Incidents with a step of their escalation, or a repetition, that is due. */
  due(now: Date): Promise<ToldRow[]> {
    const isDue = or(lte(toldIncidents.dueAt, now), lte(toldIncidents.repeatAt, now));
    return this.#postgres.db
      .select()
      .from(toldIncidents)
      .where(and(eq(toldIncidents.isOver, false), isDue))
      .orderBy(toldIncidents.workgroup, toldIncidents.openedAt)
      .limit(20_000);
  }

  /** Moves on from the step that the row says, which is told anew; false where somebody answered, or another one did it. */
  async moveOn(
    row: ToldRow,
    next: Step & Pick<ToldRow, 'repeatAt'> & Partial<Pick<ToldRow, 'toldAt' | 'openedAt'>>,
    inside: Transaction,
  ): Promise<boolean> {
    const same = (column: typeof toldIncidents.dueAt | typeof toldIncidents.repeatAt, value: Date | null) =>
      value === null ? isNull(column) : eq(column, value);
    const rows = await inside
      .update(toldIncidents)
      .set({ ...next, told: 'firing' })
      .where(
        and(
          ofIncident(row),
          eq(toldIncidents.isOver, false),
          eq(toldIncidents.step, row.step),
          eq(toldIncidents.round, row.round),
          same(toldIncidents.dueAt, row.dueAt),
          same(toldIncidents.repeatAt, row.repeatAt),
        ),
      )
      .returning({ incident: toldIncidents.incident });
    return rows.length > 0;
  }

  async toldSince(workgroup: string, since: Date): Promise<number> {
    const [row] = await this.#postgres.db
      .select({ told: count() })
      .from(toldIncidents)
      .where(and(eq(toldIncidents.workgroup, workgroup), sql`${toldIncidents.toldAt} > ${since}`));
    return row?.told ?? 0;
  }

  async isFlooded(workgroup: string): Promise<boolean> {
    const [row] = await this.#postgres.db.select().from(floods).where(eq(floods.workgroup, workgroup));
    return row !== undefined;
  }

  floods(): Promise<{ workgroup: string }[]> {
    return this.#postgres.db.select({ workgroup: floods.workgroup }).from(floods);
  }

  async beginFlood(workgroup: string, since: Date, inside: Transaction): Promise<void> {
    await inside.insert(floods).values({ workgroup, since }).onConflictDoNothing();
  }

  /** What is left of it is told at once. */
  async endFlood(workgroup: string, now: Date): Promise<void> {
    await this.#postgres.db.transaction(async (inside) => {
      await inside.delete(floods).where(eq(floods.workgroup, workgroup));
      await inside
        .update(heldMessages)
        .set({ dueAt: now })
        .where(and(eq(heldMessages.workgroup, workgroup), eq(heldMessages.reason, 'flood')));
    });
  }

  /** When the digests of a flood come next, by recipient. */
  async floodDue(workgroup: string): Promise<Map<string, Date>> {
    const rows = await this.#postgres.db
      .select({ recipient: heldMessages.recipient, dueAt: sql<string>`max(${heldMessages.dueAt})` })
      .from(heldMessages)
      .where(and(eq(heldMessages.workgroup, workgroup), eq(heldMessages.reason, 'flood')))
      .groupBy(heldMessages.recipient);
    return new Map(rows.map(({ recipient, dueAt }) => [recipient, new Date(dueAt)]));
  }

  /** What is held again, such as a repetition, is news to those who heard of it before. */
  async hold(rows: readonly NewHeld[], inside: Transaction, { isAgain } = { isAgain: false }): Promise<void> {
    const again = { toldWhat: null, reason: sql`excluded.reason`, dueAt: sql`excluded.due_at` };
    for (const some of chunks(rows))
      await inside
        .insert(heldMessages)
        .values([...some])
        .onConflictDoUpdate({
          target: [heldMessages.workgroup, heldMessages.recipient, heldMessages.incident],
          set: { what: sql`excluded.what`, ...(isAgain ? again : {}) },
        });
  }

  /** What waits for a recipient about these incidents. */
  async waits(workgroup: string, incidents: readonly string[]): Promise<Set<string>> {
    const found = new Set<string>();
    for (const some of chunks([...new Set(incidents)])) {
      const rows = await this.#postgres.db
        .select({ recipient: heldMessages.recipient, incident: heldMessages.incident })
        .from(heldMessages)
        .where(and(eq(heldMessages.workgroup, workgroup), inArray(heldMessages.incident, some)));
      for (const { recipient, incident } of rows) found.add(`${recipient} ${incident}`);
    }
    return found;
  }

  /** Recipients with something due that no digest said yet. */
  dueRecipients(now: Date): Promise<{ workgroup: string; recipient: string }[]> {
    const isNews = or(isNull(heldMessages.toldWhat), ne(heldMessages.toldWhat, heldMessages.what));
    return this.#postgres.db
      .selectDistinct({ workgroup: heldMessages.workgroup, recipient: heldMessages.recipient })
      .from(heldMessages)
      .where(and(lte(heldMessages.dueAt, now), isNews));
  }

  /** All that is due for a recipient, with what earlier digests of a flood said already. */
  heldFor(
    workgroup: string,
    recipient: string,
    now: Date,
  ): Promise<{ held: HeldRow; content: ToldRow['content'] | null }[]> {
    return this.#postgres.db
      .select({ held: heldMessages, content: toldIncidents.content })
      .from(heldMessages)
      .leftJoin(
        toldIncidents,
        and(
          eq(toldIncidents.workgroup, heldMessages.workgroup),
          eq(toldIncidents.incident, heldMessages.incident),
        ),
      )
      .where(
        and(
          eq(heldMessages.workgroup, workgroup),
          eq(heldMessages.recipient, recipient),
          lte(heldMessages.dueAt, now),
        ),
      )
      .orderBy(heldMessages.since);
  }

  /** The digest of these is on its way: what a flood adds comes with the next one, all else is done. */
  async toldDigest(
    workgroup: string,
    recipient: string,
    { said, next }: { said: readonly Pick<HeldRow, 'incident' | 'what'>[]; next: Date },
    inside: Transaction,
  ): Promise<void> {
    for (const some of chunks(said)) {
      const rows = JSON.stringify(some.map(({ incident, what }) => ({ incident, what })));
      const each = sql`jsonb_to_recordset(${rows}::jsonb) as v(incident uuid, what text)`;
      const mine = sql`h.workgroup = ${workgroup} and h.recipient = ${recipient} and h.incident = v.incident`;
      // What went on since it was read is news yet.
      await inside.execute(sql`delete from ${heldMessages} h using ${each}
        where ${mine} and h.reason <> 'flood' and h.what = v.what`);
      await inside.execute(sql`update ${heldMessages} h
        set told_what = v.what, due_at = ${next.toISOString()}::timestamptz from ${each}
        where ${mine} and h.reason = 'flood'`);
    }
  }

  async addDelivery(row: typeof deliveries.$inferInsert, inside: Transaction): Promise<void> {
    await inside.insert(deliveries).values(row);
  }

  async delivery(workgroup: string, id: string): Promise<DeliveryRow | undefined> {
    const [row] = await this.#postgres.db
      .select()
      .from(deliveries)
      .where(and(eq(deliveries.workgroup, workgroup), eq(deliveries.id, id)));
    return row;
  }

  /** Whether the channel took a later message about the same incident. */
  async isOvertaken({ workgroup, channel, incident, createdAt }: DeliveryRow): Promise<boolean> {
    if (incident === null) return false;
    const [later] = await this.#postgres.db
      .select({ id: deliveries.id })
      .from(deliveries)
      .where(
        and(
          eq(deliveries.workgroup, workgroup),
          eq(deliveries.channel, channel),
          eq(deliveries.incident, incident),
          eq(deliveries.state, 'delivered'),
          gt(deliveries.createdAt, createdAt),
        ),
      )
      .limit(1);
    return later !== undefined;
  }

  async noteDelivery(
    workgroup: string,
    id: string,
    values: Partial<Pick<DeliveryRow, 'state' | 'error' | 'endedAt'>> & { isAttempt: boolean },
  ): Promise<void> {
    const { isAttempt, ...set } = values;
    await this.#postgres.db
      .update(deliveries)
      .set({ ...set, ...(isAttempt ? { attempts: sql`${deliveries.attempts} + 1` } : {}) })
      .where(and(eq(deliveries.workgroup, workgroup), eq(deliveries.id, id)));
  }

  /** Newest first. */
  lastDeliveries(workgroup: string, most: number): Promise<(DeliveryRow & { name: string })[]> {
    return this.#postgres.db
      .select({ delivery: deliveries, name: channels.name })
      .from(deliveries)
      .innerJoin(channels, eq(channels.id, deliveries.channel))
      .where(eq(deliveries.workgroup, workgroup))
      .orderBy(desc(deliveries.createdAt))
      .limit(most)
      .then((rows) => rows.map(({ delivery, name }) => ({ ...delivery, name })));
  }

  /** Messages dropped since then after at least one attempt, newest first. */
  async droppedSince(workgroup: string, since: Date) {
    const { createdAt, error } = deliveries;
    return this.#postgres.db
      .select({ name: channels.name, createdAt, error })
      .from(deliveries)
      .innerJoin(channels, eq(channels.id, deliveries.channel))
      .where(
        and(
          eq(deliveries.workgroup, workgroup),
          eq(deliveries.state, 'dropped'),
          gt(deliveries.attempts, 0),
          gt(createdAt, since),
        ),
      )
      .orderBy(desc(createdAt))
      .limit(1000);
  }

  /** Forgets what is over. */
  async tidy(now: Date): Promise<void> {
    const { db } = this.#postgres;
    const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
    // What the digests of a flood said is done with the flood.
    await db.execute(sql`delete from ${heldMessages} where ${heldMessages.reason} = 'flood'
      and ${heldMessages.toldWhat} = ${heldMessages.what}
      and ${heldMessages.workgroup} not in (select ${floods.workgroup} from ${floods})`);
    await db.delete(deliveries).where(and(lt(deliveries.createdAt, before), ne(deliveries.state, 'waiting')));
    await db
      .delete(toldIncidents)
      .where(and(eq(toldIncidents.isOver, true), lt(toldIncidents.changedAt, before)));
  }
}

const ofIncident = ({ workgroup, incident }: Pick<ToldRow, 'workgroup' | 'incident'>) =>
  and(eq(toldIncidents.workgroup, workgroup), eq(toldIncidents.incident, incident));

const byIncident = (a: { incident: string }, b: { incident: string }): number =>
  a.incident < b.incident ? -1 : 1;

function* chunks<T>(all: readonly T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += AT_ONCE) yield all.slice(from, from + AT_ONCE);
}
