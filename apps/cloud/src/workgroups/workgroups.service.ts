import type { Permission, Role } from '@albedo/contract/access/permissions';
import type { Workgroup } from '@albedo/contract/workgroups/workgroups.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { eq, inArray } from 'drizzle-orm';
import { AppError } from '../http/app-error.ts';
import { members, workgroupAddons, workgroupSettings, workgroups } from './workgroups.tables.ts';

export interface MemberSettings {
  role: Role;
  permissions?: Permission[];
  devGroup?: string | null;
  deviceScopes?: string[];
}

/** What a workgroup is made of. */
export type NewWorkgroup = Pick<Workgroup, 'name' | 'displayName'>;

const COLUMNS = {
  name: workgroups.name,
  displayName: workgroups.displayName,
  theme: workgroups.theme,
  idpId: workgroups.idpId,
};

/** Workgroups and who belongs to them. */
export class Workgroups {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** The workgroups a user is a member of, by display name. */
  async ofUser(userId: string): Promise<Workgroup[]> {
    const rows = await this.#postgres.db
      .select(COLUMNS)
      .from(workgroups)
      .innerJoin(members, eq(members.workgroup, workgroups.name))
      .where(eq(members.userId, userId))
      .orderBy(workgroups.displayName);
    return this.#complete(rows);
  }

  /** Throws `request.not_found`. */
  async get(name: string): Promise<Workgroup> {
    const rows = await this.#postgres.db.select(COLUMNS).from(workgroups).where(eq(workgroups.name, name));
    const [found] = await this.#complete(rows);
    if (!found) throw new AppError('request.not_found');
    return found;
  }

  /** Makes the workgroup unless it exists. */
  async ensure(workgroup: NewWorkgroup): Promise<void> {
    await this.#postgres.db.insert(workgroups).values(workgroup).onConflictDoNothing();
  }

  /** Makes the user a member, or changes what a member may do. */
  async setMember(workgroup: string, userId: string, settings: MemberSettings): Promise<void> {
    await this.#postgres.db
      .insert(members)
      .values({ workgroup, userId, ...settings })
      .onConflictDoUpdate({ target: [members.workgroup, members.userId], set: settings });
  }

  /** The workgroups with their addons and settings, in the same order. */
  async #complete(rows: Omit<Workgroup, 'addons' | 'settings'>[]): Promise<Workgroup[]> {
    const names = rows.map(({ name }) => name);
    const { db } = this.#postgres;
    const [addons, settings] = await Promise.all([
      db
        .select()
        .from(workgroupAddons)
        .where(inArray(workgroupAddons.workgroup, names))
        .orderBy(workgroupAddons.id),
      db.select().from(workgroupSettings).where(inArray(workgroupSettings.workgroup, names)),
    ]);
    return rows.map((row) => ({
      ...row,
      addons: addons.flatMap(({ workgroup, ...one }) => (workgroup === row.name ? [one] : [])),
      settings: Object.fromEntries(
        settings.flatMap(({ workgroup, key, value }) => (workgroup === row.name ? [[key, value]] : [])),
      ),
    }));
  }
}
