import type { Permission, Role } from '@albedo/contract/access/permissions';
import type { Workgroup } from '@albedo/contract/workgroups/workgroups.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { eq, inArray, isNotNull } from 'drizzle-orm';
import { workgroupImages } from '../branding/branding.tables.ts';
import { AppError } from '../http/app-error.ts';
import {
  deletedWorkgroups,
  members,
  workgroupAddons,
  workgroupSettings,
  workgroups,
} from './workgroups.tables.ts';

export interface MemberSettings {
  role: Role;
  permissions?: Permission[];
  devGroup?: string | null;
  deviceScopes?: string[];
}

/** What one process tells the others, so that a workgroup is closed or opened at once on all of them. */
export interface Suspension {
  workgroup: string;
  isSuspended: boolean;
}

/** What a workgroup is made of. */
export type NewWorkgroup = Pick<Workgroup, 'name' | 'displayName'>;

const COLUMNS = {
  name: workgroups.name,
  displayName: workgroups.displayName,
  theme: workgroups.theme,
  idpId: workgroups.idpId,
  suspendedAt: workgroups.suspendedAt,
};

type Row = Omit<Workgroup, 'addons' | 'settings' | 'images' | 'isSuspended'> & { suspendedAt: Date | null };

/** Workgroups and who belongs to them. */
export class Workgroups {
  readonly #postgres: Postgres;
  readonly #suspended = new Set<string>();
  readonly #watchers: ((workgroup: string) => void)[] = [];

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  async start(): Promise<void> {
    const rows = await this.#postgres.db
      .select({ name: workgroups.name })
      .from(workgroups)
      .where(isNotNull(workgroups.suspendedAt));
    const gone = await this.#postgres.db.select({ name: deletedWorkgroups.name }).from(deletedWorkgroups);
    // A token that outlives its workgroup opens nothing.
    for (const { name } of [...rows, ...gone]) this.#suspended.add(name);
  }

  /** Whether the provider keeps everybody out. Decided in memory. */
  isSuspended(workgroup: string): boolean {
    return this.#suspended.has(workgroup);
  }

  /** Takes over what was decided, here or by another process. */
  applySuspension({ workgroup, isSuspended }: Suspension): void {
    if (isSuspended) this.#suspended.add(workgroup);
    else this.#suspended.delete(workgroup);
  }

  /** Called with every workgroup that is different now. */
  onChanged(tell: (workgroup: string) => void): void {
    this.#watchers.push(tell);
  }

  tellChanged(workgroup: string): void {
    for (const tell of this.#watchers) tell(workgroup);
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

  /** Throws `workgroup.not_found`. */
  async demand(name: string): Promise<void> {
    const where = eq(workgroups.name, name);
    const found = await this.#postgres.db.select({ name: workgroups.name }).from(workgroups).where(where);
    if (found.length === 0) throw new AppError('workgroup.not_found', { name });
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
      isSuspended: suspendedAt !== null,
    }));
  }
}
