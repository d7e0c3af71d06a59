import type { NewDeviceGroup } from '@albedo/contract/device-groups/device-groups.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { unlessTaken } from '@albedo/postgres/unless-taken';
import { and, count, eq, isNotNull, isNull } from 'drizzle-orm';
import { apiTokens } from '../database/api-tokens.tables.ts';
import { deviceGroups } from '../database/device-groups.tables.ts';
import { invites } from '../database/members.tables.ts';
import { members, workgroups } from '../database/workgroups.tables.ts';

export type DeviceGroupRow = typeof deviceGroups.$inferSelect;

/** How many are bound to a group. */
export interface Bound {
  members: number;
  invites: number;
  tokens: number;
}

/** Device groups, in SQL. */
export class DeviceGroupsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Those of all workgroups, for the memory of a process. */
  all(): Promise<DeviceGroupRow[]> {
    return this.#postgres.db.select().from(deviceGroups);
  }

  async find(workgroup: string, id: string): Promise<DeviceGroupRow | undefined> {
    return (await this.#postgres.db.select().from(deviceGroups).where(one(workgroup, id)))[0];
  }

  count(workgroup: string): Promise<number> {
    return this.#postgres.db.$count(deviceGroups, eq(deviceGroups.workgroup, workgroup));
  }

  /** Null when the name is taken. */
  async add(workgroup: string, group: NewDeviceGroup): Promise<DeviceGroupRow | null> {
    const values = { workgroup, ...group };
    return (
      (await this.#postgres.db.insert(deviceGroups).values(values).onConflictDoNothing().returning())[0] ??
      null
    );
  }

  /** Null when the name is taken; undefined when there is no such group. */
  async change(
    workgroup: string,
    id: string,
    set: NewDeviceGroup,
  ): Promise<DeviceGroupRow | null | undefined> {
    const changed = this.#postgres.db.update(deviceGroups).set(set).where(one(workgroup, id)).returning();
    return unlessTaken(
      changed.then(([row]) => row),
      null,
    );
  }

  /** The members of each group of the workgroup. */
  async bound(workgroup: string): Promise<Map<string, Bound>> {
    const { db } = this.#postgres;
    const lists = await Promise.all([
      db
        .select({ id: members.devGroup, count: count() })
        .from(members)
        .where(and(eq(members.workgroup, workgroup), isNotNull(members.devGroup)))
        .groupBy(members.devGroup),
      db
        .select({ id: invites.devGroup, count: count() })
        .from(invites)
        .where(and(eq(invites.workgroup, workgroup), isNotNull(invites.devGroup)))
        .groupBy(invites.devGroup),
      db
        .select({ id: apiTokens.devGroup, count: count() })
        .from(apiTokens)
        .where(
          and(eq(apiTokens.workgroup, workgroup), isNotNull(apiTokens.devGroup), isNull(apiTokens.revokedAt)),
        )
        .groupBy(apiTokens.devGroup),
    ]);
    const all = new Map<string, Bound>();
    (['members', 'invites', 'tokens'] as const).forEach((kind, i) => {
      for (const { id, count } of lists[i] ?? []) {
        if (id === null) continue;
        const known = all.get(id) ?? { members: 0, invites: 0, tokens: 0 };
        all.set(id, { ...known, [kind]: count });
      }
    });
    return all;
  }

  /** Removes the group unless somebody is bound to it; answers who is, or undefined where there is no such group. */
  async remove(workgroup: string, id: string): Promise<Bound | undefined> {
    return this.#postgres.db.transaction(async (transaction) => {
      // As for members: one change of a workgroup's people at a time.
      await transaction.select().from(workgroups).where(eq(workgroups.name, workgroup)).for('update');
      const [group] = await transaction.select().from(deviceGroups).where(one(workgroup, id));
      if (!group) return undefined;
      const [boundMembers, boundInvites, boundTokens] = [
        await transaction.$count(members, and(eq(members.workgroup, workgroup), eq(members.devGroup, id))),
        await transaction.$count(invites, and(eq(invites.workgroup, workgroup), eq(invites.devGroup, id))),
        await transaction.$count(
          apiTokens,
          and(eq(apiTokens.workgroup, workgroup), eq(apiTokens.devGroup, id), isNull(apiTokens.revokedAt)),
        ),
      ];
      if (boundMembers + boundInvites + boundTokens === 0) {
        await transaction.delete(deviceGroups).where(one(workgroup, id));
      }
      return { members: boundMembers, invites: boundInvites, tokens: boundTokens };
    });
  }
}

const one = (workgroup: string, id: string) =>
  and(eq(deviceGroups.workgroup, workgroup), eq(deviceGroups.id, id));
