import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';

export interface Salvaged {
  events: number;
  /** Events that waited and cannot be read any more. */
  lost: number;
}

type Row = Record<string, SQLOutputValue>;

/** Tables in the order in which they are needed; what is damaged of one leaves the others. */
const TABLES = ['streams', 'shapes', 'positions', 'gaps', 'epochs', 'damaged', 'events'] as const;

/**
 * Takes over into the new outbox `db` what can be read of the damaged one at `path`, under the same name and numbers, and
 * declares the rest as lost. Null when its state cannot be read; then nothing was taken over.
 */
export function salvage(path: string, db: DatabaseSync): Salvaged | null {
  let old: DatabaseSync | null = null;
  try {
    old = new DatabaseSync(path, { readOnly: true });
    const state = old.prepare('SELECT * FROM state').get();
    if (!isState(state)) return null;
    db.exec('BEGIN IMMEDIATE');
    db.exec('DELETE FROM state');
    put(db, 'state', state);
    for (const table of TABLES) for (const row of readable(old, table)) put(db, table, row);
    const lost = declareLost(db, Number(state.next));
    const events = Number(db.prepare('SELECT count(*) AS n FROM events').get()?.n);
    db.exec('COMMIT');
    return { events, lost };
  } catch {
    // Whatever is wrong with it: it stays as it is, under its new name, and a new outbox begins.
    if (db.isTransaction) db.exec('ROLLBACK');
    return null;
  } finally {
    old?.close();
  }
}

const isState = (state: Row | undefined): state is Row =>
  state !== undefined &&
  typeof state.name === 'string' &&
  /^[0-9a-f-]{36}$/.test(state.name) &&
  Number.isSafeInteger(state.next) &&
  Number(state.next) > 0;

function put(db: DatabaseSync, table: string, row: Row): void {
  const columns = Object.keys(row);
  const names = columns.map((name) => `"${name}"`).join(', ');
  const places = columns.map(() => '?').join(', ');
  try {
    db.prepare(`INSERT OR IGNORE INTO ${table} (${names}) VALUES (${places})`).run(...Object.values(row));
  } catch {
    // A value of the wrong kind: this row is part of the damage.
  }
}

/** The rows of a table that can be read, in the order of their numbers; pages that cannot be read are passed over. */
function* readable(db: DatabaseSync, table: string): Generator<Row> {
  let last = 0;
  let step = 1;
  while (last <= Number.MAX_SAFE_INTEGER) {
    try {
      const rows = db.prepare(`SELECT rowid AS at, * FROM ${table} WHERE rowid > ? ORDER BY rowid`);
      for (const { at, ...row } of rows.iterate(last)) {
        last = Number(at);
        step = 1;
        yield row;
      }
      return;
    } catch {
      last += step;
      step *= 2;
    }
  }
}

/** What the counters say that waited and is not there; its numbers lie among those that the outbox has given out. */
function declareLost(db: DatabaseSync, next: number): number {
  const waiting = db.prepare(
    `SELECT s.id, s.captured - s.sent - s.dropped - (
       SELECT count(*) FROM events e JOIN shapes h ON h.id = e.shape WHERE h.stream = s.id) AS lost FROM streams s`,
  );
  const first = db.prepare('SELECT min(first) AS first FROM epochs').get()?.first;
  const lowest = db.prepare('SELECT min(msg_id) AS first FROM events').get()?.first;
  let from = Math.max(1, Math.min(Number(first ?? next), Number(lowest ?? next), next - 1));
  let lost = 0;
  for (const row of waiting.all()) {
    const events = Number(row.lost);
    if (!(events > 0)) continue;
    while (db.prepare('SELECT 1 FROM gaps WHERE first = ?').get(from)) from++;
    db.prepare('INSERT INTO gaps VALUES (?, ?, ?, ?, ?, NULL, NULL)').run(
      from,
      Math.max(from, next - 1),
      row.id as number,
      'outbox_damaged',
      events,
    );
    db.prepare('UPDATE streams SET dropped = dropped + ? WHERE id = ?').run(events, row.id as number);
    lost += events;
  }
  return lost;
}
