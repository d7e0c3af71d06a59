import type { Postgres } from '@albedo/postgres/postgres';
import { and, desc, eq, inArray, isNull } from 'drizzle-orm';
import { supportFiles, supportTickets } from './support.tables.ts';

type TicketRow = typeof supportTickets.$inferSelect;
type FileRow = typeof supportFiles.$inferSelect;
export type Ticket = TicketRow & { files: FileRow[] };
export type NewTicket = Omit<typeof supportTickets.$inferInsert, 'number'>;
export type NewFile = Omit<FileRow, 'ticketId'>;

/** How many tickets the staff sees. */
const LISTED = 1000;

/** Support tickets, in SQL. They are the provider's; a workgroup never reads them. */
export class SupportStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Both or neither. */
  add(ticket: NewTicket, files: NewFile[]): Promise<Ticket> {
    return this.#postgres.db.transaction(async (transaction) => {
      const [row] = await transaction.insert(supportTickets).values(ticket).returning();
      if (!row) throw new Error('The ticket was not stored.');
      const rows = files.map((file) => ({ ...file, ticketId: row.id }));
      if (rows.length > 0) await transaction.insert(supportFiles).values(rows);
      return { ...row, files: rows };
    });
  }

  async list(): Promise<Ticket[]> {
    const rows = await this.#postgres.db
      .select()
      .from(supportTickets)
      .orderBy(desc(supportTickets.createdAt), desc(supportTickets.number))
      .limit(LISTED);
    return this.#withFiles(rows);
  }

  async get(id: string): Promise<Ticket | null> {
    const rows = await this.#postgres.db.select().from(supportTickets).where(eq(supportTickets.id, id));
    return (await this.#withFiles(rows))[0] ?? null;
  }

  /** Null when it is closed already. */
  async close(id: string, closedBy: string): Promise<boolean> {
    const isOpen = and(eq(supportTickets.id, id), isNull(supportTickets.closedAt));
    const rows = await this.#postgres.db
      .update(supportTickets)
      .set({ closedAt: new Date(), closedBy })
      .where(isOpen)
      .returning({ id: supportTickets.id });
    return rows.length > 0;
  }

  async reopen(id: string): Promise<void> {
    const values = { closedAt: null, closedBy: null };
    await this.#postgres.db.update(supportTickets).set(values).where(eq(supportTickets.id, id));
  }

  async assign(id: string, assignee: string | null): Promise<void> {
    await this.#postgres.db.update(supportTickets).set({ assignee }).where(eq(supportTickets.id, id));
  }

  async #withFiles(rows: TicketRow[]): Promise<Ticket[]> {
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    const files = await this.#postgres.db
      .select()
      .from(supportFiles)
      .where(inArray(supportFiles.ticketId, ids))
      .orderBy(supportFiles.name, supportFiles.id);
    const byTicket = Map.groupBy(files, ({ ticketId }) => ticketId);
    return rows.map((row) => ({ ...row, files: byTicket.get(row.id) ?? [] }));
  }

  /** What came along with the tickets of the workgroup. */
  attachments(workgroup: string): Promise<{ key: string; size: number }[]> {
    return this.#postgres.db
      .select({ key: supportFiles.key, size: supportFiles.size })
      .from(supportFiles)
      .innerJoin(supportTickets, eq(supportTickets.id, supportFiles.ticketId))
      .where(eq(supportTickets.workgroup, workgroup))
      .orderBy(supportFiles.id);
  }
}
