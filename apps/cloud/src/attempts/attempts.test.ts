import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Postgres } from '@albedo/postgres/postgres';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../database/database.ts';
import { AttemptsStore } from './attempts.store.ts';
import { Attempts } from './attempts.ts';

const folder = mkdtempSync(join(tmpdir(), 'albedo-attempts-'));
let postgres: Postgres;
/** Two processes that share a database. */
let here: Attempts;
let there: Attempts;
beforeAll(async () => {
  postgres = await openDatabase({ dataDir: folder, log: pino({ level: 'silent' }) });
  here = new Attempts(new AttemptsStore(postgres));
  there = new Attempts(new AttemptsStore(postgres));
});
afterAll(async () => {
  await postgres.close();
  rmSync(folder, { recursive: true, force: true });
});

const codes = { name: 'codes', limit: 3, windowMs: 60_000 };
const addresses = { name: 'addresses', limit: 5, windowMs: 60_000 };
const endWindows = () => postgres.query(`update attempts set ends_at = now() - interval '1 s'`);

test('two processes together allow as many attempts as one', async () => {
  for (const one of [here, there, here]) expect(await one.count([codes, 'ann'])).toBe(0);
  expect(await there.count([codes, 'ann'])).toBeGreaterThan(0);
  await expect(here.take([codes, 'ann'])).rejects.toMatchObject({ error: 'request.too_many' });
  expect(await here.count([codes, 'bob'])).toBe(0);
});

test('attempts at the same instant are all counted', async () => {
  const waits = await Promise.all(
    Array.from({ length: 12 }, (_, at) => (at % 2 ? here : there).count([codes, 'racer'])),
  );
  expect(waits.filter((wait) => wait === 0)).toHaveLength(codes.limit);
});

test('further tries do not make the time longer, and after it counting starts again', async () => {
  for (let i = 0; i < 20; i++) await here.count([codes, 'patient']);
  await postgres.query(`update attempts set ends_at = now() + interval '9 s'`);
  expect(await here.count([codes, 'patient'])).toBeLessThanOrEqual(9000);
  await endWindows();
  expect(await there.count([codes, 'patient'])).toBe(0);
});

test('a right answer forgets the attempts before it, and one that was no guess is given back', async () => {
  await here.count([codes, 'right'], [addresses, 'here']);
  await here.count([codes, 'right'], [addresses, 'here']);
  await there.forget([codes, 'right']);
  // More often than there were any gives nothing on top.
  for (let i = 0; i < 4; i++) await there.giveBack([addresses, 'here']);
  for (let i = 0; i < codes.limit; i++) expect(await here.count([codes, 'right'])).toBe(0);
  for (let i = 0; i < addresses.limit; i++) expect(await here.count([addresses, 'here'])).toBe(0);
  expect(await here.count([addresses, 'here'])).toBeGreaterThan(0);
});

test('one limit that is passed is enough', async () => {
  for (let i = 0; i < codes.limit; i++) await here.count([codes, 'both']);
  expect(await here.count([codes, 'both'], [addresses, 'both'])).toBeGreaterThan(0);
});

test('the table names neither people nor addresses, and what is over goes', async () => {
  await here.count([codes, 'secret@example.org']);
  expect(JSON.stringify(await postgres.query('select * from attempts'))).not.toContain('secret');
  await endWindows();
  for (let i = 0; i < codes.limit; i++) await here.count([codes, 'careful']);
  for (let i = 0; i < 500; i++) await there.count([codes, 'busy']);
  expect(await postgres.query('select * from attempts')).toHaveLength(2);
  expect(await here.count([codes, 'careful'])).toBeGreaterThan(0);
});
