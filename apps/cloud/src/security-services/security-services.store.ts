import type {
  SecurityFinding,
  SecurityScan,
  SecurityTask,
} from '@albedo/contract/security-services/security-services.schema';
import type { Postgres, Transaction } from '@albedo/postgres/postgres';
import { and, desc, eq, inArray, isNull, lt, notInArray, or, sql } from 'drizzle-orm';
import type { Differences } from './differences.ts';
import { securityFindings, securityJobs, securityScans } from './security-services.tables.ts';

export type JobRow = typeof securityJobs.$inferSelect;

/** Of one job. */
const KEPT_SCANS = 200;
/** Findings of one statement. */
const BATCH = 500;

/** Jobs, scans and findings, in SQL. */
export class SecurityServicesStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  transaction<T>(work: (inside: Transaction) => Promise<T>): Promise<T> {
    return this.#postgres.db.transaction(work);
  }

  /** Of both kinds. */
  all(workgroup: string): Promise<JobRow[]> {
    return this.#postgres.db.select().from(securityJobs).where(eq(securityJobs.workgroup, workgroup));
  }

  /** Those of them that are there, with the jobs of the same devices of the other kind. */
  async some(workgroup: string, ids: readonly string[]): Promise<JobRow[]> {
    if (ids.length === 0) return [];
    const { db } = this.#postgres;
    const meant = and(eq(securityJobs.workgroup, workgroup), inArray(securityJobs.id, [...ids]));
    const devices = db.select({ id: securityJobs.deviceId }).from(securityJobs).where(meant);
    const where = and(eq(securityJobs.workgroup, workgroup), inArray(securityJobs.deviceId, devices));
    return db.select().from(securityJobs).where(where);
  }

  async one(workgroup: string, id: string): Promise<JobRow | null> {
    const where = and(eq(securityJobs.workgroup, workgroup), eq(securityJobs.id, id));
    const [row] = await this.#postgres.db.select().from(securityJobs).where(where);
    return row ?? null;
  }

  /** Makes what is missing; answers the jobs as they were before, and as they are. */
  async enable(
    of: { workgroup: string; task: SecurityTask; enabled: boolean },
    devices: readonly string[],
  ): Promise<{ before: JobRow[]; after: JobRow[] }> {
    const { workgroup, task, enabled } = of;
    return this.#postgres.db.transaction(async (inside) => {
      const meant = and(
        eq(securityJobs.workgroup, workgroup),
        eq(securityJobs.task, task),
        inArray(securityJobs.deviceId, [...devices]),
      );
      const before = await inside.select().from(securityJobs).where(meant);
      const after = await inside
        .insert(securityJobs)
        .values(devices.map((deviceId) => ({ workgroup, task, deviceId, enabled })))
        .onConflictDoUpdate({ target: [securityJobs.deviceId, securityJobs.task], set: { enabled } })
        .returning();
      return { before, after };
    });
  }

  async setEnabled(workgroup: string, id: string, enabled: boolean): Promise<JobRow | null> {
    const where = and(eq(securityJobs.workgroup, workgroup), eq(securityJobs.id, id));
    const [row] = await this.#postgres.db.update(securityJobs).set({ enabled }).where(where).returning();
    return row ?? null;
  }

  /** Jobs of all workgroups that are scanned every week. */
  weekly(): Promise<JobRow[]> {
    const { db } = this.#postgres;
    return db
      .select()
      .from(securityJobs)
      .where(eq(securityJobs.enabled, true))
      .orderBy(securityJobs.deviceId);
  }

  /** Marks those that nothing is under way of, or whose scan was lost before `lostBefore`; answers them. */
  schedule(
    ids: readonly string[],
    { by, at, lostBefore }: { by: string | null; at: Date; lostBefore: Date },
    inside: Transaction,
  ): Promise<JobRow[]> {
    const isFree = or(eq(securityJobs.state, 'idle'), lt(securityJobs.stateAt, lostBefore));
    return inside
      .update(securityJobs)
      .set({ state: 'scheduled', stateAt: at, by })
      .where(and(inArray(securityJobs.id, [...ids]), isFree))
      .returning();
  }

  async begin(workgroup: string, id: string, at: Date): Promise<JobRow | null> {
    const where = and(eq(securityJobs.workgroup, workgroup), eq(securityJobs.id, id));
    const set = { state: 'running', stateAt: at } as const;
    const [row] = await this.#postgres.db.update(securityJobs).set(set).where(where).returning();
    return row ?? null;
  }

  /** Writes what a scan came to; null where the job is gone. */
  async end(
    id: string,
    { scan, findings }: { scan: SecurityScan; findings: Differences['findings'] },
    inside: Transaction,
  ): Promise<JobRow | null> {
    const at = new Date(scan.endedAt);
    const [job] = await inside
      .update(securityJobs)
      .set({ state: 'idle', stateAt: at, by: null, lastScan: scan })
      .where(eq(securityJobs.id, id))
      .returning();
    if (!job) return null;
    await inside.insert(securityScans).values({ id: scan._id, jobId: id, endedAt: at, scan });
    for (let from = 0; from < findings.length; from += BATCH)
      await this.#put(id, findings.slice(from, from + BATCH), inside);
    await this.#forgetOld(id, inside);
    return this.#count(id, inside);
  }

  async findings(
    id: string,
    inside: Transaction | Postgres['db'] = this.#postgres.db,
  ): Promise<SecurityFinding[]> {
    const rows = await inside.select().from(securityFindings).where(eq(securityFindings.jobId, id));
    return rows.map(findingOf);
  }

  /** Whether a scan has looked before, whatever it found. */
  async hasLooked(id: string, inside: Transaction): Promise<boolean> {
    const count = await inside.$count(
      securityScans,
      and(eq(securityScans.jobId, id), sql`${securityScans.scan} ->> 'outcome' <> 'failed'`),
    );
    return count > 0;
  }

  /** Newest first. */
  async scans(id: string, count: number): Promise<SecurityScan[]> {
    const rows = await this.#postgres.db
      .select({ scan: securityScans.scan })
      .from(securityScans)
      .where(eq(securityScans.jobId, id))
      .orderBy(desc(securityScans.endedAt), desc(securityScans.id))
      .limit(count);
    return rows.map(({ scan }) => scan);
  }

  /** Accepts findings, or with null takes that back; answers the keys of those that are there. */
  async accept(
    id: string,
    keys: readonly string[],
    acceptance: { note: string; by: string; at: Date } | null,
    inside: Transaction,
  ): Promise<{ keys: string[]; job: JobRow | null }> {
    const accepted = await inside
      .update(securityFindings)
      .set({
        acceptedNote: acceptance?.note ?? null,
        acceptedBy: acceptance?.by ?? null,
        acceptedAt: acceptance?.at ?? null,
      })
      .where(and(eq(securityFindings.jobId, id), inArray(securityFindings.key, [...keys])))
      .returning({ key: securityFindings.key });
    return { keys: accepted.map(({ key }) => key), job: await this.#count(id, inside) };
  }

  async #put(jobId: string, findings: readonly SecurityFinding[], inside: Transaction): Promise<void> {
    const rows = findings.map(({ accepted: _, knownSince, lastSeenAt, goneAt, ...finding }) => ({
      ...finding,
      jobId,
      knownSince: new Date(knownSince),
      lastSeenAt: new Date(lastSeenAt),
      goneAt: goneAt === null ? null : new Date(goneAt),
    }));
    // Whether somebody accepted it is not the scan's to write: that may have happened meanwhile.
    await inside
      .insert(securityFindings)
      .values(rows)
      .onConflictDoUpdate({
        target: [securityFindings.jobId, securityFindings.key],
        set: {
          state: sql`excluded.state`,
          description: sql`excluded.description`,
          addresses: sql`excluded.addresses`,
          before: sql`excluded.before`,
          lastSeenAt: sql`excluded.last_seen_at`,
          goneAt: sql`excluded.gone_at`,
        },
      });
  }

  async #forgetOld(jobId: string, inside: Transaction): Promise<void> {
    const kept = inside
      .select({ id: securityScans.id })
      .from(securityScans)
      .where(eq(securityScans.jobId, jobId))
      .orderBy(desc(securityScans.endedAt), desc(securityScans.id))
      .limit(KEPT_SCANS);
    await inside
      .delete(securityScans)
      .where(and(eq(securityScans.jobId, jobId), notInArray(securityScans.id, kept)));
    // Phones make up an address for every network, and would pile up for ever.
    await inside
      .delete(securityFindings)
      .where(
        and(
          eq(securityFindings.jobId, jobId),
          isNull(securityFindings.acceptedAt),
          sql`${securityFindings.goneAt} < now() - interval '400 days'`,
        ),
      );
  }

  async #count(jobId: string, inside: Transaction): Promise<JobRow | null> {
    const open = sql`(select count(*)::int from ${securityFindings} where ${securityFindings.jobId} = ${jobId}
      and ${securityFindings.state} <> 'gone' and ${securityFindings.acceptedAt} is null)`;
    const [row] = await inside
      .update(securityJobs)
      .set({ unaccepted: open })
      .where(eq(securityJobs.id, jobId))
      .returning();
    return row ?? null;
  }
}

function findingOf(row: typeof securityFindings.$inferSelect): SecurityFinding {
  const { jobId: _, knownSince, lastSeenAt, goneAt, acceptedNote, acceptedBy, acceptedAt, ...finding } = row;
  return {
    ...finding,
    knownSince: knownSince.getTime(),
    lastSeenAt: lastSeenAt.getTime(),
    goneAt: goneAt?.getTime() ?? null,
    accepted: acceptedAt
      ? { note: acceptedNote ?? '', by: acceptedBy ?? '', at: acceptedAt.getTime() }
      : null,
  };
}
