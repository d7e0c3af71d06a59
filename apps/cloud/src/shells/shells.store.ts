import {
  type RemoteAccess,
  SHELL_LIMITS,
  type ShellEnd,
  type ShellFactor,
  type ShellRecording,
  type ShellRule,
  type ShellSession,
} from '@albedo/contract/shells/shells.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { oneByOne } from '@albedo/postgres/together';
import { and, asc, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import { remoteAccess, shellParts, shellRules, shellSessions } from './shells.tables.ts';

type Row = typeof shellSessions.$inferSelect;
export type RecordedPart = Omit<typeof shellParts.$inferSelect, 'sessionId'>;

/** Whose shell, on which device. */
export interface ShellOf {
  workgroup: string;
  deviceId: string;
  userId: string;
}

const LISTED = 100;

/** Remote shells and their recordings, in SQL. */
export class ShellsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  async open(of: ShellOf & { by: string }): Promise<ShellSession> {
    const [row] = await this.#postgres.db.insert(shellSessions).values(of).returning();
    if (!row) throw new Error('The database returned no row for a new shell.');
    return sessionOf(row);
  }

  /** Takes one that was opened after `since` and that nobody has connected to; once. */
  async start(of: ShellOf, id: string, since: Date): Promise<boolean> {
    const isMeant = and(
      eq(shellSessions.id, id),
      eq(shellSessions.workgroup, of.workgroup),
      eq(shellSessions.deviceId, of.deviceId),
      eq(shellSessions.userId, of.userId),
      isNull(shellSessions.startedAt),
      isNull(shellSessions.endedAt),
      gt(shellSessions.openedAt, since),
    );
    const rows = await this.#postgres.db
      .update(shellSessions)
      .set({ startedAt: new Date() })
      .where(isMeant)
      .returning({ id: shellSessions.id });
    return rows.length > 0;
  }

  async end(id: string, end: ShellEnd): Promise<void> {
    const isOpen = and(eq(shellSessions.id, id), isNull(shellSessions.endedAt));
    await this.#postgres.db.update(shellSessions).set({ endedAt: new Date(), end }).where(isOpen);
  }

  /** Those that nobody connected to in time, and those whose process ended before them. */
  async endStale(now = Date.now()): Promise<(ShellOf & { id: string; end: ShellEnd })[]> {
    const { attachMs, sessionMs } = SHELL_LIMITS;
    const before = (ms: number) => lt(shellSessions.openedAt, new Date(now - ms));
    const ended: (ShellOf & { id: string; end: ShellEnd })[] = [];
    for (const [end, where] of [
      ['unattached', and(isNull(shellSessions.startedAt), before(attachMs))],
      ['time', before(sessionMs + 2 * attachMs)],
    ] as const) {
      const rows = await this.#postgres.db
        .update(shellSessions)
        .set({ endedAt: new Date(now), end })
        .where(and(where, isNull(shellSessions.endedAt)))
        .returning();
      ended.push(
        ...rows.map(({ id, workgroup, deviceId, userId }) => ({ id, workgroup, deviceId, userId, end })),
      );
    }
    return ended;
  }

  async keep(sessionId: string, parts: RecordedPart[], bytes: number): Promise<void> {
    await this.#postgres.db.transaction(async (inside) => {
      await inside.insert(shellParts).values(parts.map((part) => ({ ...part, sessionId })));
      await inside
        .update(shellSessions)
        .set({ bytes: sql`${shellSessions.bytes} + ${bytes}` })
        .where(eq(shellSessions.id, sessionId));
    });
  }

  /** Newest first. */
  async list(workgroup: string, deviceId: string): Promise<ShellSession[]> {
    const isMeant = and(eq(shellSessions.workgroup, workgroup), eq(shellSessions.deviceId, deviceId));
    const rows = await this.#postgres.db
      .select()
      .from(shellSessions)
      .where(isMeant)
      .orderBy(desc(shellSessions.openedAt))
      .limit(LISTED);
    return rows.map(sessionOf);
  }

  /** Null where there is none. */
  async recording(workgroup: string, deviceId: string, id: string): Promise<ShellRecording | null> {
    const isMeant = and(
      eq(shellSessions.workgroup, workgroup),
      eq(shellSessions.deviceId, deviceId),
      eq(shellSessions.id, id),
    );
    const [row] = await this.#postgres.db.select().from(shellSessions).where(isMeant);
    if (!row) return null;
    const parts = await this.#postgres.db
      .select()
      .from(shellParts)
      .where(eq(shellParts.sessionId, id))
      .orderBy(asc(shellParts.number));
    return {
      session: sessionOf(row),
      parts: parts.map(({ atMs, output, cols, rows }) => ({
        atMs,
        output,
        size: cols === null || rows === null ? null : { cols, rows },
      })),
    };
  }

  async rule(workgroup: string): Promise<ShellRule> {
    const [row] = await this.#postgres.db
      .select()
      .from(shellRules)
      .where(eq(shellRules.workgroup, workgroup));
    return row
      ? { factor: row.factor, changedBy: row.changedBy, changedAt: row.changedAt.getTime() }
      : { factor: 'any', changedBy: null, changedAt: null };
  }

  /** One change of the rule at a time; all that the task writes, through whichever stores, is kept together. */
  aloneWithRule<T>(workgroup: string, task: () => Promise<T>): Promise<T> {
    return oneByOne(this.#postgres, `shell rule ${workgroup}`, task);
  }

  async setRule(workgroup: string, factor: ShellFactor, changedBy: string): Promise<ShellRule> {
    const row = { factor, changedBy, changedAt: new Date() };
    await this.#postgres.db
      .insert(shellRules)
      .values({ workgroup, ...row })
      .onConflictDoUpdate({ target: shellRules.workgroup, set: row });
    return { ...row, changedAt: row.changedAt.getTime() };
  }

  async access(workgroup: string): Promise<RemoteAccess> {
    const [row] = await this.#postgres.db
      .select()
      .from(remoteAccess)
      .where(eq(remoteAccess.workgroup, workgroup));
    return row
      ? { isAllowed: row.isAllowed, changedBy: row.changedBy, changedAt: row.changedAt.getTime() }
      : { isAllowed: true, changedBy: null, changedAt: null };
  }

  async setAccess(workgroup: string, isAllowed: boolean, changedBy: string): Promise<RemoteAccess> {
    const row = { isAllowed, changedBy, changedAt: new Date() };
    await this.#postgres.db
      .insert(remoteAccess)
      .values({ workgroup, ...row })
      .onConflictDoUpdate({ target: remoteAccess.workgroup, set: row });
    return { ...row, changedAt: row.changedAt.getTime() };
  }
}

const sessionOf = ({ userId: _user, workgroup: _workgroup, ...row }: Row): ShellSession => ({
  ...row,
  openedAt: row.openedAt.getTime(),
  startedAt: row.startedAt?.getTime() ?? null,
  endedAt: row.endedAt?.getTime() ?? null,
});
