import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { integer, jsonb, pgTable, serial, text, timestamp } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgres, type Postgres } from './postgres.ts';
import { storableJson } from './storable.ts';

const schemaName = `test_${process.pid}`;
const counters = pgTable('albedo_test_counters', {
  id: serial().primaryKey(),
  name: text().notNull().unique(),
  value: integer().notNull().default(0),
  extra: jsonb().$type<{ tags: string[] }>(),
  createdAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
});

const log = { info: () => {}, error: () => {} };
const folder = mkdtempSync(join(tmpdir(), 'albedo-postgres-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function writeMigration(number: number, statements: string) {
  const entries = Array.from({ length: number + 1 }, (_, idx) => ({
    idx,
    version: '7',
    when: 1_700_000_000_000 + idx,
    tag: `000${idx}_step`,
    breakpoints: true,
  }));
  mkdirSync(join(folder, 'migrations/meta'), { recursive: true });
  writeFileSync(join(folder, `migrations/000${number}_step.sql`), statements);
  writeFileSync(
    join(folder, 'migrations/meta/_journal.json'),
    JSON.stringify({ version: '7', dialect: 'postgresql', entries }),
  );
}

/** What Albedo needs of PostgreSQL; both engines have to pass alike. */
function suite(name: string, open: () => Promise<Postgres>) {
  describe(name, () => {
    let postgres: Postgres;
    beforeAll(async () => {
      postgres = await open();
      await postgres.exec('DROP TABLE IF EXISTS albedo_test_counters; DROP SCHEMA IF EXISTS drizzle CASCADE');
      writeMigration(
        0,
        'CREATE TABLE albedo_test_counters (id serial PRIMARY KEY, name text NOT NULL UNIQUE, value integer NOT NULL DEFAULT 0);--> statement-breakpoint\nALTER TABLE albedo_test_counters ADD COLUMN extra jsonb;',
      );
      await postgres.migrate(join(folder, 'migrations'));
      writeMigration(
        1,
        'ALTER TABLE albedo_test_counters ADD COLUMN created_at timestamptz NOT NULL DEFAULT now();',
      );
    });
    afterAll(async () => {
      await postgres?.exec(
        'DROP TABLE IF EXISTS albedo_test_counters; DROP SCHEMA IF EXISTS drizzle CASCADE',
      );
      await postgres?.close();
    });

    test('JSON with texts that it refuses is taken once it is made storable', async () => {
      const value = { 'a\0': ['\ud800', '\\u0000', '\0\0', '😀'] };
      await expect(postgres.db.execute(sql`SELECT ${JSON.stringify(value)}::jsonb`)).rejects.toThrow();
      const [row] = await postgres.query<{ value: unknown }>('SELECT $1::jsonb AS value', [
        storableJson(value),
      ]);
      expect(row?.value).toEqual({ a: ['\ufffd', '\\u0000', '', '😀'] });
    });

    test('migrations run once each, also when several start at once', async () => {
      await Promise.all([1, 2, 3].map(() => postgres.migrate(join(folder, 'migrations'))));
      const [done] = await postgres.query<{ n: number }>(
        'SELECT count(*) AS n FROM drizzle.__drizzle_migrations',
      );
      expect(done?.n).toBe(2);
    });

    test('rows come back as they were written', async () => {
      const [row] = await postgres.db
        .insert(counters)
        .values({ name: `a ${schemaName} ü'"`, extra: { tags: ['x'] } })
        .returning();
      expect(row).toMatchObject({ name: `a ${schemaName} ü'"`, value: 0, extra: { tags: ['x'] } });
      expect(row?.createdAt).toBeInstanceOf(Date);
    });

    test('raw queries give the same types', async () => {
      const rows = await postgres.query(
        "SELECT 7::int8 AS small, 9007199254740993::int8 AS big, 1.5::float8 AS float, '2024-01-02T03:04:05Z'::timestamptz AS at, $1::text AS given, '{\"a\":1}'::jsonb AS json",
        ["it's"],
      );
      expect(rows).toEqual([
        {
          small: 7,
          big: 9007199254740993n,
          float: 1.5,
          at: new Date('2024-01-02T03:04:05Z'),
          given: "it's",
          json: { a: 1 },
        },
      ]);
    });

    test('twenty transactions at once lose no update', async () => {
      const [row] = await postgres.db.insert(counters).values({ name: 'shared' }).returning();
      const add = () =>
        postgres.db.transaction(async (tx) => {
          const [now] = await tx
            .select()
            .from(counters)
            .where(eq(counters.id, row?.id ?? 0))
            .for('update');
          await tx.execute(sql`SELECT pg_sleep(0.001)`);
          await tx
            .update(counters)
            .set({ value: (now?.value ?? 0) + 1 })
            .where(eq(counters.id, row?.id ?? 0));
        });
      await Promise.all(Array.from({ length: 20 }, add));
      const [after] = await postgres.db.select().from(counters).where(eq(counters.name, 'shared'));
      expect(after?.value).toBe(20);
    });

    test('a transaction that throws leaves nothing, and queries beside it are not part of it', async () => {
      const inside = postgres.db.transaction(async (tx) => {
        await tx.insert(counters).values({ name: 'inside' });
        await new Promise((done) => setImmediate(done));
        throw new Error('stop');
      });
      const beside = postgres.db.insert(counters).values({ name: 'beside' });
      await expect(inside).rejects.toThrow('stop');
      await beside;
      const names = await postgres.db.select({ name: counters.name }).from(counters);
      expect(names).toContainEqual({ name: 'beside' });
      expect(names).not.toContainEqual({ name: 'inside' });
    });

    test('a name that is taken is refused with its code and constraint', async () => {
      await postgres.db.insert(counters).values({ name: 'taken' });
      const error = await postgres.db
        .insert(counters)
        .values({ name: 'taken' })
        .then(
          () => null,
          (failure: Error) => failure.cause,
        );
      expect(error).toMatchObject({ code: '23505', constraint: 'albedo_test_counters_name_key' });
    });
  });
}

suite('PGlite', () => openPostgres({ dataDir: join(folder, 'records'), log }));

const url = process.env.ALBEDO_TEST_DATABASE_URL;
if (!url) console.log('Skipped: a PostgreSQL server, because ALBEDO_TEST_DATABASE_URL names none.');
if (url) suite('the server of ALBEDO_TEST_DATABASE_URL', () => openPostgres({ url, dataDir: folder, log }));

test('a server that does not answer is named, its password is not', async () => {
  const opening = openPostgres({ url: 'postgres://me:secret@127.0.0.1:1/albedo', dataDir: folder, log });
  await expect(opening).rejects.toThrow('PostgreSQL at 127.0.0.1:1/albedo does not answer');
  await expect(opening).rejects.not.toThrow('secret');
});
