import type { ClickHouse } from '@albedo/clickhouse/client';
import type { SeriesKey } from '@albedo/contract/telemetry/telemetry.schema';
import { type DeviceScope, seesSource } from '../access/device-scope.ts';
import type { FieldSlot } from './telemetry.blocks.ts';
import type { TableFields } from './telemetry.catalog.ts';
import { Bound, slotExpression } from './telemetry.columns.ts';
import { reading } from './telemetry.reading.ts';

/** A field that no visible event had is looked for again after so long, ms. A newer event shows it at once. */
const LOOK_AGAIN_MS = 60_000;
/** Tables whose visible fields are remembered. */
const REMEMBERED = 1000;

/** Which events the scope has, as an expression that always stands in a WHERE; a scope of nothing has none. */
export function scopeFilter(scope: DeviceScope, bound: Bound): string {
  if (scope.isAll) return '1';
  const whole: string[] = [];
  const pairs: [device: string, source: string][] = [];
  for (const id of scope.ids()) {
    const sources = scope.sources(id);
    if (sources === null) whole.push(id);
    else for (const source of sources) pairs.push([id, source]);
  }
  const parts: string[] = [];
  if (whole.length > 0) parts.push(`device IN ${bound.add(whole, 'Array(UUID)')}`);
  if (pairs.length > 0) {
    const devices = pairs.map(([device]) => device);
    const sources = pairs.map(([, source]) => source);
    // The first condition is what the index can use.
    parts.push(`(device IN ${bound.add([...new Set(devices)], 'Array(UUID)')} AND (device, source) IN arrayZip(
      ${bound.add(devices, 'Array(UUID)')}, ${bound.add(sources, 'Array(String)')}))`);
  }
  return parts.length === 0 ? '0' : `(${parts.join(' OR ')})`;
}

export const seesSeries = (scope: DeviceScope, { device, source }: SeriesKey): boolean =>
  seesSource(scope, device.toLowerCase(), source);

/** Names of the tables that hold visible events. */
export async function tablesOf(
  clickhouse: ClickHouse,
  workgroup: string,
  scope: DeviceScope,
): Promise<Set<string>> {
  const bound = new Bound();
  const sql = `SELECT DISTINCT tbl FROM telemetry.latest
    WHERE workgroup = ${bound.add(workgroup, 'String')} AND ${scopeFilter(scope, bound)}`;
  const rows = await clickhouse.queryRows<[string]>(sql, reading(bound));
  return new Set(rows.map(([table]) => table));
}

interface Remembered {
  /** Kind and name. */
  found: Set<string>;
  lookedAt: number;
  /** An event of the table is visible. */
  isExisting: boolean;
}

/**
 * Which fields of a table visible events have. The newest events say most of it; the others are looked for among all
 * events, and what was found is remembered until the scope changes.
 */
export class VisibleFields {
  readonly #clickhouse: ClickHouse;
  readonly #remembered = new Map<string, Remembered>();

  constructor(clickhouse: ClickHouse) {
    this.#clickhouse = clickhouse;
  }

  /** Null where no event of the table is visible: to the scope there is no such table. */
  async of(
    workgroup: string,
    scope: DeviceScope,
    table: string,
    all: TableFields,
  ): Promise<TableFields | null> {
    if (scope.isAll) return all;
    const kept = this.#kept(workgroup, scope, table);
    const slots = [...all.n.values(), ...all.s.values()];
    const of = { workgroup, scope, table };
    const unseen = () => slots.filter((slot) => !kept.found.has(keyOf(slot)));
    // Once everything was seen there is nothing to ask any more.
    if (!kept.isExisting || unseen().length > 0) {
      kept.isExisting = await this.#look('telemetry.latest FINAL', of, slots, kept);
    }
    if (!kept.isExisting) return null;
    const missing = unseen();
    if (missing.length > 0 && Date.now() - kept.lookedAt > LOOK_AGAIN_MS) {
      kept.lookedAt = Date.now();
      // Repeats do no harm here, so they need not be left out.
      await this.#look('telemetry.events', of, missing, kept);
    }
    const seen = (fields: Map<string, FieldSlot>) =>
      new Map([...fields].filter(([, slot]) => kept.found.has(keyOf(slot))));
    return { created: all.created, n: seen(all.n), s: seen(all.s) };
  }

  /** True when there is any visible event; the fields that one has are added to those that were found. */
  async #look(
    from: string,
    of: { workgroup: string; scope: DeviceScope; table: string },
    slots: readonly FieldSlot[],
    kept: Remembered,
  ): Promise<boolean> {
    const unknown = slots.filter((slot) => !kept.found.has(keyOf(slot)));
    const bound = new Bound();
    const has = unknown.map((slot) => `max(isNotNull(${slotExpression(slot, bound)}))`);
    const sql = `SELECT ${['count() > 0', ...has].join(', ')} FROM ${from}
      WHERE workgroup = ${bound.add(of.workgroup, 'String')} AND tbl = ${bound.add(of.table, 'String')}
        AND ${scopeFilter(of.scope, bound)}`;
    const [row] = await this.#clickhouse.queryRows<number[]>(sql, reading(bound));
    unknown.forEach((slot, i) => {
      if (row?.[i + 1]) kept.found.add(keyOf(slot));
    });
    return row?.[0] === 1;
  }

  #kept(workgroup: string, scope: DeviceScope, table: string): Remembered {
    const key = JSON.stringify([scope.version(), workgroup, table]);
    const known = this.#remembered.get(key);
    if (known) return known;
    if (this.#remembered.size >= REMEMBERED) this.#remembered.clear();
    const fresh = { found: new Set<string>(), lookedAt: 0, isExisting: false };
    this.#remembered.set(key, fresh);
    return fresh;
  }
}

const keyOf = ({ kind, field }: FieldSlot): string => `${kind}${field}`;
