import type { FieldWords } from '@albedo/contract/data-tables/data-tables.schema';
import { WORKGROUP_SETTINGS } from '@albedo/contract/workgroups/workgroup-settings.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { and, asc, eq } from 'drizzle-orm';
import { workgroupSettings } from '../database/workgroups.tables.ts';
import { fieldNames, retentions } from './data-tables.tables.ts';

/** What is kept about tables of telemetry beside their events, in SQL. */
export class DataTablesStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Days by table, of one workgroup. */
  async retentions(workgroup: string): Promise<Map<string, number>> {
    const where = eq(retentions.workgroup, workgroup);
    const rows = await this.#postgres.db.select().from(retentions).where(where);
    return new Map(rows.map(({ table, days }) => [table, days]));
  }

  /** Of all workgroups, for what runs at night. */
  allRetentions(): Promise<{ workgroup: string; table: string; days: number }[]> {
    return this.#postgres.db.select().from(retentions);
  }

  /** Days of the workgroups that keep events of tables without a retention of their own for so long. */
  async defaultRetentions(): Promise<{ workgroup: string; days: number }[]> {
    const rows = await this.#postgres.db
      .select({ workgroup: workgroupSettings.workgroup, value: workgroupSettings.value })
      .from(workgroupSettings)
      .where(eq(workgroupSettings.key, 'retention'));
    return rows.flatMap(({ workgroup, value }) => {
      const { days } = WORKGROUP_SETTINGS.retention.parse(value);
      return days === null ? [] : [{ workgroup, days }];
    });
  }

  async setRetention(workgroup: string, table: string, days: number | null): Promise<void> {
    if (days === null)
      await this.#postgres.db
        .delete(retentions)
        .where(and(eq(retentions.workgroup, workgroup), eq(retentions.table, table)));
    else
      await this.#postgres.db
        .insert(retentions)
        .values({ workgroup, table, days })
        .onConflictDoUpdate({ target: [retentions.workgroup, retentions.table], set: { days } });
  }

  async words(workgroup: string): Promise<FieldWords[]> {
    const rows = await this.#postgres.db
      .select()
      .from(fieldNames)
      .where(eq(fieldNames.workgroup, workgroup))
      .orderBy(asc(fieldNames.table), asc(fieldNames.field));
    return rows.map(({ table, field, displayName, units }) => ({ table, field, displayName, units }));
  }

  /** Without a name and units of its own a field has no row. */
  async setWords(workgroup: string, { table, field, displayName, units }: FieldWords): Promise<void> {
    if (displayName === null && units === null)
      await this.#postgres.db
        .delete(fieldNames)
        .where(
          and(eq(fieldNames.workgroup, workgroup), eq(fieldNames.table, table), eq(fieldNames.field, field)),
        );
    else
      await this.#postgres.db
        .insert(fieldNames)
        .values({ workgroup, table, field, displayName, units })
        .onConflictDoUpdate({
          target: [fieldNames.workgroup, fieldNames.table, fieldNames.field],
          set: { displayName, units },
        });
  }
}
