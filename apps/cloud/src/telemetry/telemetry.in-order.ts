import { Bound, type Cell, type Cells, cells, RowReader } from './telemetry.columns.ts';
import { PATIENCE } from './telemetry.csv.ts';
import { EVENTS, reading } from './telemetry.reading.ts';
import { type SearchScope, whereIn } from './telemetry.where.ts';

/** An event with some of its fields; `eventAt` is epoch ms. */
export interface EventInOrder {
  device: string;
  source: string;
  eventAt: number;
  values: Cells;
}

/** The events of a search in the order of their times, source by source, in pieces as they come out of the store. */
export async function* inOrder(scope: SearchScope, names: readonly string[]): AsyncGenerator<EventInOrder[]> {
  const known = names.filter((name) => scope.fields.n.has(name) || scope.fields.s.has(name));
  const reader = new RowReader(scope.fields, known);
  const bound = new Bound();
  const columns = ['toString(device)', 'source', 'toUnixTimestamp64Milli(event_time)', ...reader.columns];
  const sql = `SELECT ${columns.join(', ')} FROM ${EVENTS} WHERE ${whereIn(scope, bound)}
    ORDER BY device, source, event_time, msg_id`;
  for await (const rows of scope.clickhouse.stream<Cell[]>(sql, reading(bound, scope.signal, PATIENCE)))
    yield rows.map((row) => {
      const values = cells();
      reader.read(row, 3, values);
      return { device: String(row[0]), source: String(row[1]), eventAt: Number(row[2]), values };
    });
}
