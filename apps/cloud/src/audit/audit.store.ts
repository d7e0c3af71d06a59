import type { Postgres } from '@albedo/postgres/postgres';
import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm';
import { type AuditLink, type ChainHead, linkHash } from './audit.chain.ts';
import { auditChains, auditEntries, auditWaiting } from './audit.tables.ts';

/** An entry that is still to be written. */
export interface NewEntry {
  workgroup: string;
  /** Epoch ms. */
  at: number;
  body: string;
}

/** A written entry, as the searchable copy is made of it. */
export interface WrittenEntry extends NewEntry {
  seq: number;
}

/** Rows of one statement. */
const ROWS = 1000;

/** The audit log in the records, in SQL: rows are added, and never changed. */
export class AuditStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Adds the entries to the chains of their workgroups, all or none; durable when it resolves. */
  async append(entries: readonly NewEntry[]): Promise<WrittenEntry[]> {
    const names = [...new Set(entries.map(({ workgroup }) => workgroup))].sort();
    return this.#postgres.db.transaction(async (inside) => {
      await inside
        .insert(auditChains)
        .values(names.map((workgroup) => ({ workgroup, seq: 0, hash: '' })))
        .onConflictDoNothing();
      const heads = await inside
        .select()
        .from(auditChains)
        .where(inArray(auditChains.workgroup, names))
        // One order everywhere, so that two processes never wait for each other.
        .orderBy(asc(auditChains.workgroup))
        .for('update');
      const byName = new Map(heads.map((head) => [head.workgroup, head]));
      const rows = entries.map((entry) => {
        const head = byName.get(entry.workgroup) as ChainHead;
        head.seq++;
        const link = { ...entry, seq: head.seq };
        head.hash = linkHash(head.hash, link);
        return { ...link, hash: head.hash };
      });
      for (let from = 0; from < rows.length; from += ROWS) {
        const some = rows.slice(from, from + ROWS);
        await inside.insert(auditEntries).values(some);
        await inside.insert(auditWaiting).values(some.map(({ workgroup, seq }) => ({ workgroup, seq })));
      }
      for (const { workgroup, seq, hash } of heads)
        await inside.update(auditChains).set({ seq, hash }).where(eq(auditChains.workgroup, workgroup));
      return rows;
    });
  }

  /** Entries that wait for their searchable copy, `count` at most. */
  async waiting(count: number): Promise<WrittenEntry[]> {
    return this.#postgres.db
      .select({
        workgroup: auditEntries.workgroup,
        seq: auditEntries.seq,
        at: auditEntries.at,
        body: auditEntries.body,
      })
      .from(auditWaiting)
      .innerJoin(
        auditEntries,
        and(eq(auditEntries.workgroup, auditWaiting.workgroup), eq(auditEntries.seq, auditWaiting.seq)),
      )
      .orderBy(asc(auditWaiting.workgroup), asc(auditWaiting.seq))
      .limit(count);
  }

  /** Numbers of the entries of a workgroup that wait for their searchable copy. */
  async waitingOf(workgroup: string): Promise<Set<number>> {
    const rows = await this.#postgres.db
      .select({ seq: auditWaiting.seq })
      .from(auditWaiting)
      .where(eq(auditWaiting.workgroup, workgroup));
    return new Set(rows.map(({ seq }) => seq));
  }

  /** The searchable copy has them. */
  async copied(entries: readonly Pick<WrittenEntry, 'workgroup' | 'seq'>[]): Promise<void> {
    for (const [workgroup, some] of Map.groupBy(entries, (entry) => entry.workgroup)) {
      const seqs = some.map(({ seq }) => seq);
      const isOne = and(eq(auditWaiting.workgroup, workgroup), inArray(auditWaiting.seq, seqs));
      await this.#postgres.db.delete(auditWaiting).where(isOne);
    }
  }

  /** By name of the workgroup. */
  async heads(): Promise<ChainHead[]> {
    return this.#postgres.db.select().from(auditChains).orderBy(asc(auditChains.workgroup));
  }

  async head(workgroup: string): Promise<ChainHead | undefined> {
    const ofIt = eq(auditChains.workgroup, workgroup);
    return (await this.#postgres.db.select().from(auditChains).where(ofIt))[0];
  }

  /** Names of all workgroups that have entries, also of those whose chain has lost its end. */
  async workgroups(): Promise<string[]> {
    const rows = await this.#postgres.db
      .select({ workgroup: auditEntries.workgroup })
      .from(auditEntries)
      .union(this.#postgres.db.select({ workgroup: auditChains.workgroup }).from(auditChains));
    return rows.map(({ workgroup }) => workgroup).sort();
  }

  /** The links of a chain with numbers above `after`, up to `to`, in order, page by page. */
  async *links(
    workgroup: string,
    { after = 0, to }: { after?: number; to?: number } = {},
  ): AsyncGenerator<(AuditLink & { at: number })[]> {
    const upTo = to === undefined ? sql`true` : sql`${auditEntries.seq} <= ${to}`;
    for (let from = after; ; ) {
      const rows = await this.#postgres.db
        .select()
        .from(auditEntries)
        .where(and(eq(auditEntries.workgroup, workgroup), gt(auditEntries.seq, from), upTo))
        .orderBy(asc(auditEntries.seq))
        .limit(ROWS);
      if (rows.length > 0) yield rows;
      if (rows.length < ROWS) return;
      from = rows.at(-1)?.seq ?? from;
    }
  }
}
