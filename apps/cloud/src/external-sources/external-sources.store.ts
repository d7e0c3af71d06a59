import type { ExternalSource } from '@albedo/contract/external-sources/external-sources.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { unlessTaken } from '@albedo/postgres/unless-taken';
import { and, eq, lte, sql } from 'drizzle-orm';
import { externalSources } from './external-sources.tables.ts';

export type ExternalSourceRow = typeof externalSources.$inferSelect;
export type ExternalSourceValues = Pick<
  ExternalSourceRow,
  'device' | 'name' | 'kind' | 'isEnabled' | 'format' | 'recordsPath' | 'mapping' | 'pull' | 'nextAt'
> &
  Partial<Pick<ExternalSourceRow, 'id' | 'secret' | 'tokenHash'>>;

/** How a run ended. */
export type RunEnd = Partial<
  Pick<ExternalSourceRow, 'lastOkAt' | 'lastError' | 'lastEvents' | 'failures' | 'newestAt' | 'nextAt'>
>;

/** External sources, in SQL. */
export class ExternalSourcesStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  list(workgroup: string): Promise<ExternalSourceRow[]> {
    return this.#postgres.db
      .select()
      .from(externalSources)
      .where(eq(externalSources.workgroup, workgroup))
      .orderBy(sql`lower(${externalSources.name})`, externalSources.id);
  }

  count(workgroup: string): Promise<number> {
    return this.#postgres.db.$count(externalSources, eq(externalSources.workgroup, workgroup));
  }

  async find(workgroup: string, id: string): Promise<ExternalSourceRow | undefined> {
    const [row] = await this.#postgres.db.select().from(externalSources).where(isSource(workgroup, id));
    return row;
  }

  /** For the jobs, and for what is pushed: who asks has the id and the token. */
  async byId(id: string): Promise<ExternalSourceRow | undefined> {
    const [row] = await this.#postgres.db.select().from(externalSources).where(eq(externalSources.id, id));
    return row;
  }

  /** Null where another one has the name. */
  async add(workgroup: string, values: ExternalSourceValues): Promise<ExternalSourceRow | null> {
    const [row] = await this.#postgres.db
      .insert(externalSources)
      .values({ workgroup, ...values })
      .onConflictDoNothing()
      .returning();
    return row ?? null;
  }

  /** Null where another one has the name, undefined where there is none with the id. */
  async set(
    workgroup: string,
    id: string,
    values: Partial<ExternalSourceValues>,
  ): Promise<ExternalSourceRow | null | undefined> {
    const rows = this.#postgres.db
      .update(externalSources)
      .set(values)
      .where(isSource(workgroup, id))
      .returning()
      .execute();
    const found = await unlessTaken(rows, null);
    return found === null ? null : found[0];
  }

  async remove(workgroup: string, id: string): Promise<boolean> {
    const rows = await this.#postgres.db
      .delete(externalSources)
      .where(isSource(workgroup, id))
      .returning({ id: externalSources.id });
    return rows.length > 0;
  }

  /** Those that are due, with the time of their next turn moved on, so that nobody else takes them. */
  async takeDue(now: Date): Promise<{ id: string }[]> {
    const due = and(
      eq(externalSources.kind, 'pull'),
      eq(externalSources.isEnabled, true),
      lte(externalSources.nextAt, now),
    );
    const later = new Date(now.getTime() + 10 * 60_000);
    return this.#postgres.db
      .update(externalSources)
      .set({ nextAt: later })
      .where(due)
      .returning({ id: externalSources.id });
  }

  async ended(id: string, at: Date, end: RunEnd): Promise<void> {
    await this.#postgres.db
      .update(externalSources)
      .set({ lastRunAt: at, ...end })
      .where(eq(externalSources.id, id));
  }
}

const isSource = (workgroup: string, id: string) =>
  and(eq(externalSources.workgroup, workgroup), eq(externalSources.id, id));

const ms = (at: Date | null): number | null => at?.getTime() ?? null;

/** As people see it: never a secret. */
export const shown = (row: ExternalSourceRow): ExternalSource => ({
  _id: row.id,
  name: row.name,
  kind: row.kind,
  isEnabled: row.isEnabled,
  device: row.device,
  format: row.format,
  recordsPath: row.recordsPath,
  mapping: row.mapping,
  pull: row.pull,
  hasSecret: row.secret !== null,
  lastRunAt: ms(row.lastRunAt),
  lastOkAt: ms(row.lastOkAt),
  lastError: row.lastError,
  lastEvents: row.lastEvents,
  nextAt: row.kind === 'pull' && row.isEnabled ? ms(row.nextAt) : null,
});
