import type { CsvValue } from '@albedo/contract/csv/csv-writer';
import type { CsvTable } from '../csv/csv-ask.ts';
import { type Column, textOf } from './column.ts';

/** What a table shows, with numbers as numbers and instants as instants. */
export const tableOf = <T>(columns: readonly Column<T>[], rows: readonly T[]): CsvTable => ({
  columns: columns.flatMap(({ title, units, isTime, beside }) => [
    { title, units, isTime },
    ...(beside ? [{ title: beside.title }] : []),
  ]),
  rows: rows.map((row) =>
    columns.flatMap((column) => [cellIn(column, row), ...(column.beside ? [column.beside.value(row)] : [])]),
  ),
});

function cellIn<T>(column: Column<T>, row: T): CsvValue {
  const value = column.value(row);
  // Lists sort what never was as the oldest.
  if (column.isTime) return value ? new Date(value) : null;
  return typeof value === 'number' && (column.units !== undefined || !column.text)
    ? value
    : textOf(column, row);
}

/** Hands a file to the person. */
export function saveFile(name: string, content: Blob | string): void {
  const blob =
    typeof content === 'string' ? new Blob([content], { type: 'text/csv;charset=utf-8' }) : content;
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
