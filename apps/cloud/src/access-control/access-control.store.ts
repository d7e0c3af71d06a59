import { ACCESS_CONTROL_ADDON } from '@albedo/contract/access-control/access-control.addon';
import type { NewAccessRule, PrincipalType } from '@albedo/contract/access-control/access-control.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { oneByOne, together } from '@albedo/postgres/together';
import { and, desc, eq } from 'drizzle-orm';
import { apiTokens } from '../database/api-tokens.tables.ts';
import { deviceGroups } from '../database/device-groups.tables.ts';
import { roleMembers, roles } from '../database/roles.tables.ts';
import { users } from '../database/sessions.tables.ts';
import { members, workgroupAddons, workgroups } from '../database/workgroups.tables.ts';
import { accessRules } from './access-control.tables.ts';

export type AccessRuleRow = typeof accessRules.$inferSelect;

/** Access-control rules and what they name, in SQL. */
export class AccessControlStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** All that the task writes, through whichever stores, is kept together. */
  together<T>(task: () => Promise<T>): Promise<T> {
    return together(this.#postgres, task);
  }

  /** One change at a time; all that the task writes, through whichever stores, is kept together. */
  alone<T>(workgroup: string, id: string, task: () => Promise<T>): Promise<T> {
    return oneByOne(this.#postgres, `access rule ${workgroup} ${id}`, task);
  }

  list(workgroup: string): Promise<AccessRuleRow[]> {
    return this.#postgres.db
      .select()
      .from(accessRules)
      .where(eq(accessRules.workgroup, workgroup))
      .orderBy(desc(accessRules.createdAt), desc(accessRules.id));
  }

  count(workgroup: string): Promise<number> {
    return this.#postgres.db.$count(accessRules, eq(accessRules.workgroup, workgroup));
  }

  async find(workgroup: string, id: string): Promise<AccessRuleRow | undefined> {
    return (await this.#postgres.db.select().from(accessRules).where(isRule(workgroup, id)))[0];
  }

  /** Null where the workgroup has the same rule. */
  add(workgroup: string, rule: NewAccessRule, createdBy: string): Promise<AccessRuleRow | null> {
    return this.#unlessThere(workgroup, rule, null, async (transaction) => {
      const row = { ...rule, workgroup, createdBy, createdAt: new Date() };
      const [stored] = await transaction.insert(accessRules).values(row).returning();
      if (!stored) throw new Error('the rule was not stored');
      return stored;
    });
  }

  /** Null where another rule of the workgroup is the same, undefined where there is none to change. */
  set(workgroup: string, id: string, rule: NewAccessRule): Promise<AccessRuleRow | null | undefined> {
    return this.#unlessThere(workgroup, rule, id, async (transaction) => {
      return (await transaction.update(accessRules).set(rule).where(isRule(workgroup, id)).returning())[0];
    });
  }

  async remove(workgroup: string, id: string): Promise<AccessRuleRow | undefined> {
    return (await this.#postgres.db.delete(accessRules).where(isRule(workgroup, id)).returning())[0];
  }

  /** Deletes the rules that name this one; answers them. */
  removeOf(workgroup: string, type: PrincipalType, id: string): Promise<AccessRuleRow[]> {
    const isOf = and(eq(accessRules.principalType, type), eq(accessRules.principalId, id));
    return this.#postgres.db
      .delete(accessRules)
      .where(and(eq(accessRules.workgroup, workgroup), isOf))
      .returning();
  }

  async isOn(workgroup: string): Promise<boolean> {
    const isAddon = and(
      eq(workgroupAddons.workgroup, workgroup),
      eq(workgroupAddons.id, ACCESS_CONTROL_ADDON),
    );
    return (await this.#postgres.db.select().from(workgroupAddons).where(isAddon)).length > 0;
  }

  /** Who has which role. */
  rolesOfUsers(workgroup: string): Promise<{ userId: string; roleId: string }[]> {
    return this.#postgres.db
      .select({ userId: roleMembers.userId, roleId: roleMembers.roleId })
      .from(roleMembers)
      .where(eq(roleMembers.workgroup, workgroup));
  }

  #unlessThere<T>(
    workgroup: string,
    rule: NewAccessRule,
    spared: string | null,
    change: (transaction: Transaction) => Promise<T>,
  ): Promise<T | null> {
    return this.#postgres.db.transaction(async (transaction) => {
      // One change of a workgroup's rules at a time, or the same rule could be made twice side by side.
      await transaction.select().from(workgroups).where(eq(workgroups.name, workgroup)).for('update');
      const rows = await transaction.select().from(accessRules).where(eq(accessRules.workgroup, workgroup));
      const isThere = rows.some((row) => row.id !== spared && isSame(row, rule));
      return isThere ? null : change(transaction);
    });
  }

  /** What a rule calls its principal; undefined where the workgroup has no such one. */
  async nameOf(workgroup: string, type: PrincipalType, id: string): Promise<string | undefined> {
    const { db } = this.#postgres;
    switch (type) {
      case 'User': {
        const isMember = and(eq(members.workgroup, workgroup), eq(members.userId, id));
        const ofUser = db.select({ name: users.email }).from(users);
        return (await ofUser.innerJoin(members, eq(members.userId, users.id)).where(isMember))[0]?.name;
      }
      case 'Role': {
        const isIt = and(eq(roles.workgroup, workgroup), eq(roles.id, id));
        return (await db.select({ name: roles.name }).from(roles).where(isIt))[0]?.name;
      }
      case 'API_Token': {
        const isIt = and(eq(apiTokens.workgroup, workgroup), eq(apiTokens.id, id));
        return (await db.select({ name: apiTokens.owner }).from(apiTokens).where(isIt))[0]?.name;
      }
      case 'Device_Group':
      case 'Device_Group_API_Token': {
        const isIt = and(eq(deviceGroups.workgroup, workgroup), eq(deviceGroups.id, id));
        return (await db.select({ name: deviceGroups.name }).from(deviceGroups).where(isIt))[0]?.name;
      }
      default:
        return '-';
    }
  }
}

type Transaction = Parameters<Parameters<Postgres['db']['transaction']>[0]>[0];

const isSame = (a: NewAccessRule, b: NewAccessRule): boolean => keyOf(a) === keyOf(b);

function keyOf({
  resourceType,
  resourceId,
  actions,
  principalType,
  principalId,
  effect,
}: NewAccessRule): string {
  const inOrder = [...new Set(actions)].sort();
  return JSON.stringify([resourceType, resourceId, inOrder, principalType, principalId, effect]);
}

const isRule = (workgroup: string, id: string) =>
  and(eq(accessRules.workgroup, workgroup), eq(accessRules.id, id));
