import type { NewAlert, NewSuppression } from '@albedo/contract/alerts/alerts.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { unlessTaken } from '@albedo/postgres/unless-taken';
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { alerts, suppressions } from '../database/alerts.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';

export type AlertRow = typeof alerts.$inferSelect;
export type SuppressionRow = typeof suppressions.$inferSelect;

/** Alerts and planned suppressions, in SQL. */
export class AlertsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Names of the workgroups that have any. */
  async workgroups(): Promise<string[]> {
    const rows = await this.#postgres.db.selectDistinct({ workgroup: alerts.workgroup }).from(alerts);
    return rows.map(({ workgroup }) => workgroup);
  }

  /** Names of the workgroups that have fewer than so many of those that come with the product. */
  async withoutShipped(count: number): Promise<string[]> {
    const rows = await this.#postgres.db
      .select({ name: workgroups.name })
      .from(workgroups)
      .leftJoin(alerts, and(eq(alerts.workgroup, workgroups.name), isNotNull(alerts.shipped)))
      .groupBy(workgroups.name)
      .having(sql`count(${alerts.id}) < ${count}`);
    return rows.map(({ name }) => name);
  }

  /** By name, without the deleted ones. */
  list(workgroup: string): Promise<AlertRow[]> {
    return this.#postgres.db
      .select()
      .from(alerts)
      .where(and(eq(alerts.workgroup, workgroup), isNull(alerts.deletedAt)))
      .orderBy(sql`lower(${alerts.name})`, alerts.id);
  }

  /** Also a deleted one. */
  async find(workgroup: string, id: string): Promise<AlertRow | undefined> {
    const [row] = await this.#postgres.db.select().from(alerts).where(isAlert(workgroup, id));
    return row;
  }

  count(workgroup: string): Promise<number> {
    return this.#postgres.db.$count(alerts, and(eq(alerts.workgroup, workgroup), isNull(alerts.deletedAt)));
  }

  /** Null where another one has the name. */
  async add(
    workgroup: string,
    content: NewAlert,
    of: { id?: string; shipped?: string } = {},
  ): Promise<AlertRow | null> {
    const rows = await this.#postgres.db
      .insert(alerts)
      .values({ workgroup, name: content.name, content, ...of })
      .onConflictDoNothing()
      .returning();
    return rows[0] ?? null;
  }

  /**
   * Null where another one has the name, undefined where there is none with the id, or where its version is not the one
   * that was seen.
   */
  async set(
    workgroup: string,
    id: string,
    content: NewAlert,
    version?: number,
    { revives = false } = {},
  ): Promise<AlertRow | null | undefined> {
    const rows = this.#postgres.db
      .update(alerts)
      .set({
        name: content.name,
        content,
        version: sql`${alerts.version} + 1`,
        updatedAt: new Date(),
        deletedAt: null,
      })
      .where(
        and(
          isAlert(workgroup, id),
          ...(revives ? [] : [isNull(alerts.deletedAt)]),
          ...(version === undefined ? [] : [eq(alerts.version, version)]),
        ),
      )
      .returning()
      .execute();
    const found = await unlessTaken(rows, null);
    return found === null ? null : found[0];
  }

  /** Keeps its row, which its incidents name. */
  async remove(workgroup: string, id: string): Promise<boolean> {
    const rows = await this.#postgres.db
      .update(alerts)
      .set({ deletedAt: new Date() })
      .where(and(isAlert(workgroup, id), isNull(alerts.deletedAt)))
      .returning({ id: alerts.id });
    return rows.length > 0;
  }

  suppressions(workgroup: string): Promise<SuppressionRow[]> {
    return this.#postgres.db
      .select()
      .from(suppressions)
      .where(and(eq(suppressions.workgroup, workgroup), isNull(suppressions.deletedAt)))
      .orderBy(sql`lower(${suppressions.name})`, suppressions.id);
  }

  async addSuppression(
    workgroup: string,
    content: NewSuppression,
    createdBy: string,
  ): Promise<SuppressionRow> {
    const [row] = await this.#postgres.db
      .insert(suppressions)
      .values({ workgroup, name: content.name, content, createdBy })
      .returning();
    return row as SuppressionRow;
  }

  async setSuppression(
    workgroup: string,
    id: string,
    content: NewSuppression,
  ): Promise<SuppressionRow | undefined> {
    const [row] = await this.#postgres.db
      .update(suppressions)
      .set({ name: content.name, content })
      .where(and(isSuppression(workgroup, id), isNull(suppressions.deletedAt)))
      .returning();
    return row;
  }

  /** Null where it had ended before, undefined where it never was. */
  async removeSuppression(workgroup: string, id: string): Promise<SuppressionRow | null | undefined> {
    const [ended] = await this.#postgres.db
      .update(suppressions)
      .set({ deletedAt: new Date() })
      .where(and(isSuppression(workgroup, id), isNull(suppressions.deletedAt)))
      .returning();
    if (ended) return ended;
    const count = await this.#postgres.db.$count(suppressions, isSuppression(workgroup, id));
    return count > 0 ? null : undefined;
  }
}

const isAlert = (workgroup: string, id: string) => and(eq(alerts.workgroup, workgroup), eq(alerts.id, id));
const isSuppression = (workgroup: string, id: string) =>
  and(eq(suppressions.workgroup, workgroup), eq(suppressions.id, id));
