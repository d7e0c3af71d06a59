import type { Permission, Role } from '@albedo/contract/access/permissions';
import type { Workgroup } from '@albedo/contract/workgroups/workgroups.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { eq } from 'drizzle-orm';
import { AppError } from '../http/app-error.ts';
import { members, workgroups } from './workgroups.tables.ts';

export interface MemberSettings {
  role: Role;
  permissions?: Permission[];
  devGroup?: string | null;
  deviceScopes?: string[];
}

/** Workgroups and who belongs to them. */
export class Workgroups {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** The workgroups a user is a member of, by display name. */
  ofUser(userId: string): Promise<Workgroup[]> {
    return this.#postgres.db
      .select({ name: workgroups.name, displayName: workgroups.displayName })
      .from(workgroups)
      .innerJoin(members, eq(members.workgroup, workgroups.name))
      .where(eq(members.userId, userId))
      .orderBy(workgroups.displayName);
  }

  /** Throws `request.not_found`. */
  async get(name: string): Promise<Workgroup> {
    const [row] = await this.#postgres.db
      .select({ name: workgroups.name, displayName: workgroups.displayName })
      .from(workgroups)
      .where(eq(workgroups.name, name));
    if (!row) throw new AppError('request.not_found');
    return row;
  }

  /** Makes the workgroup unless it exists. */
  async ensure(workgroup: Workgroup): Promise<void> {
    await this.#postgres.db.insert(workgroups).values(workgroup).onConflictDoNothing();
  }

  /** Makes the user a member, or changes what a member may do. */
  async setMember(workgroup: string, userId: string, settings: MemberSettings): Promise<void> {
    await this.#postgres.db
      .insert(members)
      .values({ workgroup, userId, ...settings })
      .onConflictDoUpdate({ target: [members.workgroup, members.userId], set: settings });
  }
}
