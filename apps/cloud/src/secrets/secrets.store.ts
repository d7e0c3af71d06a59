import type { Postgres } from '@albedo/postgres/postgres';
import { eq } from 'drizzle-orm';
import { secrets } from './secrets.tables.ts';

/** Secrets that all processes of one database share, in SQL. */
export class SecretsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  all(): Promise<{ name: string; value: string }[]> {
    return this.#postgres.db.select().from(secrets);
  }

  async replace(name: string, value: string): Promise<void> {
    await this.#postgres.db.update(secrets).set({ value }).where(eq(secrets.name, name));
  }

  async get(name: string): Promise<string | undefined> {
    return (await this.#postgres.db.select().from(secrets).where(eq(secrets.name, name)))[0]?.value;
  }

  /** Leaves the value there unless another process was quicker; answers what is there now. */
  async leave(name: string, value: string): Promise<string> {
    await this.#postgres.db.insert(secrets).values({ name, value }).onConflictDoNothing();
    return (await this.get(name)) ?? value;
  }
}
