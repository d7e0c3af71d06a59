import type { ClickHouse } from '@albedo/clickhouse/client';
import type { TableFields } from './telemetry.catalog.ts';
import { type Cell, type Cells, cells, fieldList, KEY_COLUMNS, RowReader } from './telemetry.columns.ts';
import { EVENTS } from './telemetry.reading.ts';

/**
 * Every event of one table, day by day and device by device, in pieces as they come out of the store: what was not
 * taken is not read. Gaps: a field that an event does not have is left out.
 */
export async function* readAll(
  clickhouse: ClickHouse,
  of: { workgroup: string; table: string; fields: TableFields },
  signal?: AbortSignal,
): AsyncGenerator<Cells[]> {
  const { workgroup, table, fields } = of;
  const reader = new RowReader(
    fields,
    fieldList(fields).map(({ name }) => name),
  );
  // In the order of the primary key, so that nothing has to be sorted.
  const sql = `SELECT ${[...KEY_COLUMNS, ...reader.columns].join(', ')} FROM ${EVENTS}
    WHERE workgroup = {workgroup:String} AND tbl = {table:String}
    ORDER BY workgroup, tbl, toDate(event_time), device, source, event_time, msg_id`;
  const settings = {
    max_execution_time: 0,
    max_result_rows: 0,
    max_result_bytes: 0,
    do_not_merge_across_partitions_select_final: 1,
    max_bytes_before_external_sort: 500_000_000,
    // Whoever downloads over a slow line takes long between two pieces.
    send_timeout: 3600,
    receive_timeout: 3600,
  };
  const pieces = clickhouse.stream<Cell[]>(sql, { params: { workgroup, table }, settings, signal });
  for await (const rows of pieces) {
    yield rows.map((row) => {
      const record = cells({
        device: row[0] ?? null,
        event_time: new Date(Number(row[1])).toISOString(),
        source: row[2] ?? null,
        msg_id: String(row[3]),
        store_time: new Date(Number(row[4])).toISOString(),
      });
      reader.read(row, KEY_COLUMNS.length, record, false);
      return record;
    });
  }
}
