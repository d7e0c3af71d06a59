import { FIELD_ROLES_SETTING, type FieldChoice } from '@albedo/contract/field-roles/field-roles.schema';
import { choicesOf } from '@albedo/contract/field-roles/source-roles';
import type { Postgres } from '@albedo/postgres/postgres';
import { and, eq, sql } from 'drizzle-orm';
import { devices } from '../database/devices.tables.ts';

/** Corrections of roles, among the settings of devices. Every function takes the workgroup. */
export class FieldRolesStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Corrections by device; devices without any are missing. */
  async inWorkgroup(workgroup: string): Promise<Map<string, FieldChoice[]>> {
    const rows = await this.#postgres.db
      .select({ id: devices.id, kept: sql<unknown>`${devices.settings} -> ${FIELD_ROLES_SETTING}::text` })
      .from(devices)
      .where(
        and(eq(devices.workgroup, workgroup), sql`jsonb_exists(${devices.settings}, ${FIELD_ROLES_SETTING})`),
      );
    return new Map(rows.map(({ id, kept }) => [id, choicesOf({ [FIELD_ROLES_SETTING]: kept })]));
  }

  async of(workgroup: string, device: string): Promise<FieldChoice[]> {
    const [row] = await this.#postgres.db
      .select({ settings: devices.settings })
      .from(devices)
      .where(one(workgroup, device));
    return choicesOf(row?.settings ?? {});
  }

  /** Changes the corrections while nobody else does; null where there is no such device. */
  async change(
    workgroup: string,
    device: string,
    change: (old: FieldChoice[]) => FieldChoice[],
  ): Promise<FieldChoice[] | null> {
    return this.#postgres.db.transaction(async (tx) => {
      const [row] = await tx
        .select({ settings: devices.settings })
        .from(devices)
        .where(one(workgroup, device))
        .for('update');
      if (!row) return null;
      const choices = change(choicesOf(row.settings));
      const settings = { ...row.settings, [FIELD_ROLES_SETTING]: choices };
      await tx.update(devices).set({ settings }).where(one(workgroup, device));
      return choices;
    });
  }
}

const one = (workgroup: string, id: string) => and(eq(devices.workgroup, workgroup), eq(devices.id, id));
