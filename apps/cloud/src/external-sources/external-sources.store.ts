import {
  type Connection,
  type ExternalRun,
  type ExternalSource,
  RUNS_KEPT,
} from '@albedo/contract/external-sources/external-sources.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { oneByOne } from '@albedo/postgres/together';
import { unlessTaken } from '@albedo/postgres/unless-taken';
import {
  and,
  desc,
  eq,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { KeptArrivals } from './arrivals.ts';
import { externalSourceFiles, externalSourceRuns, externalSources } from './external-sources.tables.ts';
import type { MailCursor } from './mail-reader.ts';

export type ExternalSourceRow = typeof externalSources.$inferSelect;
export type ExternalSourceValues = Pick<
  ExternalSourceRow,
  | 'device'
  | 'name'
  | 'kind'
  | 'isEnabled'
  | 'format'
  | 'recordsPath'
  | 'mapping'
  | 'lookup'
  | 'pull'
  | 'sftp'
  | 'mailbox'
  | 'subscription'
  | 'nextAt'
> &
  Partial<Pick<ExternalSourceRow, 'id' | 'secret' | 'tokenHash' | 'cursor' | 'newestAt'>>;

export type KnownFile = Omit<typeof externalSourceFiles.$inferSelect, 'source' | 'readAt'>;

/** Longer than mails are searched back. */
const FILES_KEPT_DAYS = 40;

/** How a run ended. */
export type RunEnd = Partial<
  Pick<ExternalSourceRow, 'lastOkAt' | 'lastError' | 'lastEvents' | 'failures' | 'newestAt' | 'nextAt'>
>;

/** What is told of a source that a broker brings. */
export interface FollowerNews {
  connection: Connection;
  lastAt: Date | null;
  lastError: string | null;
  /** Events of the last message that was stored. */
  lastEvents: number | null;
  newestAt: number;
}

/** External sources, in SQL. */
export class ExternalSourcesStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** One change at a time; all that the task writes, through whichever stores, is kept together. */
  alone<T>(workgroup: string, id: string, task: () => Promise<T>): Promise<T> {
    return oneByOne(this.#postgres, `external source ${workgroup} ${id}`, task);
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
      .set({ ...values, revision: sql`${externalSources.revision} + 1` })
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
      inArray(externalSources.kind, ['pull', 'sftp', 'mail']),
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

  /** The brokers that this process follows from now on, for so many seconds: its own, and those that nobody has. */
  lease(process: string, seconds: number): Promise<ExternalSourceRow[]> {
    const isFree = or(
      isNull(externalSources.leaseUntil),
      lt(externalSources.leaseUntil, sql`now()`),
      eq(externalSources.leaseBy, process),
    );
    return this.#postgres.db
      .update(externalSources)
      .set({ leaseBy: process, leaseUntil: sql`now() + make_interval(secs => ${seconds})` })
      .where(and(eq(externalSources.kind, 'mqtt'), eq(externalSources.isEnabled, true), isFree))
      .returning();
  }

  /** Leaves the brokers to other processes. */
  async release(process: string): Promise<void> {
    await this.#postgres.db
      .update(externalSources)
      .set({ leaseBy: null, leaseUntil: null })
      .where(eq(externalSources.leaseBy, process));
  }

  /** Of processes that have ended without a word. */
  async releaseAll(): Promise<void> {
    await this.#postgres.db
      .update(externalSources)
      .set({ leaseBy: null, leaseUntil: null })
      .where(isNotNull(externalSources.leaseBy));
  }

  async noteConnection(id: string, { connection, lastAt, lastError, ...news }: FollowerNews): Promise<void> {
    await this.#postgres.db
      .update(externalSources)
      .set({
        connection,
        lastError,
        ...(lastAt ? { lastRunAt: lastAt, lastOkAt: lastAt, lastEvents: news.lastEvents } : {}),
        ...(news.newestAt > 0 ? { newestAt: new Date(Math.min(news.newestAt, Date.now())) } : {}),
      })
      .where(eq(externalSources.id, id));
  }

  /** Of messages that are about to be stored. */
  async keepArrivals(id: string, arrivals: KeptArrivals): Promise<void> {
    await this.#postgres.db.update(externalSources).set({ arrivals }).where(eq(externalSources.id, id));
  }

  /** Keeps the outcome of a run and forgets the oldest ones. The next turn of a source that was changed meanwhile stays as it is. */
  async ended(
    { id, revision }: Pick<ExternalSourceRow, 'id' | 'revision'>,
    run: Omit<ExternalRun, '_id'>,
    end: RunEnd,
  ): Promise<void> {
    const at = new Date(run.at);
    const { db } = this.#postgres;
    const keep = (values: RunEnd, where: SQL | undefined) =>
      db
        .update(externalSources)
        .set({ lastRunAt: at, ...values })
        .where(where)
        .returning({ id: externalSources.id });
    const { nextAt: _nextAt, newestAt: _newestAt, failures: _failures, ...outcome } = end;
    let kept = await keep(end, isRevision(id, revision));
    if (kept.length === 0) kept = await keep(outcome, eq(externalSources.id, id));
    // The source was deleted meanwhile.
    if (kept.length === 0) return;
    await db.insert(externalSourceRuns).values({ ...run, source: id, at });
    const newest = db
      .select({ id: externalSourceRuns.id })
      .from(externalSourceRuns)
      .where(eq(externalSourceRuns.source, id))
      .orderBy(desc(externalSourceRuns.at), desc(externalSourceRuns.id))
      .limit(RUNS_KEPT);
    await db
      .delete(externalSourceRuns)
      .where(and(eq(externalSourceRuns.source, id), notInArray(externalSourceRuns.id, newest)));
  }

  /** The newest first. */
  async runs(workgroup: string, id: string): Promise<ExternalRun[]> {
    const rows = await this.#postgres.db
      .select({ run: externalSourceRuns })
      .from(externalSourceRuns)
      .innerJoin(externalSources, eq(externalSources.id, externalSourceRuns.source))
      .where(isSource(workgroup, id))
      .orderBy(desc(externalSourceRuns.at), desc(externalSourceRuns.id))
      .limit(RUNS_KEPT);
    return rows.map(({ run: { id: _id, source: _source, at, ...run } }) => ({
      _id,
      at: at.getTime(),
      ...run,
    }));
  }

  /** Keeps the first key that a server showed, unless somebody has entered one meanwhile. */
  async keepHostKey(id: string, revision: number, hostKey: string): Promise<boolean> {
    const rows = await this.#postgres.db
      .update(externalSources)
      .set({ sftp: sql`${externalSources.sftp} || jsonb_build_object('hostKey', ${hostKey}::text)` })
      .where(and(isRevision(id, revision), isNotNull(externalSources.sftp)))
      .returning({ id: externalSources.id });
    return rows.length > 0;
  }

  /** Whether the source is unchanged since this row was read. */
  async isAsItWas({ id, revision }: Pick<ExternalSourceRow, 'id' | 'revision'>): Promise<boolean> {
    return (await this.#postgres.db.$count(externalSources, isRevision(id, revision))) > 0;
  }

  async keepCursor(
    { id, revision }: Pick<ExternalSourceRow, 'id' | 'revision'>,
    cursor: MailCursor,
  ): Promise<void> {
    await this.#postgres.db.update(externalSources).set({ cursor }).where(isRevision(id, revision));
  }

  /** Files that were read, by name: all, or only the named ones. */
  async files(id: string, names?: readonly string[]): Promise<Map<string, KnownFile & { readAt: Date }>> {
    const { name, bytes, at, digest, readAt } = externalSourceFiles;
    const ofSource = eq(externalSourceFiles.source, id);
    const rows = await this.#postgres.db
      .select({ name, bytes, at, digest, readAt })
      .from(externalSourceFiles)
      .where(names ? and(ofSource, inArray(name, [...names])) : ofSource);
    return new Map(rows.map((row) => [row.name, row]));
  }

  /** Forgets files of mails that are too old to be searched again. */
  async forgetOldFiles(id: string): Promise<void> {
    await this.#postgres.db
      .delete(externalSourceFiles)
      .where(
        and(
          eq(externalSourceFiles.source, id),
          lt(externalSourceFiles.readAt, sql`now() - make_interval(days => ${FILES_KEPT_DAYS})`),
        ),
      );
  }

  /** Notes that a file was read, unless its source was deleted or its mapping changed meanwhile. */
  async keepFile(id: string, revision: number, file: KnownFile): Promise<void> {
    const row = { ...file, readAt: new Date() };
    if (!(await this.isAsItWas({ id, revision }))) return;
    await this.#postgres.db
      .insert(externalSourceFiles)
      .values({ source: id, ...row })
      .onConflictDoUpdate({ target: [externalSourceFiles.source, externalSourceFiles.name], set: row });
  }

  /** Forgets the named files, or all of them, so that they are read again. */
  async forgetFiles(id: string, names?: readonly string[]): Promise<void> {
    const ofSource = eq(externalSourceFiles.source, id);
    await this.#postgres.db
      .delete(externalSourceFiles)
      .where(names ? and(ofSource, inArray(externalSourceFiles.name, [...names])) : ofSource);
  }
}

/** Kinds that the cloud reads on a schedule. */
export const isScheduled = (kind: ExternalSource['kind']): boolean =>
  kind === 'pull' || kind === 'sftp' || kind === 'mail';

const isRevision = (id: string, revision: number) =>
  and(eq(externalSources.id, id), eq(externalSources.revision, revision));

const isSource = (workgroup: string, id: string) =>
  and(eq(externalSources.workgroup, workgroup), eq(externalSources.id, id));

const ms = (at: Date | null): number | null => at?.getTime() ?? null;

/** A process that has ended did not say so: then nobody is connected, and since when is not known better. */
function connectionOf({ kind, isEnabled, connection, leaseUntil }: ExternalSourceRow) {
  if (kind !== 'mqtt' || !isEnabled || !connection) return null;
  const isLed = leaseUntil !== null && leaseUntil.getTime() > Date.now();
  return isLed ? connection : { ...connection, isConnected: false };
}

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
  lookup: row.lookup,
  pull: row.pull,
  sftp: row.sftp,
  mailbox: row.mailbox,
  subscription: row.subscription,
  connection: connectionOf(row),
  hasSecret: row.secret !== null,
  lastRunAt: ms(row.lastRunAt),
  lastOkAt: ms(row.lastOkAt),
  lastError: row.lastError,
  lastEvents: row.lastEvents,
  nextAt: isScheduled(row.kind) && row.isEnabled ? ms(row.nextAt) : null,
});
