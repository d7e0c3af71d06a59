import { functionalUpdate, useTable } from '@tanstack/react-table';
import { useMemo } from 'react';
import { collator } from '../units/locale.ts';
import type { Column } from './column.ts';
import { type Features, features } from './features.ts';
import type { ColumnsMemory } from './use-columns-memory.ts';

interface SortedTable<T> {
  columns: readonly Column<T>[];
  rows: T[];
  rowId: (row: T) => string;
  /** Column id, with a minus in front for descending. */
  sort: string | null;
  onSort: (sort: string | null) => void;
  visibility: Record<string, boolean>;
  /** px by column id, where it is another one than the column's own. */
  widths: Record<string, number>;
  sizing: Record<string, number>;
  setMemory: (change: Partial<ColumnsMemory>) => void;
}

/** The rows in their order, and the columns that are shown with their widths, as the table engine knows them. */
export function useSortedTable<T extends object>(of: SortedTable<T>) {
  const { columns, rows, rowId, sort, onSort, visibility, widths, sizing, setMemory } = of;
  const definitions = useMemo(
    () =>
      columns.map((column) => ({
        id: column.id,
        // An undefined value stands last, whichever way the column is sorted.
        accessorFn: (row: T) => {
          const value = column.value(row);
          return value === null || value === '' ? undefined : value;
        },
        header: column.title,
        size: widths[column.id] ?? column.width,
        minSize: 56,
        enableHiding: column.isFixed !== true,
        enableSorting: column.isUnsorted !== true,
        sortUndefined: 'last' as const,
        sortFn: compare,
      })),
    [columns, widths],
  );
  const sorting = useMemo(
    () => (sort ? [{ id: sort.replace(/^-/, ''), desc: sort.startsWith('-') }] : []),
    [sort],
  );
  return useTable<Features, T>({
    features,
    columns: definitions,
    data: rows,
    getRowId: rowId,
    columnResizeMode: 'onChange',
    enableSortingRemoval: false,
    enableMultiSort: false,
    state: { sorting, columnVisibility: visibility, columnSizing: sizing },
    onSortingChange: (update) => {
      const next = functionalUpdate(update, sorting)[0];
      onSort(next ? `${next.desc ? '-' : ''}${next.id}` : null);
    },
    onColumnSizingChange: (update) => setMemory({ sizing: functionalUpdate(update, sizing) }),
  });
}

interface Valued {
  getValue: (columnId: string) => unknown;
}

function compare(a: Valued, b: Valued, columnId: string): number {
  const [left, right] = [a.getValue(columnId), b.getValue(columnId)];
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return collator().compare(String(left), String(right));
}
