import { SegmentedControl } from '@mantine/core';
import { type ComponentType, type ReactNode, useCallback, useMemo, useState } from 'react';
import type { Column } from '../../ui/data-table/column.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { TableSearch } from '../../ui/data-table/table-search.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { notifyFailure } from '../notify.ts';
import type { BulkAction, RowAction } from './actions.ts';
import { BulkButtons } from './bulk-buttons.tsx';
import type { List } from './use-list.ts';

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
  /** The field that searches; the server does where it says so, and the rows are those that it found. */
  search: string | { label: string; isOfServer: true };
  /** The row on a narrow screen, two lines high. */
  Narrow?: ComponentType<{ row: T }>;
  /** The menu of a row; no actions, no menu. */
  menu?: { label: (row: T) => string; actions: (row: T) => readonly RowAction<T>[] };
  /** The last cell of a row in place of a menu. Has to be the same function over time. */
  actions?: (row: T) => ReactNode;
  bulk?: { nameOf: (row: T) => string; actions: readonly BulkAction<T>[] };
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
  const [open, setOpen] = useState<{ action: RowAction<T>; row: T } | null>(null);
  const close = () => setOpen(null);
  const begin = useCallback((row: T, action: RowAction<T>) => {
    if ('dialog' in action || 'ask' in action) setOpen({ action, row });
    else action.run().catch((error: unknown) => notifyFailure(action.failed, error));
  }, []);
  const start = useCallback(
    (row: T, id: string) => {
      const action = menu?.actions(row).find((one) => one.id === id);
      if (action) begin(row, action);
    },
    [menu, begin],
  );
  const menuOf = useCallback(
    (row: T) => {
      const actions = menu?.actions(row) ?? [];
      if (!menu || actions.length === 0) return null;
      return (
        <RowMenu
          label={menu.label(row)}
          actions={actions.map((action) => ({
            title: action.title,
            icon: action.icon,
            isDangerous: action.isDangerous ?? false,
            disabledBecause: action.disabledBecause ?? null,
            onClick: () => begin(row, action),
          }))}
        />
      );
    },
    [menu, begin],
  );
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
  // As it is by now; one that is gone stays open as it was.
  const fresh = open && (list.all?.find((row) => rowId(row) === rowId(open.row)) ?? open.row);
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
          : { toolbar: <TableSearch label={field} q={address.q} setQ={address.setQ} /> })}
        {...(Narrow ? { narrow } : {})}
        {...(menu ? { actions: menuOf } : {})}
        {...(several ? { bulk: several } : {})}
        {...(onOpen ? { onOpen: typeof onOpen === 'string' ? (row: T) => start(row, onOpen) : onOpen } : {})}
      />
      {open && fresh && 'dialog' in open.action
        ? open.action.dialog(fresh, { close, start: (id) => start(fresh, id) })
        : null}
      {open && 'ask' in open.action ? (
        <ConfirmDialog
          isHarmless={open.action.ask.isHarmless ?? false}
          onClose={close}
          onConfirm={open.action.run}
        >
          {open.action.ask.text}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

interface FilterControlProps<V extends string> {
  list: { shown: V; choose: (value: V) => void; count: (value: V) => number };
  values: readonly V[];
  label: string;
  titleOf: (value: V) => string;
}

/** Chooses which rows the list shows, with how many there are. */
export function FilterControl<V extends string>({ list, values, label, titleOf }: FilterControlProps<V>) {
  return (
    <SegmentedControl
      aria-label={label}
      value={list.shown}
      onChange={(value) => list.choose(value as V)}
      data={values.map((value) => ({ value, label: `${titleOf(value)} · ${list.count(value)}` }))}
    />
  );
}
