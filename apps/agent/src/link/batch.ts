import { promisify } from 'node:util';
import { constants, zstdCompress, zstdCompressSync } from 'node:zlib';
import { type DeclaredGap, type EpochChain, LINK_LIMITS } from '@albedo/contract/link/link.messages';
import type { Shape, StoredEvent } from '../outbox/outbox.events.ts';

const compress = promisify(zstdCompress);
/** Below this it is cheaper to compress at once than in another thread, bytes. */
const AT_ONCE = 64 * 1024;

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
  outbox: { name: string; epochs: EpochChain; ackedId: number | null; ackedEpoch: string | null },
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
  // The rows are text already, so the streams follow what is made of the rest.
  const head = JSON.stringify({
    v: 1,
    outbox: outbox.name,
    epochs: outbox.epochs,
    ackedId: outbox.ackedId ?? undefined,
    ackedEpoch: outbox.ackedEpoch ?? undefined,
  }).slice(0, -1);
  const text = `${head},"streams":[${streams.join(',')}],"gaps":${JSON.stringify(gaps)}}`;
  const bytes = Buffer.from(text);
  if (bytes.length > LINK_LIMITS.batchBytes) return null;
  // With the size known beforehand, the compressor takes tables that fit instead of megabytes.
  const options = { params: { [constants.ZSTD_c_compressionLevel]: 3 }, pledgedSrcSize: bytes.length };
  const payload = bytes.length < AT_ONCE ? zstdCompressSync(bytes, options) : await compress(bytes, options);
  return payload.length > LINK_LIMITS.messageBytes ? null : payload;
}
