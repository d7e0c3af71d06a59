import type { BulkTarget, BulkTargetState } from '@albedo/contract/bulk-actions/bulk-actions.schema';
import type { Postgres, Transaction } from '@albedo/postgres/postgres';
import { and, asc, count, desc, eq, inArray } from 'drizzle-orm';
import { bulkActions, bulkTargets } from './bulk-actions.tables.ts';

export type BulkRow = typeof bulkActions.$inferSelect;
export type TargetRow = typeof bulkTargets.$inferSelect;
export type NewBulk = Pick<
  BulkRow,
  'workgroup' | 'about' | 'work' | 'plan' | 'waves' | 'byUser' | 'byEmail' | 'byAddress'
>;
export type Counts = Record<BulkTargetState, number>;

/** Rows of one insert. */
const BATCH = 1000;
const NONE: Counts = { waiting: 0, queued: 0, working: 0, done: 0, failed: 0, cancelled: 0 };

/** Bulk actions and what came of them, in SQL. */
export class BulkActionsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#postgres.db.transaction(work);
  }

  /** With its targets, `waves` lists the devices of each. */
  async add(action: NewBulk, waves: readonly (readonly string[])[]): Promise<BulkRow> {
    return this.#postgres.db.transaction(async (inside) => {
      const [row] = await inside
        .insert(bulkActions)
        .values({ ...action, state: 'running' })
        .returning();
      if (!row) throw new Error('The database returned no row for a new bulk action.');
      const targets = waves.flatMap((devices, at) =>
        devices.map((deviceId) => ({
          workgroup: row.workgroup,
          actionId: row.id,
          deviceId,
          wave: at + 1,
          state: 'waiting' as const,
        })),
      );
      for (let from = 0; from < targets.length; from += BATCH) {
        await inside.insert(bulkTargets).values(targets.slice(from, from + BATCH));
      }
      return row;
    });
  }

  /** Newest first, each with how many devices are where. */
  async list(workgroup: string, limit: number): Promise<(BulkRow & { counts: Counts })[]> {
    const { db } = this.#postgres;
    const rows = await db
      .select()
      .from(bulkActions)
      .where(eq(bulkActions.workgroup, workgroup))
      .orderBy(desc(bulkActions.createdAt))
      .limit(limit);
    const counts = await this.#counts(rows.map(({ id }) => id));
    return rows.map((row) => ({ ...row, counts: counts.get(row.id) ?? NONE }));
  }

  async get(workgroup: string, id: string): Promise<(BulkRow & { counts: Counts }) | undefined> {
    const where = and(eq(bulkActions.workgroup, workgroup), eq(bulkActions.id, id));
    const [row] = await this.#postgres.db.select().from(bulkActions).where(where);
    return row && { ...row, counts: (await this.#counts([id])).get(id) ?? NONE };
  }

  /** For the engine, which knows the action by its id alone. */
  async find(id: string): Promise<BulkRow | undefined> {
    const [row] = await this.#postgres.db.select().from(bulkActions).where(eq(bulkActions.id, id));
    return row;
  }

  /** Ids of those that go on by themselves. */
  async running(): Promise<string[]> {
    const rows = await this.#postgres.db
      .select({ id: bulkActions.id })
      .from(bulkActions)
      .where(eq(bulkActions.state, 'running'));
    return rows.map(({ id }) => id);
  }

  /** Ids of running ones that wait for one of the devices. */
  async waitingFor(deviceIds: readonly string[]): Promise<string[]> {
    const rows = await this.#postgres.db
      .selectDistinct({ id: bulkActions.id })
      .from(bulkTargets)
      .innerJoin(bulkActions, eq(bulkActions.id, bulkTargets.actionId))
      .where(
        and(
          inArray(bulkTargets.deviceId, [...deviceIds]),
          eq(bulkTargets.state, 'queued'),
          eq(bulkActions.state, 'running'),
        ),
      );
    return rows.map(({ id }) => id);
  }

  /** The devices of each of some actions. */
  async devicesOf(ids: string[]): Promise<Map<string, string[]>> {
    if (ids.length === 0) return new Map();
    const { actionId, deviceId } = bulkTargets;
    const { db } = this.#postgres;
    const rows = await db.select({ actionId, deviceId }).from(bulkTargets).where(inArray(actionId, ids));
    const all = Map.groupBy(rows, (row) => row.actionId);
    return new Map([...all].map(([id, own]) => [id, own.map((row) => row.deviceId)]));
  }

  targets(actionId: string): Promise<TargetRow[]> {
    return this.#postgres.db
      .select()
      .from(bulkTargets)
      .where(eq(bulkTargets.actionId, actionId))
      .orderBy(asc(bulkTargets.wave), asc(bulkTargets.deviceId));
  }

  async target(actionId: string, deviceId: string): Promise<TargetRow | undefined> {
    const [row] = await this.#postgres.db.select().from(bulkTargets).where(one(actionId, deviceId));
    return row;
  }

  /** Changes an action unless it is over; false where it is. */
  async set(
    id: string,
    change: Partial<BulkRow>,
    states: readonly BulkRow['state'][] = ['running'],
  ): Promise<boolean> {
    const where = and(eq(bulkActions.id, id), inArray(bulkActions.state, [...states]));
    const rows = await this.#postgres.db
      .update(bulkActions)
      .set(change)
      .where(where)
      .returning({ id: bulkActions.id });
    return rows.length > 0;
  }

  async setTarget(
    actionId: string,
    deviceId: string,
    change: Partial<TargetRow>,
    inside: Pick<Transaction, 'update'> = this.#postgres.db,
  ): Promise<void> {
    await inside.update(bulkTargets).set(change).where(one(actionId, deviceId));
  }

  /** One that was under way waits again; where the action was cancelled meanwhile, it is cancelled with it. */
  async release(actionId: string, deviceId: string): Promise<void> {
    await this.setTarget(actionId, deviceId, { state: 'waiting' });
    if ((await this.find(actionId))?.state === 'cancelled') await this.cancelOpen(actionId);
  }

  /** Marks one as under way; false where somebody cancelled it meanwhile. */
  async take(actionId: string, deviceId: string, inside: Transaction): Promise<boolean> {
    const isOpen = inArray(bulkTargets.state, ['waiting', 'queued']);
    const rows = await inside
      .update(bulkTargets)
      .set({ state: 'working' })
      .where(and(one(actionId, deviceId), isOpen))
      .returning({ deviceId: bulkTargets.deviceId });
    return rows.length > 0;
  }

  async cancelOpen(actionId: string): Promise<void> {
    const isOpen = inArray(bulkTargets.state, ['waiting', 'queued']);
    await this.#postgres.db
      .update(bulkTargets)
      .set({ state: 'cancelled', endedAt: new Date() })
      .where(and(eq(bulkTargets.actionId, actionId), isOpen));
  }

  async #counts(ids: string[]): Promise<Map<string, Counts>> {
    const all = new Map<string, Counts>();
    if (ids.length === 0) return all;
    const rows = await this.#postgres.db
      .select({ id: bulkTargets.actionId, state: bulkTargets.state, count: count() })
      .from(bulkTargets)
      .where(inArray(bulkTargets.actionId, ids))
      .groupBy(bulkTargets.actionId, bulkTargets.state);
    for (const row of rows) all.set(row.id, { ...NONE, ...all.get(row.id), [row.state]: row.count });
    return all;
  }
}

const one = (actionId: string, deviceId: string) =>
  and(eq(bulkTargets.actionId, actionId), eq(bulkTargets.deviceId, deviceId));

export const targetOf = ({ deviceId, wave, state, message, endedAt }: TargetRow): BulkTarget => ({
  deviceId,
  wave,
  state,
  message,
  endedAt: endedAt?.getTime() ?? null,
});
