import type { StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import type { Shape } from './outbox.events.ts';

export type StreamCounters = [table: string, source: string, captured: number, sent: number, dropped: number];

export interface Stream {
  id: number;
  table: string;
  source: string;
  captured: number;
  sent: number;
  dropped: number;
  /** Its counters differ from those on disk. */
  touched: boolean;
}

interface Known {
  shape: Shape;
  stream: Stream;
  /** Of its names and types; part of the checksum of each of its events. */
  sum: number;
}

const sumOf = ({ table, source, fields }: Shape): number => crc32(JSON.stringify([table, source, fields]));

/** Streams with their counters, and the shapes of their events, as the outbox knows them by number. */
export class Streams {
  readonly #sql: (text: string) => StatementSync;
  #streams = new Map<string, Stream>();
  #streamsById = new Map<number, Stream>();
  #shapes = new Map<number, Known>();
  #shapeIds = new WeakMap<Shape, number>();

  constructor(sql: (text: string) => StatementSync) {
    this.#sql = sql;
  }

  /** Takes everything from disk, also after a transaction that failed. */
  load(): void {
    this.#streams = new Map();
    this.#streamsById = new Map();
    this.#shapes = new Map();
    this.#shapeIds = new WeakMap();
    for (const row of this.#sql('SELECT * FROM streams').all()) {
      this.#add({
        id: Number(row.id),
        table: String(row.table),
        source: String(row.source),
        captured: Number(row.captured),
        sent: Number(row.sent),
        dropped: Number(row.dropped),
        touched: false,
      });
    }
    for (const row of this.#sql('SELECT * FROM shapes').all()) {
      const stream = this.#streamsById.get(Number(row.stream));
      if (!stream) continue;
      const { table, source } = stream;
      const fields = fieldsIn(String(row.fields));
      if (!fields) continue;
      const shape = { table, source, fields };
      this.#shapes.set(Number(row.id), { shape, stream, sum: sumOf(shape) });
    }
  }

  /** Writes the counters that changed. */
  save(): void {
    const save = this.#sql('UPDATE streams SET captured = ?, sent = ?, dropped = ? WHERE id = ?');
    for (const stream of this.#streams.values()) {
      if (!stream.touched) continue;
      save.run(stream.captured, stream.sent, stream.dropped, stream.id);
      stream.touched = false;
    }
  }

  /** Counts from what waits and what was dropped, as `countOf` answers for a stream. */
  restart(countOf: (id: number) => { waiting: number; dropped: number }): void {
    for (const stream of this.#streams.values()) {
      const { waiting, dropped } = countOf(stream.id);
      Object.assign(stream, { captured: waiting + dropped, sent: 0, dropped, touched: true });
    }
  }

  counters(): StreamCounters[] {
    return [...this.#streams.values()].map((one) => [
      one.table,
      one.source,
      one.captured,
      one.sent,
      one.dropped,
    ]);
  }

  byId(id: number): Stream | undefined {
    return this.#streamsById.get(id);
  }

  find(shapeId: number): Known | undefined {
    return this.#shapes.get(shapeId);
  }

  known(shapeId: number): Known {
    const known = this.#shapes.get(shapeId);
    if (!known) throw new Error(`The outbox has an event of the unknown shape ${shapeId}.`);
    return known;
  }

  /** Number of a shape, given out when it is new. */
  shapeId(shape: Shape): number {
    const known = this.#shapeIds.get(shape);
    if (known !== undefined) return known;
    const stream = this.stream(shape.table, shape.source);
    const fields = JSON.stringify(shape.fields);
    const found = this.#sql('SELECT id FROM shapes WHERE stream = ? AND fields = ?').get(stream.id, fields);
    const id = Number(found ? found.id : this.#insertShape(stream.id, fields));
    if (!this.#shapes.has(id)) this.#shapes.set(id, { shape, stream, sum: sumOf(shape) });
    this.#shapeIds.set(shape, id);
    return id;
  }

  #insertShape(stream: number, fields: string): number | bigint {
    return this.#sql('INSERT INTO shapes (stream, fields) VALUES (?, ?)').run(stream, fields).lastInsertRowid;
  }

  /** Made when it is new. */
  stream(table: string, source: string): Stream {
    const known = this.#streams.get(`${table}\n${source}`);
    if (known) return known;
    const insert = this.#sql('INSERT INTO streams ("table", source) VALUES (?, ?)');
    const id = Number(insert.run(table, source).lastInsertRowid);
    return this.#add({ id, table, source, captured: 0, sent: 0, dropped: 0, touched: false });
  }

  #add(stream: Stream): Stream {
    this.#streams.set(`${stream.table}\n${stream.source}`, stream);
    this.#streamsById.set(stream.id, stream);
    return stream;
  }
}

/** Null when the text was damaged. */
function fieldsIn(text: string): Shape['fields'] | null {
  try {
    const fields: unknown = JSON.parse(text);
    return Array.isArray(fields) ? fields : null;
  } catch {
    return null;
  }
}
