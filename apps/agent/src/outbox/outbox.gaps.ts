import type { StatementSync } from 'node:sqlite';
import type { GapCause } from '@albedo/contract/completeness/completeness.schema';
import type { DeclaredGap } from '@albedo/contract/link/link.messages';
import type { Stream } from './outbox.streams.ts';

/** Events of one stream that are lost: their numbers, how many they are, and from when to when they happened. */
export interface Loss {
  first: number;
  last: number;
  events: number;
  from: number | null;
  to: number | null;
}

/** How many events of a gap are, where nobody can know. */
const UNKNOWN = -1;

/** What was lost and the cloud has not noted yet. */
export class Gaps {
  readonly #sql: (text: string) => StatementSync;
  readonly #streamOf: (id: number) => Stream | undefined;
  #hasAny = false;

  constructor(sql: (text: string) => StatementSync, streamOf: (id: number) => Stream | undefined) {
    this.#sql = sql;
    this.#streamOf = streamOf;
  }

  /** Takes everything from disk, also after a transaction that failed. */
  load(): void {
    this.#hasAny = this.#sql('SELECT 1 FROM gaps').get() !== undefined;
  }

  list(limit: number): DeclaredGap[] {
    if (!this.#hasAny) return [];
    return this.#sql('SELECT * FROM gaps ORDER BY first LIMIT ?')
      .all(limit)
      .map((row) => {
        const stream = this.#streamOf(Number(row.stream));
        return {
          from: Number(row.first),
          to: Number(row.last),
          table: stream?.table ?? null,
          source: stream?.source ?? null,
          cause: row.cause as GapCause,
          events: Number(row.events) === UNKNOWN ? null : Number(row.events),
          firstEventAt: row.first_event_at === null ? null : Number(row.first_event_at),
          lastEventAt: row.last_event_at === null ? null : Number(row.last_event_at),
        };
      });
  }

  /** Adds to the gaps of the same stream and cause, but for those that are pinned: on their way to the cloud. */
  add(stream: Pick<Stream, 'id'>, cause: GapCause, loss: Loss, isPinned: (id: number) => boolean): void {
    const merged = { ...loss };
    this.#hasAny = true;
    for (const row of this.#sql('SELECT * FROM gaps WHERE stream = ? AND cause = ?').all(stream.id, cause)) {
      const first = Number(row.first);
      if (isPinned(first)) continue;
      this.#sql('DELETE FROM gaps WHERE first = ?').run(first);
      merged.first = Math.min(merged.first, first);
      merged.last = Math.max(merged.last, Number(row.last));
      merged.events += Number(row.events);
      if (row.first_event_at !== null)
        merged.from = Math.min(merged.from ?? Infinity, Number(row.first_event_at));
      if (row.last_event_at !== null) merged.to = Math.max(merged.to ?? -Infinity, Number(row.last_event_at));
    }
    this.#sql('INSERT INTO gaps VALUES (?, ?, ?, ?, ?, ?, ?)').run(
      merged.first,
      merged.last,
      stream.id,
      cause,
      merged.events,
      merged.from,
      merged.to,
    );
  }

  /** So many events that nobody can know how many; of all streams where `stream` is 0. The number is given for it alone. */
  addUnknown(stream: number, number: number, cause: GapCause): void {
    this.#hasAny = true;
    this.#sql('INSERT INTO gaps VALUES (?, ?, ?, ?, ?, NULL, NULL)').run(
      number,
      number,
      stream,
      cause,
      UNKNOWN,
    );
  }

  /** Forgets gaps by their first numbers. */
  forget(firsts: readonly number[]): void {
    if (firsts.length === 0) return;
    for (const first of firsts) this.#sql('DELETE FROM gaps WHERE first = ?').run(first);
    this.load();
  }
}
