import type { Quarantine } from '@albedo/contract/devices/devices.schema';
import type { DeviceMeta } from '@albedo/contract/devices/meta.schema';
import type { Arch } from '@albedo/contract/workgroups/archs';
import type { Postgres } from '@albedo/postgres/postgres';
import { storableJson } from '@albedo/postgres/storable';
import { unlessTaken } from '@albedo/postgres/unless-taken';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { devices } from '../database/devices.tables.ts';

export type DeviceRow = typeof devices.$inferSelect;

/** The stored metadata of a device and of its sources. */
export interface InfoRow {
  id: string;
  name: string;
  info: unknown;
  sourceInfo: unknown;
  sourceLabels: unknown;
}

/** What is said of a device and of its sources from now on; what is left out stays. */
export interface InfoChange {
  id: string;
  info?: Readonly<Record<string, unknown>>;
  sourceInfo?: Readonly<Record<string, unknown>>;
  sourceLabels?: Readonly<Record<string, unknown>>;
}

/** Devices, in SQL. Every function takes the workgroup, so that no query reaches into another one. */
export class DevicesStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  async get(workgroup: string, id: string): Promise<DeviceRow | undefined> {
    return (await this.#postgres.db.select().from(devices).where(one(workgroup, id)))[0];
  }

  /** The same, and nobody else changes it until the transaction ends. */
  async held(workgroup: string, id: string): Promise<DeviceRow | undefined> {
    const where = one(workgroup, id);
    return (await this.#postgres.db.select().from(devices).where(where).for('update'))[0];
  }

  async byName(workgroup: string, name: string): Promise<DeviceRow | undefined> {
    const where = and(eq(devices.workgroup, workgroup), eq(devices.name, name));
    return (await this.#postgres.db.select().from(devices).where(where))[0];
  }

  /** Null when the name is taken. */
  async add(
    workgroup: string,
    device: { name: string; arch: Arch; ced: boolean; meta: DeviceMeta },
  ): Promise<DeviceRow | null> {
    const [row] = await this.#postgres.db
      .insert(devices)
      .values({ workgroup, ...device })
      .onConflictDoNothing()
      .returning();
    return row ?? null;
  }

  /** Null when the name is taken; undefined when there is no such device. */
  async rename(workgroup: string, id: string, name: string): Promise<DeviceRow | null | undefined> {
    const renamed = this.#postgres.db.update(devices).set({ name }).where(one(workgroup, id)).returning();
    return unlessTaken(
      renamed.then(([row]) => row),
      null,
    );
  }

  /** Undefined when there is no such device. */
  async setQuarantine(
    workgroup: string,
    id: string,
    quarantine: Quarantine | null,
  ): Promise<DeviceRow | undefined> {
    const where = one(workgroup, id);
    return (await this.#postgres.db.update(devices).set({ quarantine }).where(where).returning())[0];
  }

  async setArch(workgroup: string, id: string, arch: Arch): Promise<void> {
    await this.#postgres.db.update(devices).set({ arch }).where(one(workgroup, id));
  }

  async remove(workgroup: string, id: string): Promise<void> {
    await this.#postgres.db.delete(devices).where(one(workgroup, id));
  }

  /** False when the settings would take more than the limits; nothing is changed then. */
  async setSetting(
    of: { workgroup: string; id: string },
    setting: { key: string; value: unknown },
    limits: { keys: number; characters: number },
  ): Promise<boolean> {
    return this.#set(of, sql`${storableJson({ [setting.key]: setting.value })}::jsonb`, limits);
  }

  async #set(
    of: { workgroup: string; id: string },
    addition: SQL,
    limits: { keys: number; characters: number },
  ): Promise<boolean> {
    const settings = sql`(${devices.settings} || ${addition})`;
    const changed = await this.#postgres.db
      .update(devices)
      .set({ settings })
      .where(
        and(
          one(of.workgroup, of.id),
          sql`length(${settings}::text) <= ${limits.characters}`,
          sql`(SELECT count(*) FROM jsonb_object_keys(${settings})) <= ${limits.keys}`,
        ),
      )
      .returning({ id: devices.id });
    return changed.length > 0;
  }

  /** The metadata of one source, beside that of the others; false as above. */
  async setSourceInfo(
    of: { workgroup: string; id: string },
    source: string,
    info: Record<string, string>,
    limits: { keys: number; characters: number },
  ): Promise<boolean> {
    const kept = sql`coalesce(${devices.settings} -> 'sourceInfo', '{}') - ${source}::text`;
    const addition = storableJson(Object.keys(info).length > 0 ? { [source]: info } : {});
    const all = sql`jsonb_build_object('sourceInfo', (${kept}) || ${addition}::jsonb)`;
    return this.#set(of, all, limits);
  }

  /**
   * Changes what is said of several devices and of their sources in one statement; answers them as they are now, without
   * those that are gone or whose settings would take more than the limits.
   */
  async changeInfos(
    workgroup: string,
    changes: readonly InfoChange[],
    limits: { keys: number; characters: number },
  ): Promise<DeviceRow[]> {
    const said = storableJson(changes.map(({ id, ...said }) => ({ id, said })));
    const settings = sql`(${devices.settings} || said.said)`;
    const changed = await this.#postgres.db
      .update(devices)
      .set({ settings })
      .from(sql`jsonb_to_recordset(${said}::jsonb) as said (id uuid, said jsonb)`)
      .where(
        and(
          eq(devices.workgroup, workgroup),
          sql`${devices.id} = said.id`,
          sql`length(${settings}::text) <= ${limits.characters}`,
          sql`(SELECT count(*) FROM jsonb_object_keys(${settings})) <= ${limits.keys}`,
        ),
      )
      .returning();
    return changed;
  }

  /** What is said of the devices of a workgroup and of their sources; with `isHeld` nobody else changes it meanwhile. */
  async infos(workgroup: string, { isHeld }: { isHeld: boolean }): Promise<InfoRow[]> {
    const all = this.#postgres.db
      .select({
        id: devices.id,
        name: devices.name,
        info: sql<unknown>`${devices.settings} -> 'info'`,
        sourceInfo: sql<unknown>`${devices.settings} -> 'sourceInfo'`,
        sourceLabels: sql<unknown>`${devices.settings} -> 'sourceLabels'`,
      })
      .from(devices)
      .where(eq(devices.workgroup, workgroup))
      .orderBy(devices.id);
    return isHeld ? all.for('update') : all;
  }

  /** Of several devices in one statement; answers the ids of those whose meta is another than before. */
  async setMetas(all: readonly { workgroup: string; id: string; meta: DeviceMeta }[]): Promise<string[]> {
    const text = storableJson(all.map(({ workgroup, id, meta }) => ({ workgroup, id, meta })));
    const changed = await this.#postgres.db
      .update(devices)
      .set({ meta: sql`said.meta` })
      .from(sql`jsonb_to_recordset(${text}::jsonb) as said (workgroup text, id uuid, meta jsonb)`)
      .where(
        and(
          sql`${devices.workgroup} = said.workgroup`,
          sql`${devices.id} = said.id`,
          sql`${devices.meta} is distinct from said.meta`,
        ),
      )
      .returning({ id: devices.id });
    return changed.map(({ id }) => id);
  }

  /** Ids of the devices of a workgroup. */
  list(workgroup: string): Promise<{ id: string }[]> {
    const where = eq(devices.workgroup, workgroup);
    return this.#postgres.db.select({ id: devices.id }).from(devices).where(where);
  }

  /** Ids of all devices with their workgroup. For the staff: it reaches over all workgroups. */
  workgroups(): Promise<{ id: string; workgroup: string }[]> {
    return this.#postgres.db.select({ id: devices.id, workgroup: devices.workgroup }).from(devices);
  }
}

const one = (workgroup: string, id: string) => and(eq(devices.workgroup, workgroup), eq(devices.id, id));
