import type { Postgres } from '@albedo/postgres/postgres';
import { eq } from 'drizzle-orm';
import { natGateways } from './cloud-devices.tables.ts';

export type NatGatewayRow = typeof natGateways.$inferSelect;

/** NAT gateways of workgroups, in SQL. */
export class NatGatewaysStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  async get(workgroup: string): Promise<NatGatewayRow | undefined> {
    const [row] = await this.#postgres.db.select().from(natGateways).where(isOf(workgroup));
    return row;
  }

  /** Undefined where there is one. */
  async add(row: Omit<NatGatewayRow, 'createdAt'>): Promise<NatGatewayRow | undefined> {
    const [made] = await this.#postgres.db.insert(natGateways).values(row).onConflictDoNothing().returning();
    return made;
  }

  async allow(workgroup: string, allow: string[]): Promise<NatGatewayRow | undefined> {
    const [row] = await this.#postgres.db
      .update(natGateways)
      .set({ allow })
      .where(isOf(workgroup))
      .returning();
    return row;
  }

  async remove(workgroup: string): Promise<void> {
    await this.#postgres.db.delete(natGateways).where(isOf(workgroup));
  }
}

const isOf = (workgroup: string) => eq(natGateways.workgroup, workgroup);
