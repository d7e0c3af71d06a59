import type { StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import type { Shape, StoredEvent } from './outbox.events.ts';
import type { Streams } from './outbox.streams.ts';

interface WaitingOptions {
  limits: { events: number; bytes: number };
  /** Only what comes after this one; null for the newest. */
  below: { eventAt: number; id: number } | null;
  skip: (id: number) => boolean;
  /** Told of each event that is not as it was written. */
  isDamaged: (id: number) => void;
}

/** Events that wait, the newest first, up to the limits; one that is larger than all of them comes alone. */
export function readWaiting(
  sql: (text: string) => StatementSync,
  streams: Streams,
  { limits, below, skip, isDamaged }: WaitingOptions,
): StoredEvent[] {
  const ids = sql(
    'SELECT msg_id, event_at FROM events WHERE (event_at, msg_id) <= (?, ?) ORDER BY event_at DESC, msg_id DESC',
  );
  const body = sql('SELECT shape, event_at, body, size, sum FROM events WHERE msg_id = ?');
  const found: StoredEvent[] = [];
  let bytes = 0;
  const end = Number.MAX_SAFE_INTEGER;
  for (const row of ids.iterate(below?.eventAt ?? end, below?.id ?? end)) {
    const id = Number(row.msg_id);
    if (skip(id)) continue;
    const event = body.get(id);
    const known = event && streams.find(Number(event.shape));
    if (!event || !known || !isWhole(event, known)) {
      isDamaged(id);
      continue;
    }
    const size = Number(event.size);
    bytes += size;
    if (found.length > 0 && bytes > limits.bytes) break;
    found.push({ id, shape: known.shape, eventAt: Number(event.event_at), body: String(event.body), size });
    if (found.length >= limits.events) break;
  }
  return found;
}

/** Of an event on disk: `shapeSum` is the one of its stream and fields. Its number is not in it, since that can change. */
export const sumOf = (shapeSum: number, eventAt: number, body: string): number =>
  crc32(body, (shapeSum ^ (eventAt % 2 ** 32)) >>> 0);

/** Whether an event is as it was written; those of older agents have no checksum and are looked at. */
function isWhole(
  { body, sum, event_at: eventAt }: Record<string, unknown>,
  known: { sum: number; shape: Shape },
): boolean {
  if (typeof body !== 'string') return false;
  if (sum !== null) return Number(sum) === sumOf(known.sum, Number(eventAt), body);
  try {
    const values: unknown = JSON.parse(body);
    return Array.isArray(values) && values.length === known.shape.fields.length;
  } catch {
    return false;
  }
}
