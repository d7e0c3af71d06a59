import type { Postgres, Transaction } from '@albedo/postgres/postgres';
import { count, eq, getTableColumns, getTableName, ilike, inArray, or, sql } from 'drizzle-orm';
import { getTableConfig, type PgColumn } from 'drizzle-orm/pg-core';
import { workgroupImages } from '../database/branding.tables.ts';
import { devices } from '../database/devices.tables.ts';
import { totpSecrets } from '../database/mfa.tables.ts';
import { passkeys } from '../database/passkeys.tables.ts';
import { users } from '../database/sessions.tables.ts';
import { deletedWorkgroups, members, workgroups } from '../database/workgroups.tables.ts';
import { userSettings } from '../settings/settings.tables.ts';
import { supportFiles, supportTickets } from '../support/support.tables.ts';
import { WORKGROUP_PARTS, type WorkgroupPart } from './workgroup-parts.store.ts';

const USERS_SHOWN = 500;
const HAS_PASSKEY = sql<boolean>`exists (select 1 from ${passkeys} where ${passkeys.userId} = ${users.id})`;
const ROWS_A_PAGE = 1000;

/** Workgroups as a whole, in SQL. For the staff: these functions reach over all workgroups. */
export class WorkgroupAdminStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  async list() {
    const { db } = this.#postgres;
    const [rows, memberCounts] = await Promise.all([
      db.select().from(workgroups).orderBy(workgroups.displayName),
      db.select({ workgroup: members.workgroup, members: count() }).from(members).groupBy(members.workgroup),
    ]);
    const counts = new Map(memberCounts.map((one) => [one.workgroup, one.members]));
    return rows.map((row) => ({ ...row, members: counts.get(row.name) ?? 0 }));
  }

  /** Ids of all devices with their workgroup. */
  devices(): Promise<{ id: string; workgroup: string }[]> {
    return this.#postgres.db.select({ id: devices.id, workgroup: devices.workgroup }).from(devices);
  }

  /** False when the name is or was that of another one. */
  async add(row: { name: string; displayName: string; plan: string }): Promise<boolean> {
    return this.#postgres.db.transaction(async (transaction) => {
      const isGone = eq(deletedWorkgroups.name, row.name);
      const gone = await transaction.select().from(deletedWorkgroups).where(isGone);
      if (gone.length > 0) return false;
      const made = await transaction.insert(workgroups).values(row).onConflictDoNothing().returning();
      return made.length > 0;
    });
  }

  async setSuspended(name: string, at: Date | null): Promise<void> {
    await this.#postgres.db.update(workgroups).set({ suspendedAt: at }).where(eq(workgroups.name, name));
  }

  async memberIds(workgroup: string): Promise<string[]> {
    const where = eq(members.workgroup, workgroup);
    const rows = await this.#postgres.db.select({ id: members.userId }).from(members).where(where);
    return rows.map(({ id }) => id);
  }

  async deviceIds(workgroup: string): Promise<string[]> {
    const where = eq(devices.workgroup, workgroup);
    return (await this.#postgres.db.select({ id: devices.id }).from(devices).where(where)).map(
      ({ id }) => id,
    );
  }

  /** Deletes every row of the workgroup, in whichever table, and keeps its name from being given again. */
  async remove(workgroup: string, inside: Transaction): Promise<void> {
    for (const { table, of, stays } of WORKGROUP_PARTS)
      if (!stays) await inside.delete(table).where(of(workgroup));
    const isDefault = eq(users.defaultWorkgroup, workgroup);
    await inside.update(users).set({ defaultWorkgroup: null }).where(isDefault);
    const isHidden = sql`${userSettings.key} = 'hiddenOrgs' and ${userSettings.value} ? ${workgroup}`;
    const shown = sql`${userSettings.value} - ${workgroup}::text`;
    await inside.update(userSettings).set({ value: shown }).where(isHidden);
    await inside.insert(deletedWorkgroups).values({ name: workgroup }).onConflictDoNothing();
  }

  async deleted(): Promise<string[]> {
    return (await this.#postgres.db.select().from(deletedWorkgroups)).map(({ name }) => name);
  }

  /** Every record of the workgroup, table by table and page by page, with the columns that may leave. */
  async *records(workgroup: string): AsyncGenerator<{ table: string; page: number; rows: unknown[] }> {
    for (const part of WORKGROUP_PARTS) {
      if (part.exported.length === 0) continue;
      for (let page = 0; ; page++) {
        const rows = await this.#rows(part, workgroup, page);
        if (rows.length > 0 || page === 0) yield { table: getTableName(part.table), page, rows };
        if (rows.length < ROWS_A_PAGE) break;
      }
    }
  }

  /** What came along with the tickets of the workgroup. */
  attachments(workgroup: string): Promise<{ key: string; name: string; size: number }[]> {
    return this.#postgres.db
      .select({ key: supportFiles.key, name: supportFiles.name, size: supportFiles.size })
      .from(supportFiles)
      .innerJoin(supportTickets, eq(supportTickets.id, supportFiles.ticketId))
      .where(eq(supportTickets.workgroup, workgroup))
      .orderBy(supportFiles.id);
  }

  images(workgroup: string): Promise<{ kind: string; type: string; content: Uint8Array }[]> {
    const { kind, type, content } = workgroupImages;
    const where = eq(workgroupImages.workgroup, workgroup);
    return this.#postgres.db.select({ kind, type, content }).from(workgroupImages).where(where);
  }

  async users(search: string) {
    const like = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
    const where = search === '' ? undefined : or(ilike(users.email, like), ilike(users.name, like));
    return this.#users(where);
  }

  async user(id: string) {
    return (await this.#users(eq(users.id, id)))[0];
  }

  async setMfaRequired(id: string, mfaRequired: boolean): Promise<void> {
    await this.#postgres.db.update(users).set({ mfaRequired }).where(eq(users.id, id));
  }

  async engineVersion(): Promise<string> {
    const [row] = await this.#postgres.query<{ server_version: string }>('show server_version');
    return row?.server_version ?? 'unknown';
  }

  async #users(where: ReturnType<typeof or>) {
    const { db } = this.#postgres;
    const rows = await db
      .select({ user: users, confirmed: totpSecrets.secret, hasPasskey: HAS_PASSKEY })
      .from(users)
      .leftJoin(totpSecrets, eq(totpSecrets.userId, users.id))
      .where(where)
      .orderBy(users.email)
      .limit(USERS_SHOWN);
    const ids = rows.map(({ user }) => user.id);
    const memberships = await db
      .select({ userId: members.userId, displayName: workgroups.displayName })
      .from(members)
      .innerJoin(workgroups, eq(workgroups.name, members.workgroup))
      .where(inArray(members.userId, ids))
      .orderBy(workgroups.displayName);
    const byUser = Map.groupBy(memberships, ({ userId }) => userId);
    return rows.map(({ user, confirmed, hasPasskey }) => ({
      ...user,
      hasMfa: confirmed !== null || hasPasskey,
      workgroups: (byUser.get(user.id) ?? []).map(({ displayName }) => displayName),
    }));
  }

  #rows({ table, of, exported }: WorkgroupPart, workgroup: string, page: number): Promise<unknown[]> {
    const columns = getTableColumns(table) as Record<string, PgColumn>;
    const wanted = Object.fromEntries(
      exported.flatMap((name) => (columns[name] ? [[name, columns[name]]] : [])),
    );
    const { primaryKeys } = getTableConfig(table);
    const key = Object.values(columns).filter((column) => column.primary);
    const order = primaryKeys[0]?.columns ?? (key.length > 0 ? key : Object.values(columns));
    return this.#postgres.db
      .select(wanted)
      .from(table)
      .where(of(workgroup))
      .orderBy(...order)
      .limit(ROWS_A_PAGE)
      .offset(page * ROWS_A_PAGE);
  }
}
