import type { FieldType } from '@albedo/contract/telemetry/telemetry.schema';
import { AppError } from '../errors/app-error.ts';
import { type FieldSlot, OVERFLOW, OVERFLOW_COLUMN } from './telemetry.blocks.ts';
import type { TableFields } from './telemetry.catalog.ts';

/** Values that travel beside a statement; names and values of devices never become part of its text. */
export class Bound {
  readonly params: Record<string, unknown> = {};
  #count = 0;

  add(value: unknown, type: string): string {
    const name = `p${this.#count++}`;
    this.params[name] = value;
    return `{${name}:${type}}`;
  }
}

/** Expressions of one field; a field that was sent as number and as text has both `n` and `s`. */
export interface Column {
  /** An instant, DateTime64. */
  t: string | null;
  n: string | null;
  s: string | null;
  /** Of the numbers where there are any; those of a `date` are instants, epoch ms. */
  type: FieldType;
  isBuiltIn: boolean;
}

const builtIn = (column: Partial<Column>): Column => ({
  t: null,
  n: null,
  s: null,
  type: 'keyword',
  isBuiltIn: true,
  ...column,
});

const BUILT_IN: Readonly<Record<string, Column>> = {
  device: builtIn({ s: 'toString(device)' }),
  source: builtIn({ s: 'source' }),
  event_time: builtIn({ t: 'event_time', type: 'date' }),
  store_time: builtIn({ t: 'store_time', type: 'date' }),
  msg_id: builtIn({ n: 'msg_id', type: 'integer' }),
};

/** Columns of a record that every table has, with how each is asked for. */
export const KEY_COLUMNS = [
  'toString(device)',
  'toUnixTimestamp64Milli(event_time)',
  'source',
  'msg_id',
  'toUnixTimestamp64Milli(store_time)',
] as const;

export function builtInColumn(name: string): Column | null {
  return Object.hasOwn(BUILT_IN, name) ? (BUILT_IN[name] as Column) : null;
}

/** Throws `table.field_unknown`. */
export function columnOf(table: string, fields: TableFields, name: string, bound: Bound): Column {
  const known = builtInColumn(name);
  if (known) return known;
  const n = fields.n.get(name);
  const s = fields.s.get(name);
  if (name === '' || (!n && !s)) throw new AppError('table.field_unknown', { table, field: name });
  return {
    t: null,
    n: n ? slotExpression(n, bound) : null,
    s: s ? slotExpression(s, bound) : null,
    type: n?.type ?? 'keyword',
    isBuiltIn: false,
  };
}

/** The values of a slot, null where an event has none. */
export function slotExpression({ kind, slot, field }: FieldSlot, bound: Bound): string {
  if (slot !== OVERFLOW) return `${kind}${slot}`;
  const map = OVERFLOW_COLUMN[kind];
  const key = bound.add(field, 'String');
  return `if(mapContains(${map}, ${key}), toNullable(${map}[${key}]), NULL)`;
}

export interface FieldInfo {
  name: string;
  type: FieldType;
  units: string | null;
}

/** Fields by name; one of both kinds is shown as the numbers it mostly is. */
export function fieldList(fields: TableFields): FieldInfo[] {
  const names = new Set([...fields.n.keys(), ...fields.s.keys()]);
  names.delete('');
  return [...names]
    .sort((a, b) => a.localeCompare(b))
    .map((name) => {
      const { type, units } = (fields.n.get(name) ?? fields.s.get(name)) as FieldSlot;
      return { name, type, units: units || null };
    });
}

export type Cell = number | string | null;
type RawCell = Cell | Record<string, number | string>;

/** Values by names that come from outside, so it has no prototype: a field may be called `__proto__`. */
export type Cells = Record<string, Cell>;
export const cells = (of: Cells = {}): Cells => Object.assign(Object.create(null), of);

const ownValue = (values: Cells | null, name: string): Cell =>
  values !== null && Object.hasOwn(values, name) ? (values[name] ?? null) : null;

/** Reads named fields out of rows of numbered columns. */
export class RowReader {
  /** Physical columns to ask for, in the order in which `read` expects them. */
  readonly columns: string[];
  readonly #fields: { name: string; places: { at: number; key: string | null }[] }[];

  constructor(fields: TableFields, names: readonly string[], columns: readonly string[] = []) {
    const all = [...columns];
    const place = ({ kind, slot, field }: FieldSlot) => {
      const column = slot === OVERFLOW ? OVERFLOW_COLUMN[kind] : `${kind}${slot}`;
      if (!all.includes(column)) all.push(column);
      return { at: all.indexOf(column), key: slot === OVERFLOW ? field : null };
    };
    this.#fields = names.map((name) => ({
      name,
      // An event with both has a number and its exact digits.
      places: [fields.s.get(name), fields.n.get(name)].filter((slot) => slot !== undefined).map(place),
    }));
    this.columns = all;
  }

  /** `row` begins with the columns at `offset`. Gaps: null where an event has no value. */
  read(row: readonly RawCell[], offset: number, into: Cells, keepNulls = true): void {
    for (const { name, places } of this.#fields) {
      let value: Cell = null;
      for (const { at, key } of places) {
        const cell = row[offset + at] ?? null;
        value ??= key === null ? (cell as Cell) : ownValue(cell as Record<string, Cell> | null, key);
      }
      if (value !== null || keepNulls) into[name] = value;
    }
  }
}
