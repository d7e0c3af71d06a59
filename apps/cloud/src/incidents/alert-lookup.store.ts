import type { Postgres } from '@albedo/postgres/postgres';
import { and, eq, isNull } from 'drizzle-orm';
import { alerts } from '../database/alerts.tables.ts';
import type { IncidentAlert } from './incidents.service.ts';

/** The alert that an incident is of, in SQL. */
export class AlertLookup {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Null where it is gone. */
  async find(workgroup: string, id: string): Promise<IncidentAlert | null> {
    const [row] = await this.#postgres.db
      .select({ content: alerts.content })
      .from(alerts)
      .where(and(eq(alerts.workgroup, workgroup), eq(alerts.id, id), isNull(alerts.deletedAt)));
    return row ? { ...row.content, id } : null;
  }
}
