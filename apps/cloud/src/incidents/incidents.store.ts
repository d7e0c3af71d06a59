import type { IncidentTransition } from '@albedo/contract/incidents/incidents.schema';
import type { Postgres, Transaction } from '@albedo/postgres/postgres';
import { together, transactionNow } from '@albedo/postgres/together';
import { and, asc, desc, eq, gte, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import type { IncidentRow } from './incident-state.ts';
import { incidentSteps, incidents } from './incidents.tables.ts';

export type NewIncidentRow = typeof incidents.$inferInsert;
export type StepRow = typeof incidentSteps.$inferSelect;
export type NewStep = typeof incidentSteps.$inferInsert;
export type IncidentPatch = Partial<Omit<NewIncidentRow, 'id' | 'workgroup' | 'alert' | 'subjectKey'>>;

/** Rows of one statement. */
const ROWS = 500;

/** Incidents and what happened to them, in SQL. */
export class IncidentsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Does all of it or nothing, with all that those who hear of it write. */
  together<T>(work: (inside: Transaction) => Promise<T>): Promise<T> {
    return together(this.#postgres, async () => {
      const inside = transactionNow();
      if (!inside) throw new Error('There is no transaction around it.');
      return work(inside);
    });
  }

  /** Open ones of all workgroups. */
  allOpen(): Promise<IncidentRow[]> {
    return this.#postgres.db.select().from(incidents).where(isNull(incidents.closedAt));
  }

  open(workgroup: string): Promise<IncidentRow[]> {
    return this.#postgres.db
      .select()
      .from(incidents)
      .where(and(eq(incidents.workgroup, workgroup), isNull(incidents.closedAt)));
  }

  /** Those that stood at any time of the span, the newest first. */
  during(
    workgroup: string,
    {
      from,
      to,
      alert,
      device,
      rows,
    }: { from: number; to: number; alert?: string | undefined; device?: string | undefined; rows: number },
    /** Only of these devices; null for all. */
    among: readonly string[] | null,
  ): Promise<IncidentRow[]> {
    return this.#postgres.db
      .select()
      .from(incidents)
      .where(
        and(
          eq(incidents.workgroup, workgroup),
          lt(incidents.createdAt, new Date(to)),
          or(isNull(incidents.closedAt), gte(incidents.closedAt, new Date(from))),
          ...(alert ? [eq(incidents.alert, alert)] : []),
          ...(device ? [eq(incidents.device, device)] : []),
          ...(among ? [inArray(incidents.device, [...among])] : []),
        ),
      )
      .orderBy(desc(incidents.createdAt), incidents.id)
      .limit(rows);
  }

  /** The subjects of the last ended incidents, newest first. */
  ended(
    workgroup: string,
    among: readonly string[] | null,
    rows: number,
  ): Promise<Pick<IncidentRow, 'device' | 'source' | 'closedAt'>[]> {
    return this.#postgres.db
      .select({ device: incidents.device, source: incidents.source, closedAt: incidents.closedAt })
      .from(incidents)
      .where(
        and(
          eq(incidents.workgroup, workgroup),
          isNotNull(incidents.closedAt),
          ...(among ? [inArray(incidents.device, [...among])] : []),
        ),
      )
      .orderBy(desc(incidents.closedAt))
      .limit(rows);
  }

  async find(workgroup: string, id: string): Promise<IncidentRow | undefined> {
    const [row] = await this.#postgres.db
      .select()
      .from(incidents)
      .where(isOf(workgroup, [id]));
    return row;
  }

  byIds(workgroup: string, ids: readonly string[]): Promise<IncidentRow[]> {
    if (ids.length === 0) return Promise.resolve([]);
    return this.#postgres.db.select().from(incidents).where(isOf(workgroup, ids));
  }

  /** The timeline of one, oldest first. */
  steps(workgroup: string, incident: string): Promise<StepRow[]> {
    return this.#postgres.db
      .select()
      .from(incidentSteps)
      .where(and(eq(incidentSteps.workgroup, workgroup), eq(incidentSteps.incident, incident)))
      .orderBy(asc(incidentSteps.seq))
      .limit(2000);
  }

  /** Times at which people were told of something, with what it was; oldest first. */
  announcements(workgroup: string, from: number, to: number) {
    return this.#postgres.db
      .select({
        at: incidentSteps.at,
        incident: incidents.id,
        alert: incidents.alert,
        name: incidents.name,
        subject: incidents.subject,
        subjectKey: incidents.subjectKey,
        severity: incidents.severity,
        device: incidents.device,
        source: incidents.source,
        createdAt: incidents.createdAt,
        closedAt: incidents.closedAt,
        clearedAt: incidents.clearedAt,
      })
      .from(incidentSteps)
      .innerJoin(incidents, eq(incidents.id, incidentSteps.incident))
      .where(
        and(
          eq(incidentSteps.workgroup, workgroup),
          gte(incidentSteps.at, new Date(from)),
          lt(incidentSteps.at, new Date(to)),
          inArray(incidentSteps.action, ['opened', 'reopened', 'unsuppressed', 'unshelved']),
          inArray(incidentSteps.state, ['unacknowledged', 'acknowledged']),
        ),
      )
      .orderBy(asc(incidentSteps.at))
      .limit(200_000);
  }

  /** Those that are new; one that is open already for its alert and subject is left as it is. */
  async add(rows: readonly NewIncidentRow[], inside: Transaction): Promise<IncidentRow[]> {
    const added: IncidentRow[] = [];
    // In one order everywhere, so that two processes never wait for each other.
    const sorted = rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    for (let at = 0; at < sorted.length; at += ROWS) {
      const some = sorted.slice(at, at + ROWS);
      added.push(
        ...(await inside
          .insert(incidents)
          .values([...some])
          .onConflictDoNothing()
          .returning()),
      );
    }
    return added;
  }

  /** Locks rows until the end of the transaction, in one order everywhere. */
  async lock(workgroup: string, ids: readonly string[], inside: Transaction): Promise<IncidentRow[]> {
    const rows: IncidentRow[] = [];
    const sorted = [...new Set(ids)].sort();
    for (let at = 0; at < sorted.length; at += ROWS)
      rows.push(
        ...(await inside
          .select()
          .from(incidents)
          .where(isOf(workgroup, sorted.slice(at, at + ROWS)))
          .orderBy(asc(incidents.id))
          .for('update')),
      );
    return rows;
  }

  /** The same change of several. */
  async patch(
    workgroup: string,
    ids: readonly string[],
    patch: IncidentPatch,
    inside: Transaction,
  ): Promise<void> {
    for (let at = 0; at < ids.length; at += ROWS)
      await inside
        .update(incidents)
        .set(patch)
        .where(isOf(workgroup, ids.slice(at, at + ROWS)));
  }

  async addSteps(steps: readonly NewStep[], inside: Transaction): Promise<void> {
    for (let at = 0; at < steps.length; at += ROWS)
      await inside.insert(incidentSteps).values(steps.slice(at, at + ROWS));
  }

  /** Steps that are still to be copied into the telemetry, with what they are about. */
  waiting(count: number) {
    return this.#postgres.db
      .select({ step: incidentSteps, incident: incidents })
      .from(incidentSteps)
      .innerJoin(incidents, eq(incidents.id, incidentSteps.incident))
      .where(sql`not ${incidentSteps.isCopied}`)
      .orderBy(asc(incidentSteps.seq))
      .limit(count);
  }

  async copied(seqs: readonly number[]): Promise<void> {
    if (seqs.length === 0) return;
    await this.#postgres.db
      .update(incidentSteps)
      .set({ isCopied: true })
      .where(inArray(incidentSteps.seq, [...seqs]));
  }

  async setEnergy(workgroup: string, id: string, energy: NonNullable<IncidentRow['energy']>): Promise<void> {
    await this.#postgres.db
      .update(incidents)
      .set({ energy })
      .where(isOf(workgroup, [id]));
  }
}

export type Announcement = Awaited<ReturnType<IncidentsStore['announcements']>>[number];
export type WaitingStep = Awaited<ReturnType<IncidentsStore['waiting']>>[number];
export type StepAction = IncidentTransition['action'];

const isOf = (workgroup: string, ids: readonly string[]) =>
  and(eq(incidents.workgroup, workgroup), inArray(incidents.id, [...ids]));

const keyOf = ({ alert, subjectKey }: NewIncidentRow): string => `${alert} ${subjectKey}`;
