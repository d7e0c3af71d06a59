import type { Postgres } from '@albedo/postgres/postgres';
import { count, eq, ilike, inArray, or, sql } from 'drizzle-orm';
import { devices } from '../devices/devices.tables.ts';
import { totpSecrets } from '../mfa/mfa.tables.ts';
import { users } from '../sessions/sessions.tables.ts';
import { deletedWorkgroups, members, workgroups } from './workgroups.tables.ts';

/** Columns that are never exported, whatever their table: what they hold opens something. */
const SECRET_COLUMN = /secret|hash|token|password|private|key|content|recovery|certificate|sealed/i;
const USERS_SHOWN = 500;
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

  /** Deletes every row that names the workgroup, in whichever table, and keeps its name from being given again. */
  async remove(workgroup: string): Promise<void> {
    const tables = await this.#tablesOfWorkgroups();
    await this.#postgres.db.transaction(async (transaction) => {
      for (const table of tables) {
        await transaction.execute(sql`delete from ${sql.identifier(table)} where workgroup = ${workgroup}`);
      }
      await transaction.delete(workgroups).where(eq(workgroups.name, workgroup));
      await transaction.insert(deletedWorkgroups).values({ name: workgroup }).onConflictDoNothing();
    });
  }

  /** Every record that names the workgroup, table by table and page by page, without secrets. */
  async *records(workgroup: string): AsyncGenerator<{ table: string; page: number; rows: unknown[] }> {
    const own = await this.#rows('workgroups', 'name', workgroup, 0);
    yield { table: 'workgroups', page: 0, rows: own };
    for (const table of await this.#tablesOfWorkgroups()) {
      for (let page = 0; ; page++) {
        const rows = await this.#rows(table, 'workgroup', workgroup, page);
        if (rows.length > 0 || page === 0) yield { table, page, rows };
        if (rows.length < ROWS_A_PAGE) break;
      }
    }
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
      .select({ user: users, confirmed: totpSecrets.secret })
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
    return rows.map(({ user, confirmed }) => ({
      ...user,
      hasMfa: confirmed !== null,
      workgroups: (byUser.get(user.id) ?? []).map(({ displayName }) => displayName),
    }));
  }

  /** From the database itself, so that a new table needs no line here. */
  async #tablesOfWorkgroups(): Promise<string[]> {
    const rows = await this.#postgres.query<{ table_name: string }>(
      `select table_name from information_schema.columns
       where table_schema = 'public' and column_name = 'workgroup' order by table_name`,
    );
    return rows.map(({ table_name }) => table_name);
  }

  async #rows(table: string, column: string, workgroup: string, page: number): Promise<unknown[]> {
    const rows = await this.#postgres.query<{ row: Record<string, unknown> }>(
      `select to_jsonb(t) as row from "${table}" t where t."${column}" = $1
       order by t.ctid limit ${ROWS_A_PAGE} offset ${page * ROWS_A_PAGE}`,
      [workgroup],
    );
    return rows.map(({ row }) => withoutSecrets(row));
  }
}

const withoutSecrets = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).filter(([column]) => column === 'key' || !SECRET_COLUMN.test(column)),
  );
