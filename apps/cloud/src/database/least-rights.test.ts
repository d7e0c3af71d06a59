import { openPostgres } from '@albedo/postgres/postgres';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { mayDoAnything, openDatabase } from './database.ts';

const url = process.env.ALBEDO_TEST_DATABASE_URL;
const log = pino({ level: 'silent' });

test.skipIf(!url)(
  'an account that owns its database and nothing else is enough, and one that may more is told',
  async () => {
    const name = `least_${Date.now()}`;
    const all = await openPostgres({ url: url ?? '', dataDir: '', log });
    try {
      expect(await mayDoAnything(all)).toBe(true);
      await all.query(`create role ${name} login password 'of-this-test'`);
      await all.query(`create database ${name} owner ${name}`);
      const own = new URL(url ?? '');
      own.username = name;
      own.password = 'of-this-test';
      own.pathname = `/${name}`;
      const least = await openDatabase({ url: own.href, dataDir: '', log });
      expect(await mayDoAnything(least)).toBe(false);
      await least.close();
      await all.query(`drop database ${name}`);
      await all.query(`drop role ${name}`);
    } finally {
      await all.close();
    }
  },
);
