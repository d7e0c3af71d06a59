import type { WorkgroupRequest } from '@albedo/contract/workgroup-requests/workgroup-requests.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { and, desc, eq, sql } from 'drizzle-orm';
import { deletedWorkgroups, workgroups } from '../database/workgroups.tables.ts';
import { AppError } from '../errors/app-error.ts';
import type { NewWorkgroup } from '../workgroups/workgroups.service.ts';
import { workgroupRequests } from './workgroup-requests.tables.ts';

export type RequestRow = typeof workgroupRequests.$inferSelect;

/** How many requests the staff sees. */
const LISTED = 1000;

/** Requests for workgroups, in SQL. */
export class WorkgroupRequestsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Keeps the request, in place of an open one of the same e-mail address; false when there was such a one. */
  add(request: WorkgroupRequest): Promise<boolean> {
    return this.#postgres.db.transaction(async (transaction) => {
      // One after the other for each address, so that a request that is sent twice is there once.
      await transaction.execute(sql`select pg_advisory_xact_lock(hashtext(${`request ${request.email}`}))`);
      const isSame = sql`${workgroupRequests.request} ->> 'email' = ${request.email}`;
      const changed = await transaction
        .update(workgroupRequests)
        .set({ request, requestedAt: new Date() })
        .where(and(eq(workgroupRequests.status, 'open'), isSame))
        .returning({ id: workgroupRequests.id });
      if (changed.length > 0) return false;
      await transaction.insert(workgroupRequests).values({ request });
      return true;
    });
  }

  countOpen(): Promise<number> {
    return this.#postgres.db.$count(workgroupRequests, eq(workgroupRequests.status, 'open'));
  }

  list(): Promise<RequestRow[]> {
    return this.#postgres.db
      .select()
      .from(workgroupRequests)
      .orderBy(desc(workgroupRequests.requestedAt))
      .limit(LISTED);
  }

  async exists(id: string): Promise<boolean> {
    const rows = await this.#postgres.db
      .select({ id: workgroupRequests.id })
      .from(workgroupRequests)
      .where(eq(workgroupRequests.id, id));
    return rows.length > 0;
  }

  /** Null when it is not open. */
  async reject(id: string, decidedBy: string): Promise<RequestRow | null> {
    const [row] = await this.#postgres.db
      .update(workgroupRequests)
      .set({ status: 'rejected', decidedAt: new Date(), decidedBy })
      .where(isOpen(id))
      .returning();
    return row ?? null;
  }

  /** Marks it and makes the workgroup, or neither. Null when it is not open. Throws `workgroup.name_taken`, `workgroup.name_gone`. */
  accept(id: string, workgroup: NewWorkgroup, decidedBy: string): Promise<RequestRow | null> {
    return this.#postgres.db.transaction(async (transaction) => {
      const { name } = workgroup;
      const isGone = eq(deletedWorkgroups.name, name);
      const gone = await transaction.select().from(deletedWorkgroups).where(isGone);
      if (gone.length > 0) throw new AppError('workgroup.name_gone', { name });
      const [row] = await transaction
        .update(workgroupRequests)
        .set({ status: 'accepted', decidedAt: new Date(), decidedBy, workgroup: name })
        .where(isOpen(id))
        .returning();
      if (!row) return null;
      const made = await transaction.insert(workgroups).values(workgroup).onConflictDoNothing().returning();
      if (made.length === 0) throw new AppError('workgroup.name_taken', { name });
      return row;
    });
  }
}

const isOpen = (id: string) => and(eq(workgroupRequests.id, id), eq(workgroupRequests.status, 'open'));
