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
  /** When it was measured, epoch ms; without it the time of writing. */
  at?: number;
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

/** Longest part of a source's name; file systems take 255 bytes. */
const MOST_PART = 60;

/**
 * Parts joined to one name: a leading `/dev` and leading slashes go, so `/dev/ttyS0` and 3 give `ttyS0/3`.
 *
 * Parts may come from a machine, and the name becomes a path, so nothing in it leads upwards.
 */
export function sourceName(parts: (string | number)[]): string {
  return pathName(
    parts
      .map((part) =>
        String(part)
          .replace(/^\/dev(?=\/)/, '')
          .replace(/^\/+/, ''),
      )
      .join('/'),
  );
}

/** A name as folders below the one of its table. */
export const pathName = (name: string): string =>
  name
    .split('/')
    .map((part) =>
      part
        .replace(/[\p{Cc}\p{Cf}]/gu, '_')
        .replace(/^\.{1,2}$/, '_')
        .slice(0, MOST_PART),
    )
    .filter(Boolean)
    .join('/') || '_';
