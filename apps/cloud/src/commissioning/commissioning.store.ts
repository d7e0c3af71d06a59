import {
  type Commissioning,
  type CommissioningPlan,
  commissioningPlan,
} from '@albedo/contract/commissioning/commissioning.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { unlessGone } from '@albedo/postgres/unless-taken';
import { and, desc, eq } from 'drizzle-orm';
import { commissionings } from './commissioning.tables.ts';

/** Whose setups are meant. */
export interface Person {
  workgroup: string;
  userId: string;
}

/** Setups of plants, in SQL. Every function takes the workgroup and the person: nobody sees those of others. */
export class CommissioningStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  async list(of: Person): Promise<Commissioning[]> {
    const rows = await this.#postgres.db
      .select()
      .from(commissionings)
      .where(isOf(of))
      .orderBy(desc(commissionings.changedAt));
    return rows.map(commissioningOf);
  }

  async get(of: Person, id: string): Promise<Commissioning | undefined> {
    const [row] = await this.#postgres.db.select().from(commissionings).where(isOne(of, id));
    return row && commissioningOf(row);
  }

  /** The one that is there already stays as it is; undefined where the device is gone. */
  async begin({ workgroup, userId }: Person, deviceId: string): Promise<Commissioning | undefined> {
    const plan = commissioningPlan.parse({});
    const isThere = await unlessGone(
      this.#postgres.db
        .insert(commissionings)
        .values({ workgroup, userId, deviceId, plan })
        .onConflictDoNothing()
        .then(() => true),
      false,
    );
    if (!isThere) return undefined;
    const [row] = await this.#postgres.db
      .select()
      .from(commissionings)
      .where(and(isOf({ workgroup, userId }), eq(commissionings.deviceId, deviceId)));
    return row && commissioningOf(row);
  }

  async set(
    of: Person,
    id: string,
    change: Partial<Pick<Commissioning, 'step' | 'entity'>> & { plan?: CommissioningPlan },
  ): Promise<Commissioning | undefined> {
    const [row] = await this.#postgres.db
      .update(commissionings)
      .set({ ...change, changedAt: new Date() })
      .where(isOne(of, id))
      .returning();
    return row && commissioningOf(row);
  }

  async remove(of: Person, id: string): Promise<boolean> {
    const gone = await this.#postgres.db
      .delete(commissionings)
      .where(isOne(of, id))
      .returning({ id: commissionings.id });
    return gone.length > 0;
  }
}

const isOf = ({ workgroup, userId }: Person) =>
  and(eq(commissionings.workgroup, workgroup), eq(commissionings.userId, userId));
const isOne = (of: Person, id: string) => and(isOf(of), eq(commissionings.id, id));

const commissioningOf = (row: typeof commissionings.$inferSelect): Commissioning => ({
  id: row.id,
  device: row.deviceId,
  step: row.step,
  plan: row.plan,
  entity: row.entity,
  createdAt: row.createdAt.getTime(),
  changedAt: row.changedAt.getTime(),
});
