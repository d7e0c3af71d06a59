import type { NewUserRole, UserRole } from '@albedo/contract/roles/roles.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { oneByOne } from '@albedo/postgres/together';
import { unlessTaken } from '@albedo/postgres/unless-taken';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { roleMembers, roles } from '../database/roles.tables.ts';
import { members } from '../database/workgroups.tables.ts';

/** Roles and who has them, in SQL. */
export class RolesStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** One change at a time; all that the task writes, through whichever stores, is kept together. */
  alone<T>(workgroup: string, id: string, task: () => Promise<T>): Promise<T> {
    return oneByOne(this.#postgres, `role ${workgroup} ${id}`, task);
  }

  async list(workgroup: string): Promise<UserRole[]> {
    const rows = await this.#select(workgroup).orderBy(sql`lower(${roles.name})`, roles.id);
    return rows.map(toRole);
  }

  async find(workgroup: string, id: string): Promise<UserRole | undefined> {
    const [row] = await this.#select(workgroup, id);
    return row && toRole(row);
  }

  /** Of these users, those who are members of the workgroup. */
  async membersAmong(workgroup: string, users: string[]): Promise<string[]> {
    const rows = await this.#postgres.db
      .select({ id: members.userId })
      .from(members)
      .where(and(eq(members.workgroup, workgroup), inArray(members.userId, users)));
    return rows.map(({ id }) => id);
  }

  count(workgroup: string): Promise<number> {
    return this.#postgres.db.$count(roles, eq(roles.workgroup, workgroup));
  }

  /** Makes the role; null where the workgroup has one of that name. */
  add(workgroup: string, { name, description, members: users }: NewUserRole): Promise<string | null> {
    return this.#postgres.db.transaction(async (transaction) => {
      const [row] = await transaction
        .insert(roles)
        .values({ workgroup, name, description })
        .onConflictDoNothing()
        .returning({ id: roles.id });
      if (!row) return null;
      if (users.length > 0) {
        const rows = users.map((userId) => ({ roleId: row.id, workgroup, userId }));
        await transaction.insert(roleMembers).values(rows);
      }
      return row.id;
    });
  }

  /** Puts all of it in the place of what was; false where another role has the name. */
  set(workgroup: string, id: string, { name, description, members: users }: NewUserRole): Promise<boolean> {
    const set = this.#postgres.db.transaction(async (transaction) => {
      await transaction.update(roles).set({ name, description }).where(isRole(workgroup, id));
      const ofRole = and(eq(roleMembers.workgroup, workgroup), eq(roleMembers.roleId, id));
      await transaction.delete(roleMembers).where(ofRole);
      if (users.length > 0) {
        const rows = users.map((userId) => ({ roleId: id, workgroup, userId }));
        await transaction.insert(roleMembers).values(rows);
      }
      return true;
    });
    return unlessTaken(set, false);
  }

  async remove(workgroup: string, id: string): Promise<void> {
    await this.#postgres.db.delete(roles).where(isRole(workgroup, id));
  }

  #select(workgroup: string, id?: string) {
    return this.#postgres.db
      .select({
        id: roles.id,
        name: roles.name,
        description: roles.description,
        members: sql<string[]>`coalesce(json_agg(${roleMembers.userId} order by ${roleMembers.userId})
          filter (where ${roleMembers.userId} is not null), '[]')`,
      })
      .from(roles)
      .leftJoin(roleMembers, eq(roleMembers.roleId, roles.id))
      .where(id === undefined ? eq(roles.workgroup, workgroup) : isRole(workgroup, id))
      .groupBy(roles.id)
      .$dynamic();
  }
}

const isRole = (workgroup: string, id: string) => and(eq(roles.workgroup, workgroup), eq(roles.id, id));

const toRole = ({ id, ...row }: Omit<UserRole, '_id'> & { id: string }): UserRole => ({ _id: id, ...row });
