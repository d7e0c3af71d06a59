import { ARCHS } from '@albedo/contract/workgroups/archs';
import type { Workgroup } from '@albedo/contract/workgroups/workgroups.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { oneByOne } from '@albedo/postgres/together';
import { eq, inArray, isNotNull } from 'drizzle-orm';
import { workgroupImages } from '../database/branding.tables.ts';
import {
  deletedWorkgroups,
  members,
  workgroupAddons,
  workgroupSettings,
  workgroups,
} from '../database/workgroups.tables.ts';

const COLUMNS = {
  name: workgroups.name,
  displayName: workgroups.displayName,
  theme: workgroups.theme,
  idpId: workgroups.idpId,
  suspendedAt: workgroups.suspendedAt,
};

type Row = Omit<Workgroup, 'addons' | 'settings' | 'archs' | 'images' | 'isSuspended'> & {
  suspendedAt: Date | null;
};

/** Workgroups with what belongs to them, in SQL. */
export class WorkgroupsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Names of the workgroups that nobody may enter: those that are suspended and those that were deleted. */
  async closed(): Promise<string[]> {
    const { db } = this.#postgres;
    const suspended = await db
      .select({ name: workgroups.name })
      .from(workgroups)
      .where(isNotNull(workgroups.suspendedAt));
    const deleted = await db.select({ name: deletedWorkgroups.name }).from(deletedWorkgroups);
    return [...suspended, ...deleted].map(({ name }) => name);
  }

  /** The addons of every workgroup that has some, or of one. */
  async addons(workgroup?: string): Promise<Map<string, string[]>> {
    const { workgroup: name, id } = workgroupAddons;
    const rows = await this.#postgres.db
      .select({ name, id })
      .from(workgroupAddons)
      .where(workgroup === undefined ? undefined : eq(name, workgroup));
    const found = new Map<string, string[]>();
    for (const row of rows) found.set(row.name, [...(found.get(row.name) ?? []), row.id]);
    return found;
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

  async get(name: string): Promise<Workgroup | undefined> {
    const rows = await this.#postgres.db.select(COLUMNS).from(workgroups).where(eq(workgroups.name, name));
    return (await this.#complete(rows))[0];
  }

  async exists(name: string): Promise<boolean> {
    const where = eq(workgroups.name, name);
    const found = await this.#postgres.db.select({ name: workgroups.name }).from(workgroups).where(where);
    return found.length > 0;
  }

  /** Does nothing where there is one of that name. */
  async insert(workgroup: {
    name: string;
    displayName: string;
    mfaRequired?: boolean | undefined;
  }): Promise<void> {
    await this.#postgres.db.insert(workgroups).values(workgroup).onConflictDoNothing();
  }

  /** What is there already stays as it is. */
  async insertParts(
    workgroup: string,
    addons: readonly Omit<typeof workgroupAddons.$inferInsert, 'workgroup'>[],
    settings: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const { db } = this.#postgres;
    if (addons.length > 0)
      await db
        .insert(workgroupAddons)
        .values(addons.map((addon) => ({ workgroup, ...addon })))
        .onConflictDoNothing();
    for (const [key, value] of Object.entries(settings))
      await db.insert(workgroupSettings).values({ workgroup, key, value }).onConflictDoNothing();
  }

  /** As `WorkgroupSettingsStore.alone`: one change of the settings at a time. */
  aloneWithSettings<T>(workgroup: string, task: () => Promise<T>): Promise<T> {
    return oneByOne(this.#postgres, `workgroup settings ${workgroup}`, task);
  }

  async setPart(workgroup: string, key: string, value: unknown): Promise<void> {
    await this.#postgres.db
      .insert(workgroupSettings)
      .values({ workgroup, key, value })
      .onConflictDoUpdate({ target: [workgroupSettings.workgroup, workgroupSettings.key], set: { value } });
  }

  async setMember(
    workgroup: string,
    userId: string,
    settings: Omit<typeof members.$inferInsert, 'workgroup' | 'userId'>,
  ): Promise<void> {
    await this.#postgres.db
      .insert(members)
      .values({ workgroup, userId, ...settings })
      .onConflictDoUpdate({ target: [members.workgroup, members.userId], set: settings });
  }

  /** The workgroups with their addons, settings and images, in the same order. */
  async #complete(rows: Row[]): Promise<Workgroup[]> {
    const names = rows.map(({ name }) => name);
    const { db } = this.#postgres;
    const [addons, settings, images] = await Promise.all([
      db
        .select()
        .from(workgroupAddons)
        .where(inArray(workgroupAddons.workgroup, names))
        .orderBy(workgroupAddons.id),
      db.select().from(workgroupSettings).where(inArray(workgroupSettings.workgroup, names)),
      db
        .select({
          workgroup: workgroupImages.workgroup,
          kind: workgroupImages.kind,
          version: workgroupImages.version,
        })
        .from(workgroupImages)
        .where(inArray(workgroupImages.workgroup, names)),
    ]);
    return rows.map(({ suspendedAt, ...row }) => ({
      ...row,
      addons: addons.flatMap(({ workgroup, ...one }) => (workgroup === row.name ? [one] : [])),
      settings: Object.fromEntries(
        settings.flatMap(({ workgroup, key, value }) => (workgroup === row.name ? [[key, value]] : [])),
      ),
      images: Object.fromEntries(
        images.flatMap(({ workgroup, kind, version }) => (workgroup === row.name ? [[kind, version]] : [])),
      ),
      archs: [...ARCHS],
      isSuspended: suspendedAt !== null,
    }));
  }
}
