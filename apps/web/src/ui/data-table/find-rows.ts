import { type Column, textOf } from './column.ts';

/** Rows in which each word of `q` stands somewhere, whatever its case and accents; the list itself for no word. */
export function findRows<T>(columns: readonly Column<T>[], rows: T[], q: string): T[] {
  const words = plain(q).split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text = plain(columns.map((column) => textOf(column, row)).join('\n'));
    return words.every((word) => text.includes(word));
  });
}

const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
