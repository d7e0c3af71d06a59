import { type ComponentType, type ReactNode, useCallback, useMemo } from 'react';
import type { Column } from '../../ui/data-table/column.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { TableSearch } from '../../ui/data-table/table-search.tsx';
import { ErrorState } from '../../ui/states.tsx';
import type { BulkAction } from './actions.ts';
import { BulkButtons } from './bulk-buttons.tsx';
import type { List } from './use-list.ts';
import { type RowActions, useRowActions } from './use-row-actions.tsx';

interface ListTableProps<T> {
  list: List<T>;
  /** What the rows are, and what is said when they cannot be loaded. */
  label: string;
  failed: string;
  /** Name under which the browser remembers columns, and of the CSV file. */
  name: string;
  /** Has to stay the same list as long as nothing about the columns changes; so have `menu` and `bulk`. */
  columns: readonly Column<T>[];
  rowId: (row: T) => string;
  /** The field that searches; `isDone` where the rows are those that were found already, as by the server. */
  search: string | { label: string; isDone: true };
  /** The row on a narrow screen, two lines high. */
  Narrow?: ComponentType<{ row: T }>;
  menu?: RowActions<T>;
  /** The last cell of a row in place of a menu. Has to be the same function over time. */
  actions?: (row: T) => ReactNode;
  bulk?: { nameOf: (row: T) => string; actions: readonly BulkAction<T>[] };
  /** Rows that stay at the end however the others are sorted. The same function on every render. */
  isLast?: (row: T) => boolean;
  /** What a click on a row does: the action of that name, or this. */
  onOpen?: string | ((row: T) => void);
  toolbar?: ReactNode;
  /** Stands in place of the rows when there are none. */
  empty: ReactNode;
}

/** A list that `useList` holds: a table, what can be done with its rows, and the dialogs that this opens. */
export function ListTable<T extends { _id: string } | object>(props: ListTableProps<T>) {
  const { list, menu, bulk, onOpen, rowId, search, Narrow, failed, toolbar, ...table } = props;
  const { address } = list;
  const { menuOf, start, dialogs } = useRowActions({ menu, rows: list.all, rowId });
  const narrow = useCallback((row: T) => (Narrow ? <Narrow row={row} /> : null), [Narrow]);
  const several = useMemo(
    () =>
      bulk && {
        label: bulk.nameOf,
        actions: (rows: T[], untick: () => void) => (
          <BulkButtons
            rows={rows as (T & { _id: string })[]}
            nameOf={bulk.nameOf}
            actions={bulk.actions as readonly BulkAction<T & { _id: string }>[]}
            untick={untick}
          />
        ),
      },
    [bulk],
  );

  if (list.error) return <ErrorState title={failed} error={list.error} onRetry={list.retry} />;
  const field = typeof search === 'string' ? search : search.label;
  return (
    <>
      <DataTable
        {...table}
        rows={list.rows}
        rowId={rowId}
        sort={address.sort}
        onSort={address.setSort}
        {...(typeof search === 'string'
          ? { find: { label: field, q: address.q, setQ: address.setQ }, toolbar }
          : {
              toolbar: (
                <>
                  <TableSearch label={field} q={address.q} setQ={address.setQ} />
                  {toolbar}
                </>
              ),
            })}
        {...(Narrow ? { narrow } : {})}
        {...(menu ? { actions: menuOf } : {})}
        {...(several ? { bulk: several } : {})}
        {...(onOpen ? { onOpen: typeof onOpen === 'string' ? (row: T) => start(row, onOpen) : onOpen } : {})}
      />
      {dialogs}
    </>
  );
}
