import type { StatementSync } from 'node:sqlite';
import type { Position } from './outbox.events.ts';

/** How far each file was read; written in the transaction of the events that were read. */
export class Positions {
  readonly #sql: (text: string) => StatementSync;
  readonly #stoppedAt: () => number;
  /** Those that were noted since this start. */
  readonly #fresh = new Set<string>();

  /** `stoppedAt` answers when something was last written before this start. */
  constructor(sql: (text: string) => StatementSync, stoppedAt: () => number) {
    this.#sql = sql;
    this.#stoppedAt = stoppedAt;
  }

  get(key: string): Position | null {
    const row = this.#sql('SELECT * FROM positions WHERE key = ?').get(key);
    if (!row) return null;
    return {
      inode: Number(row.inode),
      offset: Number(row.offset),
      tail: String(row.tail),
      header: row.header === null ? null : String(row.header),
      skipping: row.skipping === 1,
      head: String(row.head),
      headSize: Number(row.head_size),
      ...(this.#fresh.has(key) ? {} : { notedAt: this.#stoppedAt() }),
    };
  }

  keys(): string[] {
    return this.#sql('SELECT key FROM positions')
      .all()
      .map((row) => String(row.key));
  }

  /** Null forgets it. */
  save(key: string, value: Position | null): void {
    this.#fresh.add(key);
    if (!value) {
      this.#sql('DELETE FROM positions WHERE key = ?').run(key);
      return;
    }
    const { inode, offset, tail, header, skipping, head = '', headSize = 0 } = value;
    // Most of the time only the place has moved; the header can be long and need not be written again.
    const moved = this.#sql(
      'UPDATE positions SET inode = ?, "offset" = ?, tail = ?, skipping = ?, head = ?, head_size = ? WHERE key = ? AND header IS ?',
    ).run(inode, offset, tail, skipping ? 1 : 0, head, headSize, key, header);
    if (moved.changes > 0) return;
    this.#sql('INSERT OR REPLACE INTO positions VALUES (?, ?, ?, ?, ?, ?, ?, ?)').run(
      key,
      inode,
      offset,
      tail,
      header,
      skipping ? 1 : 0,
      head,
      headSize,
    );
  }
}
