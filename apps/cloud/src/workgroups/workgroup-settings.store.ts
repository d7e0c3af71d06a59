import type { WorkgroupChange } from '@albedo/contract/workgroups/workgroups.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { oneByOne } from '@albedo/postgres/together';
import { and, eq } from 'drizzle-orm';
import { workgroupSettings, workgroups } from '../database/workgroups.tables.ts';

/** Name, looks and settings of workgroups, in SQL. */
export class WorkgroupSettingsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** One change at a time; all that the task writes, through whichever stores, is kept together. */
  alone<T>(workgroup: string, task: () => Promise<T>): Promise<T> {
    return oneByOne(this.#postgres, `workgroup settings ${workgroup}`, task);
  }

  async change(workgroup: string, { displayName, theme }: WorkgroupChange): Promise<void> {
    const set = {
      ...(displayName === undefined ? {} : { displayName }),
      ...(theme === undefined ? {} : { theme }),
    };
    await this.#postgres.db.update(workgroups).set(set).where(eq(workgroups.name, workgroup));
  }

  async set(workgroup: string, key: string, value: unknown): Promise<void> {
    await this.#postgres.db
      .insert(workgroupSettings)
      .values({ workgroup, key, value })
      .onConflictDoUpdate({ target: [workgroupSettings.workgroup, workgroupSettings.key], set: { value } });
  }

  async remove(workgroup: string, key: string): Promise<void> {
    const where = and(eq(workgroupSettings.workgroup, workgroup), eq(workgroupSettings.key, key));
    await this.#postgres.db.delete(workgroupSettings).where(where);
  }
}
