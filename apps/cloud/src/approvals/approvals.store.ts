import {
  APPROVAL_LIMITS,
  type Approval,
  type ApprovalDecision,
  type ApprovalRule,
  type ApprovalState,
  type ApprovalWay,
} from '@albedo/contract/approvals/approvals.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { and, desc, eq, gt, isNull, ne, or, type SQL } from 'drizzle-orm';
import { approvalRules, approvals } from './approvals.tables.ts';

type Row = typeof approvals.$inferSelect;

/** Who wants to reach where. */
export interface ApprovalOf {
  workgroup: string;
  deviceId: string;
  userId: string;
  way: ApprovalWay;
  target: string | null;
}

const LISTED = { workgroup: 200, device: 50 } as const;
const soon = () => new Date(Date.now() + APPROVAL_LIMITS.waitMs);

/** Requests to reach into devices, in SQL. What can happen once is one statement each, so that of two only one does it. */
export class ApprovalsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Takes the place of what the same person asked for before, and nobody decided. */
  ask(of: ApprovalOf & { by: string; reason: string }): Promise<Approval> {
    return this.#postgres.db.transaction(async (inside) => {
      await inside
        .update(approvals)
        .set({ decision: 'withdrawn', decidedAt: new Date() })
        .where(and(isOf(of), isNull(approvals.decision)));
      const [row] = await inside
        .insert(approvals)
        .values({ ...of, expiresAt: soon() })
        .returning();
      if (!row) throw new Error('The database returned no row for a new approval.');
      return approvalOf(row);
    });
  }

  /** Undefined where it is not somebody else's, or was decided or is too old. */
  async decide(
    { workgroup, deviceId, userId }: Omit<ApprovalOf, 'way' | 'target'>,
    id: string,
    decision: ApprovalDecision,
    decidedBy: string,
  ): Promise<Approval | undefined> {
    const isOpen = and(
      this.#isNamed(workgroup, deviceId, id),
      isNull(approvals.decision),
      ne(approvals.userId, userId),
      gt(approvals.expiresAt, new Date()),
    );
    const [row] = await this.#postgres.db
      .update(approvals)
      .set({ decision, decidedBy, decidedAt: new Date(), expiresAt: soon() })
      .where(isOpen)
      .returning();
    return row && approvalOf(row);
  }

  /** Undefined where it is not this person's, or was used, refused or withdrawn before. */
  async withdraw(
    { workgroup, deviceId, userId }: Omit<ApprovalOf, 'way' | 'target'>,
    id: string,
  ): Promise<Approval | undefined> {
    const isOpen = and(
      this.#isNamed(workgroup, deviceId, id),
      eq(approvals.userId, userId),
      isNull(approvals.usedAt),
      or(isNull(approvals.decision), eq(approvals.decision, 'approved')),
    );
    const [row] = await this.#postgres.db
      .update(approvals)
      .set({ decision: 'withdrawn' })
      .where(isOpen)
      .returning();
    return row && approvalOf(row);
  }

  /** Whether there is one that `use` would take. */
  async isApproved(of: ApprovalOf): Promise<boolean> {
    const rows = await this.#postgres.db
      .select({ id: approvals.id })
      .from(approvals)
      .where(isUsable(of))
      .limit(1);
    return rows.length > 0;
  }

  /** Takes one that is approved, once; of several that which ends first. */
  async use(of: ApprovalOf): Promise<Approval | undefined> {
    const { db } = this.#postgres;
    const next = await db
      .select({ id: approvals.id })
      .from(approvals)
      .where(isUsable(of))
      .orderBy(approvals.expiresAt);
    for (const { id } of next) {
      const [row] = await db
        .update(approvals)
        .set({ usedAt: new Date() })
        .where(and(eq(approvals.id, id), isUsable(of)))
        .returning();
      if (row) return approvalOf(row);
    }
    return undefined;
  }

  /** Whether one was used after `since`. */
  async wasUsed(of: ApprovalOf, since: Date): Promise<boolean> {
    const rows = await this.#postgres.db
      .select({ id: approvals.id })
      .from(approvals)
      .where(and(isOf(of), gt(approvals.usedAt, since)))
      .limit(1);
    return rows.length > 0;
  }

  async find(workgroup: string, deviceId: string, id: string): Promise<Row | undefined> {
    const [row] = await this.#postgres.db
      .select()
      .from(approvals)
      .where(this.#isNamed(workgroup, deviceId, id));
    return row;
  }

  /** Newest first. */
  list(workgroup: string): Promise<Approval[]> {
    return this.#list(eq(approvals.workgroup, workgroup), LISTED.workgroup);
  }

  /** Newest first. */
  ofDevice(workgroup: string, deviceId: string): Promise<Approval[]> {
    const isMeant = and(eq(approvals.workgroup, workgroup), eq(approvals.deviceId, deviceId));
    return this.#list(isMeant, LISTED.device);
  }

  async rule(workgroup: string): Promise<ApprovalRule> {
    const [row] = await this.#postgres.db
      .select()
      .from(approvalRules)
      .where(eq(approvalRules.workgroup, workgroup));
    return row
      ? { isNeeded: row.isNeeded, changedBy: row.changedBy, changedAt: row.changedAt.getTime() }
      : { isNeeded: false, changedBy: null, changedAt: null };
  }

  async setRule(workgroup: string, isNeeded: boolean, changedBy: string): Promise<ApprovalRule> {
    const row = { isNeeded, changedBy, changedAt: new Date() };
    await this.#postgres.db
      .insert(approvalRules)
      .values({ workgroup, ...row })
      .onConflictDoUpdate({ target: approvalRules.workgroup, set: row });
    return { ...row, changedAt: row.changedAt.getTime() };
  }

  async #list(where: SQL | undefined, count: number): Promise<Approval[]> {
    const rows = await this.#postgres.db
      .select()
      .from(approvals)
      .where(where)
      .orderBy(desc(approvals.askedAt))
      .limit(count);
    return rows.map(approvalOf);
  }

  #isNamed(workgroup: string, deviceId: string, id: string): SQL | undefined {
    return and(eq(approvals.id, id), eq(approvals.workgroup, workgroup), eq(approvals.deviceId, deviceId));
  }
}

const isOf = ({ workgroup, deviceId, userId, way, target }: ApprovalOf): SQL | undefined =>
  and(
    eq(approvals.workgroup, workgroup),
    eq(approvals.deviceId, deviceId),
    eq(approvals.userId, userId),
    eq(approvals.way, way),
    target === null ? isNull(approvals.target) : eq(approvals.target, target),
  );

const isUsable = (of: ApprovalOf): SQL | undefined =>
  and(
    isOf(of),
    eq(approvals.decision, 'approved'),
    isNull(approvals.usedAt),
    gt(approvals.expiresAt, new Date()),
  );

function approvalOf({ userId: _user, workgroup: _workgroup, decision, ...row }: Row): Approval {
  return {
    ...row,
    state: stateOf(row.usedAt, decision, row.expiresAt),
    askedAt: row.askedAt.getTime(),
    expiresAt: row.expiresAt.getTime(),
    decidedAt: row.decidedAt?.getTime() ?? null,
    usedAt: row.usedAt?.getTime() ?? null,
  };
}

function stateOf(usedAt: Date | null, decision: Row['decision'], expiresAt: Date): ApprovalState {
  if (usedAt) return 'used';
  if (decision === 'refused' || decision === 'withdrawn') return decision;
  if (expiresAt.getTime() <= Date.now()) return 'expired';
  return decision ?? 'asked';
}
