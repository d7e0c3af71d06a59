import type { ClickHouse } from '@albedo/clickhouse/client';
import { instantOf } from '@albedo/contract/time/zoned-time';
import { COUNTER_RULE } from '@albedo/energy/counters';
import type { FieldCatalog } from './telemetry.catalog.ts';
import { Bound } from './telemetry.columns.ts';
import { Days, type ZoneDay } from './telemetry.days.ts';

const DAY_MS = 86_400_000;
/** Streams whose days are made again at once. */
const STREAMS = 40;

type Row = [
  workgroup: string,
  table: string,
  zone: string,
  field: string,
  device: string,
  source: string,
  days: number[],
];

/**
 * Makes kept days again that another rule made, in the background and once. Whoever asks for one meanwhile makes it first, so
 * nobody is answered by an old rule.
 */
export class DaysRenewal {
  readonly #clickhouse: ClickHouse;
  readonly #catalog: FieldCatalog;
  #isDone = false;

  constructor(clickhouse: ClickHouse, catalog: FieldCatalog) {
    this.#clickhouse = clickhouse;
    this.#catalog = catalog;
  }

  async run(signal?: AbortSignal): Promise<void> {
    if (this.#isDone) return;
    const failures: unknown[] = [];
    for (let last: Row | undefined; ; ) {
      signal?.throwIfAborted();
      const rows = await this.#old(last);
      // Done when nothing is old from the first on. What could not be made, as after a clock was set back, has another turn.
      if (rows.length === 0) {
        this.#isDone = last === undefined;
        break;
      }
      last = rows.at(-1);
      for (const some of Map.groupBy(rows, (row) => JSON.stringify(row.slice(0, 3))).values())
        await this.#make(some, signal).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  /** The next ones behind `last`, in order. */
  #old(last: Row | undefined): Promise<Row[]> {
    const bound = new Bound();
    const key =
      '(toString(workgroup), toString(tbl), toString(zone), field, toString(device), toString(source))';
    const names = last?.slice(0, 6).map((name) => bound.add(name, 'String'));
    return this.#clickhouse.queryRows<Row>(
      `SELECT toString(workgroup), toString(tbl), toString(zone), field, toString(device), toString(source),
         groupArray(toUInt16(day))
       FROM telemetry.days FINAL
       WHERE rule != ${COUNTER_RULE} AND c0 >= 0 ${names ? `AND ${key} > (${names.join(', ')})` : ''}
       GROUP BY workgroup, tbl, zone, field, device, source ORDER BY ${key} LIMIT ${STREAMS}`,
      { params: bound.params, settings: { max_execution_time: 300 } },
    );
  }

  async #make(rows: readonly Row[], signal?: AbortSignal): Promise<void> {
    const [first] = rows;
    if (!first) return;
    const [workgroup, table, zone] = first;
    const fields = await this.#catalog.find(workgroup, table);
    const days = new Days(this.#clickhouse);
    const of = { workgroup, table, zone };
    const { at } = await days.look(of, signal);
    for (const [, , , field, device, source, numbers] of rows) {
      const slot = fields?.n.get(field);
      const wanted = numbers.toSorted((a, b) => a - b).map((day) => zoneDay(day, zone));
      // Days of a field that is gone are nobody's.
      if (slot) await days.make(of, [{ device, source, slot }], wanted, at, signal);
      else await days.forget(workgroup, table);
    }
  }
}

/** A day by its number since 1970. */
function zoneDay(day: number, zone: string): ZoneDay {
  const date = new Date(day * DAY_MS);
  const parts = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1 };
  const midnight = (of: number) => instantOf({ ...parts, day: of }, zone);
  return { day, from: midnight(date.getUTCDate()), to: midnight(date.getUTCDate() + 1) };
}
