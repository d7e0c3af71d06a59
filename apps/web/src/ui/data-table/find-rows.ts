import { plain } from '../plain.ts';
import { type Column, textOf } from './column.ts';

/** Rows in which each word of `q` stands somewhere, whatever its case and accents; the list itself for no word. */
export function findRows<T>(columns: readonly Column<T>[], rows: T[], q: string): T[] {
  if (q.trim() === '') return rows;
  return rows.filter((row) => contains(columns.map((column) => textOf(column, row)).join('\n'), q));
}

/** Whether each word of `q` stands somewhere in the text, whatever its case and accents. */
export function contains(text: string, q: string): boolean {
  const within = plain(text);
  return plain(q)
    .split(/\s+/)
    .every((word) => within.includes(word));
}
