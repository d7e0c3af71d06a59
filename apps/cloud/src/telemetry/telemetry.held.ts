import type { ClickHouse } from '@albedo/clickhouse/client';
import { type BatchRow, DEVICE_TIME } from '@albedo/contract/link/link.messages';
import { kindOf, type TelemetryBlock } from './telemetry.blocks.ts';
import type { TableFields } from './telemetry.catalog.ts';
import { Bound, type Cell, slotExpression } from './telemetry.columns.ts';

/** Columns of one statement, so that a wide stream does not make one that the engine refuses. */
const COLUMNS = 500;
const A_DAY_MS = 86_400_000;

/** Those rows of a block that are stored already: under the same number, with the same time and values. */
export async function readHeld(
  clickhouse: ClickHouse,
  block: TelemetryBlock,
  fields: TableFields,
): Promise<Set<BatchRow>> {
  const slots = block.stream.fields.map(({ name, type }) => fields[kindOf(type)].get(name));
  let held = new Set(block.rows);
  for (let at = 0; held.size > 0 && (at === 0 || at < slots.length); at += COLUMNS) {
    const some = slots.slice(at, at + COLUMNS);
    const stored = await readRows(clickhouse, block, [...held], some);
    held = new Set(
      [...held].filter((row) =>
        isAmong(stored.get(keyOf(block.stream, row[0], row[1])) ?? [], row, some, at),
      ),
    );
  }
  return held;
}

/** Of rows with their own time, those that came earlier already, with the same values, and got the time of their arrival. */
export async function readHeldAhead(
  clickhouse: ClickHouse,
  block: TelemetryBlock,
  fields: TableFields,
): Promise<Set<BatchRow>> {
  const { stream, rows } = block;
  if (rows.length === 0 || hasOurTime(stream) || !fields.n.has(DEVICE_TIME)) return new Set();
  const own = stream.fields.findIndex(({ name }) => name === DEVICE_TIME);
  const without = <T>(list: readonly T[]) => list.filter((_, at) => at !== own);
  const byAhead = new Map(
    rows.map((row) => {
      const [id, at, ...values] = row;
      return [[id, at, ...without(values), at] as BatchRow, row];
    }),
  );
  const asked: TelemetryBlock = {
    ...block,
    stream: { ...stream, fields: [...without(stream.fields), { name: DEVICE_TIME, type: 'date' }] },
    rows: [...byAhead.keys()],
  };
  const held = await readHeld(clickhouse, asked, fields);
  return new Set([...byAhead].flatMap(([ahead, row]) => (held.has(ahead) ? [row] : [])));
}

type Slots = ReturnType<TableFields['n']['get']>[];

async function readRows(
  clickhouse: ClickHouse,
  { workgroup, device, stream }: TelemetryBlock,
  rows: readonly BatchRow[],
  slots: Slots,
): Promise<Map<string, Cell[][]>> {
  const bound = new Bound();
  const columns = slots.map((slot) => (slot ? slotExpression(slot, bound) : 'NULL'));
  let [from, to] = hasOurTime(stream) ? [0, Date.now() + A_DAY_MS] : [Number.POSITIVE_INFINITY, 0];
  for (const [, eventAt] of rows) {
    from = Math.min(from, eventAt);
    to = Math.max(to, eventAt);
  }
  const instant = (ms: number) => `fromUnixTimestamp64Milli(${bound.add(ms, 'Int64')}, 'UTC')`;
  const found = await clickhouse.queryRows<Cell[]>(
    `SELECT ${['msg_id', 'toUnixTimestamp64Milli(event_time)', ...columns].join(', ')} FROM telemetry.events
     WHERE workgroup = ${bound.add(workgroup, 'String')} AND tbl = ${bound.add(stream.table, 'String')}
       AND device = ${bound.add(device, 'UUID')} AND source = ${bound.add(stream.source, 'String')}
       AND event_time >= ${instant(from)} AND event_time <= ${instant(to)}
       AND msg_id IN ${bound.add(
         rows.map(([id]) => id),
         'Array(UInt64)',
       )}`,
    { params: bound.params, settings: { max_result_rows: 0, max_result_bytes: 0, max_execution_time: 60 } },
  );
  const byKey = new Map<string, Cell[][]>();
  for (const row of found) {
    const key = keyOf(stream, row[0], row[1]);
    const list = byKey.get(key);
    if (list) list.push(row);
    else byKey.set(key, [row]);
  }
  return byKey;
}

/** Such events got their time when they came, so another one when they come again. */
const hasOurTime = ({ fields }: TelemetryBlock['stream']): boolean => fields.at(-1)?.name === DEVICE_TIME;

const keyOf = (stream: TelemetryBlock['stream'], id: unknown, eventAt: unknown): string =>
  hasOurTime(stream) ? `${id}` : `${id} ${eventAt}`;

function isAmong(stored: Cell[][], row: BatchRow, slots: Slots, at: number): boolean {
  return stored.some((cells) => slots.every((_, i) => (row[at + i + 2] ?? null) === (cells[i + 2] ?? null)));
}
