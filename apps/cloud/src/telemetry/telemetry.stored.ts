import type { ClickHouse } from '@albedo/clickhouse/client';
import { OWN_NUMBERS } from '@albedo/contract/link/link.messages';

/** Numbers of one stream that are stored, rising, each once. */
export interface StoredRun {
  workgroup: string;
  device: string;
  table: string;
  source: string;
  msgIds: number[];
  /** Times of the oldest and newest of these events. */
  firstEventAt: number;
  lastEventAt: number;
}

type Row = [string, string, string, string, string, string];

/** Numbers of one piece. */
const PIECE = 50_000;

/** Streams follow one another; a long one comes in several pieces. Of the devices of these shards, or of all. */
export async function* readStoredSince(
  clickhouse: ClickHouse,
  at: number,
  shards: readonly string[] | null = null,
): AsyncGenerator<StoredRun> {
  const rows = clickhouse.stream<Row>(
    `SELECT workgroup, toString(device), tbl, source, msg_id, toUnixTimestamp64Milli(event_time)
     FROM telemetry.events WHERE store_time >= fromUnixTimestamp64Milli({at:Int64}, 'UTC') AND msg_id < ${OWN_NUMBERS}
     ${shards ? 'AND right(toString(device), 2) IN {shards:Array(String)}' : ''}
     ORDER BY workgroup, device, tbl, source, msg_id`,
    {
      params: { at: Math.trunc(at), ...(shards && { shards }) },
      settings: {
        max_execution_time: 600,
        max_result_bytes: 0,
        max_result_rows: 0,
        max_bytes_before_external_sort: 500_000_000,
      },
    },
  );
  let current: StoredRun | undefined;
  for await (const piece of rows) {
    for (const [workgroup, device, table, source, id, eventTime] of piece) {
      const [msgId, eventAt] = [Number(id), Number(eventTime)];
      if (
        !current ||
        current.device !== device ||
        current.table !== table ||
        current.source !== source ||
        current.workgroup !== workgroup ||
        current.msgIds.length >= PIECE
      ) {
        if (current) yield current;
        current = {
          workgroup,
          device,
          table,
          source,
          msgIds: [],
          firstEventAt: eventAt,
          lastEventAt: eventAt,
        };
      }
      include(current, msgId, eventAt);
    }
  }
  if (current) yield current;
}

function include(stream: StoredRun, msgId: number, eventAt: number): void {
  if (stream.msgIds.at(-1) !== msgId) stream.msgIds.push(msgId);
  stream.firstEventAt = Math.min(stream.firstEventAt, eventAt);
  stream.lastEventAt = Math.max(stream.lastEventAt, eventAt);
}
