import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { GapCause } from '@albedo/contract/completeness/completeness.schema';
import { outboxStart } from '@albedo/contract/link/link.messages';
import { type Log, messageOf } from '../log.ts';
import { salvage } from './outbox.salvage.ts';

/**
 * What makes the tables of an older outbox those of this code, oldest first; the outbox counts the steps it has taken in
 * `user_version`. Outboxes from before they were counted have the tables of the first step. A step that was released is
 * never edited: a change is one more.
 */
const STEPS = [
  `
CREATE TABLE IF NOT EXISTS state (
  id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT NOT NULL, next INTEGER NOT NULL,
  age INTEGER NOT NULL, wall INTEGER NOT NULL, last_data_at INTEGER
) STRICT;
CREATE TABLE IF NOT EXISTS streams (
  id INTEGER PRIMARY KEY, "table" TEXT NOT NULL, source TEXT NOT NULL, captured INTEGER NOT NULL DEFAULT 0,
  sent INTEGER NOT NULL DEFAULT 0, dropped INTEGER NOT NULL DEFAULT 0, UNIQUE ("table", source)
) STRICT;
CREATE TABLE IF NOT EXISTS shapes (
  id INTEGER PRIMARY KEY, stream INTEGER NOT NULL, fields TEXT NOT NULL, UNIQUE (stream, fields)
) STRICT;
CREATE TABLE IF NOT EXISTS events (
  msg_id INTEGER PRIMARY KEY, shape INTEGER NOT NULL, event_at INTEGER NOT NULL, kept_at INTEGER NOT NULL,
  size INTEGER NOT NULL, body TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS events_by_time ON events (event_at, msg_id);
CREATE TABLE IF NOT EXISTS gaps (
  first INTEGER PRIMARY KEY, last INTEGER NOT NULL, stream INTEGER NOT NULL, cause TEXT NOT NULL,
  events INTEGER NOT NULL, first_event_at INTEGER, last_event_at INTEGER
) STRICT;
CREATE TABLE IF NOT EXISTS positions (
  key TEXT PRIMARY KEY, inode INTEGER NOT NULL, "offset" INTEGER NOT NULL, tail TEXT NOT NULL,
  header TEXT, skipping INTEGER NOT NULL
) STRICT;
`,
  `
ALTER TABLE state ADD COLUMN acked INTEGER;
ALTER TABLE events ADD COLUMN sum INTEGER;
CREATE TABLE epochs (id TEXT PRIMARY KEY, first INTEGER NOT NULL) STRICT;
CREATE TABLE damaged (
  msg_id INTEGER PRIMARY KEY, shape INTEGER, event_at INTEGER, kept_at INTEGER, size INTEGER, body ANY, sum INTEGER
) STRICT;
`,
  `
ALTER TABLE positions ADD COLUMN head TEXT NOT NULL DEFAULT '';
ALTER TABLE positions ADD COLUMN head_size INTEGER NOT NULL DEFAULT 0;
`,
  `
ALTER TABLE state ADD COLUMN device TEXT;
`,
];

/**
 * Columns of `state` that came later and that older agents leave alone. They are no steps: an upgrade that goes back by itself
 * leaves the outbox to the agent from before.
 */
const LATER_COLUMNS = ['acked_under'];

/** SQLite's own numbers of the failures that mean that the file is damaged. */
const CORRUPT = 11;
const NOT_A_DATABASE = 26;
const BUSY = 5;
export const DISK_FULL = 13;

/** How far the number of the next event may run ahead before the reserve on disk is renewed. */
const RESERVE = 2 ** 24;

export const sqliteCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : 0;

export const isCorrupt = (error: unknown): boolean => [CORRUPT, NOT_A_DATABASE].includes(sqliteCode(error));

export type OpenSqlite = (path: string) => DatabaseSync;

export interface OpenedDatabase {
  db: DatabaseSync;
  /** Why a new outbox had to be made although there was one; null normally. */
  replaced: string | null;
  /** What was wrong with a damaged one that goes on with all that could be read of it; null normally. */
  repaired: string | null;
  /** Why nobody can know what waited in the outbox before; null where all of it is known. */
  unknown: Extract<GapCause, 'outbox_damaged' | 'outbox_lost'> | null;
}

/**
 * The outbox's database in `directory`, made when it is missing. Every commit reaches the disk before it returns.
 *
 * A damaged file is set aside under another name. What can still be read of it goes on in a new file: events, numbers and
 * places in files. Where not even its state can be read, a new outbox begins. Throws when another process has it open.
 */
export function openDatabase(directory: string, log: Log, open: OpenSqlite): OpenedDatabase {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, 'outbox.db');
  const moved = moveFolders(path);
  if (moved) log.error(moved);
  try {
    const isMissing = !existsSync(path) && readReserve(directory) > 0;
    const db = prepare(path, directory, open);
    const unknown = moved ? 'outbox_damaged' : isMissing ? 'outbox_lost' : null;
    return { db, replaced: moved, repaired: null, unknown };
  } catch (error) {
    if (sqliteCode(error) === BUSY) {
      throw new Error(`Another agent already runs with the outbox ${path}.`);
    }
    if (!isCorrupt(error)) throw new Error(`The outbox ${path} cannot be opened: ${messageOf(error)}`);
    const aside = `${path}.damaged-${Date.now()}`;
    for (const suffix of ['', '-wal', '-shm']) {
      if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
    }
    const damage = `The outbox ${path} is damaged (${messageOf(error)}); it is kept as ${aside}`;
    const db = prepare(path, directory, open);
    const saved = salvage(aside, db);
    const repaired = saved && `${damage}. ${saved.events} events of it go on, ${saved.lost} are lost.`;
    const replaced = saved ? null : `${damage} and a new one begins.`;
    log.error(repaired ?? replaced ?? damage);
    return { db, replaced, repaired, unknown: saved ? null : 'outbox_damaged' };
  }
}

/** Sets folders aside that stand where files of the outbox have to be. Answers why a new outbox begins; null normally. */
function moveFolders(path: string): string | null {
  const aside = `.damaged-${Date.now()}`;
  const folders = [path, `${path}-wal`, `${path}-shm`].filter((one) =>
    statSync(one, { throwIfNoEntry: false })?.isDirectory(),
  );
  for (const one of folders) renameSync(one, one + aside);
  if (folders[0] !== path) return null;
  return `The outbox ${path} is a folder; it is kept as ${path}${aside} and a new one begins.`;
}

function prepare(path: string, directory: string, open: OpenSqlite): DatabaseSync {
  const db = open(path);
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    db.exec('PRAGMA cache_size = -2048; PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 4194304');
    db.exec('BEGIN IMMEDIATE; COMMIT');
    checkPages(db);
    const taken = Number(db.prepare('PRAGMA user_version').get()?.user_version);
    if (taken > STEPS.length) throw new Error('it was made by a newer agent; update this one');
    if (taken < STEPS.length) {
      const steps = STEPS.slice(taken).join('\n');
      db.exec(`BEGIN IMMEDIATE; ${steps} PRAGMA user_version = ${STEPS.length}; COMMIT`);
    }
    const columns = db.prepare("SELECT name FROM pragma_table_info('state')").all();
    for (const column of LATER_COLUMNS) {
      if (!columns.some(({ name }) => name === column))
        db.exec(`ALTER TABLE state ADD COLUMN ${column} TEXT`);
    }
    if (!db.prepare('SELECT 1 FROM state').get()) {
      const next = Math.max(outboxStart(Date.now()), readReserve(directory));
      db.prepare('INSERT INTO state (id, name, next, age, wall) VALUES (1, ?, ?, 0, ?)').run(
        randomUUID(),
        next,
        Date.now(),
      );
    }
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Throws when the file is damaged; an index alone is made again. */
function checkPages(db: DatabaseSync): void {
  const check = () => String(db.prepare('PRAGMA integrity_check(1)').get()?.integrity_check);
  const found = check();
  if (found === 'ok') return;
  if (/index|wrong # of entries|order/i.test(found)) {
    db.exec('REINDEX');
    if (check() === 'ok') return;
  }
  throw corrupt(found);
}

const corrupt = (message: string): Error => Object.assign(new Error(message), { errcode: CORRUPT });

const reserveFile = (directory: string): string => join(directory, 'outbox.numbers');

/** Numbers below this may have been used by an outbox that is gone; it matters when the clock went back since. */
function readReserve(directory: string): number {
  try {
    return Number(readFileSync(reserveFile(directory), 'utf8')) || 0;
  } catch {
    // No file: this is the first outbox of the machine.
    return 0;
  }
}

/** Notes on disk that numbers may be used up to somewhat beyond `next`; returns the limit, so as to ask again there. */
export function reserveNumbers(directory: string, next: number): number {
  const limit = next + RESERVE;
  const temporary = `${reserveFile(directory)}.new`;
  try {
    writeFileSync(temporary, String(limit), { flush: true });
    renameSync(temporary, reserveFile(directory));
  } catch {
    // A full disk: the numbers stay unique as long as the outbox itself lives, which is the normal case.
    rmSync(temporary, { force: true });
  }
  return limit - RESERVE / 2;
}
