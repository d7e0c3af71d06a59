import type { ClickHouse } from '@albedo/clickhouse/client';
import type { TableInfo } from '@albedo/contract/telemetry/telemetry.schema';
import type { DeviceScope } from '../access/device-scope.ts';
import { type FieldSlot, OVERFLOW, OVERFLOW_COLUMN } from './telemetry.blocks.ts';
import type { TableFields } from './telemetry.catalog.ts';
import { Bound, fieldList } from './telemetry.columns.ts';
import { reading } from './telemetry.reading.ts';
import { scopeFilter } from './telemetry.scope.ts';

/** When a field was first and last seen (epoch ms), and in which sources. */
interface Seen {
  firstAt: number | null;
  lastAt: number | null;
  sources: string[];
}

interface Of {
  clickhouse: ClickHouse;
  workgroup: string;
  devices: DeviceScope;
  table: string;
  fields: TableFields;
}

/** The fields of a table with their types and units; device, event_time and source come first. Asks for nothing. */
export const tableTypes = (table: string, fields: TableFields): TableInfo =>
  describe({ table, fields }, {}, () => ({}));

/** The same with when and where each field was seen, which takes a look at every event of the table. */
export async function readTableInfo(of: Of): Promise<TableInfo> {
  const [{ all, bySlot }, kept] = await Promise.all([seenInColumns(of), seenInMaps(of)]);
  const { n, s } = of.fields;
  return describe(of, all, (name) =>
    [n.get(name), s.get(name)]
      .filter((slot) => slot !== undefined)
      .map((slot) => (slot.slot === OVERFLOW ? kept : bySlot).get(idOf(slot)) ?? NEVER)
      .reduce(merged, NEVER),
  );
}

/** `all` is what is known of every event, `seen` of those that have the field. */
function describe(
  { table, fields }: Pick<Of, 'table' | 'fields'>,
  all: Partial<Seen>,
  seen: (name: string) => Partial<Seen>,
): TableInfo {
  const builtIn = (name: string, type: 'keyword' | 'date' | 'integer') => ({
    name,
    type,
    units: null,
    ...all,
  });
  return {
    table,
    fields: [
      builtIn('device', 'keyword'),
      builtIn('event_time', 'date'),
      builtIn('source', 'keyword'),
      ...fieldList(fields).map((field) => ({ ...field, ...seen(field.name) })),
      builtIn('msg_id', 'integer'),
      builtIn('store_time', 'date'),
    ],
    fetchedAt: Date.now(),
  };
}

const NEVER: Seen = { firstAt: null, lastAt: null, sources: [] };
const idOf = ({ kind, field }: FieldSlot): string => `${kind}${field}`;

function merged(a: Seen, b: Seen): Seen {
  const least = (x: number | null, y: number | null) =>
    x === null || y === null ? (x ?? y) : Math.min(x, y);
  const most = (x: number | null, y: number | null) => (x === null || y === null ? (x ?? y) : Math.max(x, y));
  return {
    firstAt: least(a.firstAt, b.firstAt),
    lastAt: most(a.lastAt, b.lastAt),
    sources: [...new Set([...a.sources, ...b.sources])].sort(),
  };
}

const whose = ({ workgroup, table, devices }: Of, bound: Bound): string =>
  `workgroup = ${bound.add(workgroup, 'String')} AND tbl = ${bound.add(table, 'String')} AND ${scopeFilter(devices, bound)}`;

/** Of the numbered columns, which one query over their gaps tells; repeats do no harm. */
async function seenInColumns(of: Of): Promise<{ all: Seen; bySlot: Map<string, Seen> }> {
  const slots = [...of.fields.n.values(), ...of.fields.s.values()].filter(({ slot }) => slot !== OVERFLOW);
  const bound = new Bound();
  const times = slots.flatMap(({ kind, slot }) =>
    ['min', 'max'].map(
      (end) => `toUnixTimestamp64Milli(${end}OrNullIf(event_time, isNotNull(${kind}${slot})))`,
    ),
  );
  const whole = ['min', 'max'].map((end) => `toUnixTimestamp64Milli(${end}(event_time))`);
  const sql = `SELECT source, ${[...whole, ...times].join(', ')}
    FROM telemetry.events WHERE ${whose(of, bound)} GROUP BY source ORDER BY source LIMIT 10000`;
  const rows = await of.clickhouse.queryRows<[string, ...(string | null)[]]>(sql, reading(bound));
  const at = (place: number): Seen =>
    rows
      .filter((row) => row[place] !== null)
      .map((row) => ({ firstAt: Number(row[place]), lastAt: Number(row[place + 1]), source: row[0] }))
      .reduce<Seen>(
        (seen, { firstAt, lastAt, source }) => {
          seen.firstAt = Math.min(seen.firstAt ?? firstAt, firstAt);
          seen.lastAt = Math.max(seen.lastAt ?? lastAt, lastAt);
          seen.sources.push(source);
          return seen;
        },
        { firstAt: null, lastAt: null, sources: [] },
      );
  return { all: at(1), bySlot: new Map(slots.map((slot, i) => [idOf(slot), at(3 + 2 * i)])) };
}

/** Of the fields that found no column of their own. */
async function seenInMaps(of: Of): Promise<Map<string, Seen>> {
  const found = new Map<string, Seen>();
  await Promise.all(
    (['n', 's'] as const).map(async (kind) => {
      if (![...of.fields[kind].values()].some(({ slot, field }) => slot === OVERFLOW && field !== '')) return;
      const bound = new Bound();
      const sql = `SELECT arrayJoin(mapKeys(${OVERFLOW_COLUMN[kind]})) AS field, min(toUnixTimestamp64Milli(event_time)),
          max(toUnixTimestamp64Milli(event_time)), groupUniqArray(10000)(source)
        FROM telemetry.events WHERE ${whose(of, bound)} GROUP BY field`;
      const rows = await of.clickhouse.queryRows<[string, string, string, string[]]>(sql, reading(bound));
      for (const [field, first, last, sources] of rows)
        found.set(`${kind}${field}`, {
          firstAt: Number(first),
          lastAt: Number(last),
          sources: sources.sort(),
        });
    }),
  );
  return found;
}
