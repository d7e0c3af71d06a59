import { type ReactNode, Suspense, useCallback, useState } from 'react';
import { confirmText } from '../confirm-text.ts';
import { later } from '../later.ts';
import { notifyFailure } from '../notify.ts';
import type { RowAction } from './actions.ts';
import { RowMenu } from './row-menu.tsx';

const ConfirmDialog = later(async () => (await import('../confirm-dialog.tsx')).ConfirmDialog);

/** The menu of a row; no actions, no menu. */
export interface RowActions<T> {
  label: (row: T) => string;
  actions: (row: T) => readonly RowAction<T>[];
  /** What the buttons of questions call the row. */
  nameOf?: (row: T) => string;
}

interface RowActionsSpec<T> {
  /** Has to stay the same as long as nothing about the actions changes. */
  menu: RowActions<T> | undefined;
  /** The rows as they are by now. */
  rows: readonly T[] | undefined;
  rowId: (row: T) => string;
}

/** What can be done with the rows of a list: their menus, and the dialogs that these open. */
export function useRowActions<T>({ menu, rows, rowId }: RowActionsSpec<T>) {
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
    (row: T): ReactNode => {
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
  // As it is by now; one that is gone stays open as it was.
  const fresh = open && (rows?.find((row) => rowId(row) === rowId(open.row)) ?? open.row);
  const dialogs = (
    <Suspense>
      {open && fresh && 'dialog' in open.action
        ? open.action.dialog(fresh, { close, start: (id) => start(fresh, id) })
        : null}
      {open && 'ask' in open.action ? (
        <ConfirmDialog
          confirm={confirmText(open.action.title, fresh ? menu?.nameOf?.(fresh) : undefined)}
          isHarmless={open.action.ask.isHarmless ?? false}
          onClose={close}
          onConfirm={open.action.run}
        >
          {open.action.ask.text}
        </ConfirmDialog>
      ) : null}
    </Suspense>
  );
  /** `start` begins the action of that name. */
  return { menuOf, start, dialogs };
}
