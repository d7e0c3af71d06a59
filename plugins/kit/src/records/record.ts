/** Types a column may have. Source: header grammar of latest.csv. */
export type ColumnType = 'keyword' | 'integer' | 'decimal' | 'bool' | 'date' | 'discard';

export interface Column {
  name: string;
  type: ColumnType;
  /** Free text, such as W, °C or %. */
  units?: string;
}

/** A value that was not measured is null. A number that is not finite counts as not measured. */
export type Value = number | string | boolean | Date | null;

/** What one machine measured at one instant. */
export interface PluginRecord {
  table: string;
  /** Parts of the source name, such as endpoint, port and bus address. */
  source: (string | number)[];
  /** The time of measurement is no column; the writer puts it first. */
  columns: Column[];
  values: Value[];
  /** What `discover` tells about the machine, in this order. */
  about?: [name: string, text: string][];
}

const ALIASES: Record<string, ColumnType> = {
  int: 'integer',
  integer: 'integer',
  float: 'decimal',
  decimal: 'decimal',
  real: 'decimal',
  freal: 'decimal',
  double: 'decimal',
  bool: 'bool',
  boolean: 'bool',
  string: 'keyword',
  str: 'keyword',
  keyword: 'keyword',
  date: 'date',
  discard: 'discard',
};

/** The canonical type for a name or alias in any case; null when there is none. */
export function columnType(name: string): ColumnType | null {
  return ALIASES[name.trim().toLowerCase()] ?? null;
}

/** Parts joined to one name: a leading `/dev` and leading slashes go, so `/dev/ttyS0` and 3 give `ttyS0/3`. */
export function sourceName(parts: (string | number)[]): string {
  return parts
    .map((part) =>
      String(part)
        .replace(/^\/dev(?=\/)/, '')
        .replace(/^\/+/, ''),
    )
    .join('/');
}
