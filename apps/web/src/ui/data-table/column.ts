import type { ReactNode } from 'react';

/** One column of a `DataTable`. Titles are texts for people, already translated. */
export interface Column<T> {
  id: string;
  title: string;
  /** What the column means, shown when the pointer rests on its title. */
  hint?: string;
  /** What sorting compares: numbers by size, texts as the language sorts them; null and empty texts always come last. */
  value: (row: T) => string | number | null;
  /** Text of the cell in a CSV file, where its value is none for people; the value itself without it. */
  text?: (row: T) => string;
  /** The value is a number of this unit, and a file has it as one. */
  units?: string;
  /** Another value that a file has beside it, such as the id of what is called by its name. */
  beside?: { title: string; value: (row: T) => string | number | null };
  /** The value is an instant, epoch ms or ISO 8601, and a file has it as one. */
  isTime?: boolean;
  /** What the cell shows; the text without it. */
  cell?: (row: T) => ReactNode;
  /** px, before anybody resizes it. */
  width: number;
  /** px; the column may shrink to this if one more column fits then. `width` without it. */
  leastWidth?: number;
  align?: 'right';
  /** Not shown until somebody chooses it. */
  isHidden?: boolean;
  /** Cannot be hidden. */
  isFixed?: boolean;
  /**
   * If the table is too narrow, the least important columns are left out; one without importance stays. If no column has one,
   * the first column stays, and columns further left matter more.
   */
  importance?: number;
  /** The row calls for attention here: a column with such a row is left out last. */
  alarms?: (row: T) => boolean;
  /** There is nothing to sort by. */
  isUnsorted?: boolean;
  /** Changes all the time: rows that were sorted by it keep their places until they are sorted again. */
  isLive?: boolean;
}

export function textOf<T>(column: Column<T>, row: T): string {
  return column.text ? column.text(row) : String(column.value(row) ?? '');
}
