import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import { type DeclaredGap, LINK_LIMITS } from '@albedo/contract/link/link.messages';
import type { Shape, StoredEvent } from '../outbox/outbox.ts';

const compress = promisify(zstdCompress);
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

const heads = new WeakMap<Shape, string>();

function headOf(shape: Shape): string {
  let head = heads.get(shape);
  if (head === undefined) {
    const { table, source, fields } = shape;
    head = `${JSON.stringify({ table, source, fields }).slice(0, -1)},"rows":[`;
    heads.set(shape, head);
  }
  return head;
}

/**
 * The message of a batch: compressed JSON with the events grouped by their fields. Null when it would break a limit
 * of the link, so that the caller sends fewer events at once.
 */
export async function encodeBatch(
  outbox: string,
  events: StoredEvent[],
  gaps: DeclaredGap[],
): Promise<Buffer | null> {
  const rows = new Map<Shape, string[]>();
  for (const { shape, id, eventAt, body } of events) {
    const row = body === '[]' ? `[${id},${eventAt}]` : `[${id},${eventAt},${body.slice(1)}`;
    const list = rows.get(shape);
    if (list) list.push(row);
    else rows.set(shape, [row]);
  }
  const streams = [...rows].map(([shape, list]) => `${headOf(shape)}${list.join(',')}]}`);
  const text = `{"v":1,"outbox":${JSON.stringify(outbox)},"streams":[${streams.join(',')}],"gaps":${JSON.stringify(gaps)}}`;
  const bytes = Buffer.from(text);
  if (bytes.length > LINK_LIMITS.batchBytes) return null;
  const payload = await compress(bytes, FAST);
  return payload.length > LINK_LIMITS.messageBytes ? null : payload;
}
