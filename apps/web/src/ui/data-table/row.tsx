// biome-ignore-all lint/a11y/useSemanticElements: only the rows in sight are drawn, which a table element cannot express.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is the one stop of the keyboard; rows and cells are not.
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid around the rows handles the keys of all of them.
import { Checkbox } from '@mantine/core';
import { type MouseEvent, memo, type PointerEvent, type ReactNode } from 'react';
import { type Column, textOf } from './column.ts';
import classes from './data-table.module.css';

interface RowProps<T> {
  id: string;
  row: T;
  rowId: string;
  index: number;
  /** px */
  top: number;
  height: number;
  columns: readonly Column<T>[];
  isActive: boolean;
  /** Undefined where rows cannot be ticked. */
  isTicked: boolean | undefined;
  tickLabel: ((row: T) => string) | undefined;
  onTick: (rowId: string, isTicked: boolean) => void;
  onActivate: (rowId: string) => void;
  onOpen: ((row: T) => void) | undefined;
  actions: ((row: T) => ReactNode) | undefined;
  narrow: ((row: T) => ReactNode) | undefined;
}

/** One row; drawn again only when its object, its place or the columns change. */
export const Row = memo(DrawRow) as typeof DrawRow;

function DrawRow<T>({ row, columns, actions, narrow, ...props }: RowProps<T>) {
  const handleClick = (event: MouseEvent) => {
    // A menu or dialog of a cell is drawn elsewhere; its clicks arrive here all the same.
    if (!event.currentTarget.contains(event.target as Node)) return;
    props.onActivate(props.rowId);
    const control =
      event.target instanceof Element ? event.target.closest('a, button, input, [role=menuitem]') : null;
    const isModified = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (!props.onOpen || isModified || window.getSelection()?.isCollapsed === false) return;
    // A link of the row leads where the row leads; opening it here avoids reloading the page.
    if (control instanceof HTMLAnchorElement) event.preventDefault();
    else if (control) return;
    props.onOpen(row);
  };
  return (
    <div
      role="row"
      id={props.id}
      aria-rowindex={props.index + 2}
      aria-selected={props.isTicked ?? props.isActive}
      data-active={props.isActive}
      className={classes.row}
      data-narrow={narrow ? true : undefined}
      data-opens={props.onOpen ? true : undefined}
      style={{ height: props.height, top: props.top }}
      onClick={handleClick}
      onPointerOver={tellCut}
    >
      {props.isTicked === undefined ? null : (
        <div role="gridcell" className={classes.tick}>
          <Checkbox
            size="xs"
            tabIndex={-1}
            aria-label={props.tickLabel?.(row) ?? ''}
            checked={props.isTicked}
            onChange={(event) => props.onTick(props.rowId, event.currentTarget.checked)}
          />
        </div>
      )}
      {narrow ? (
        <div role="gridcell" className={classes.narrowCell}>
          {narrow(row)}
        </div>
      ) : (
        columns.map((column) => (
          <div
            role="gridcell"
            key={column.id}
            className={classes.cell}
            data-align={column.align}
            data-is-number={typeof column.value(row) === 'number'}
          >
            {column.cell ? column.cell(row) : textOf(column, row)}
          </div>
        ))
      )}
      {actions ? (
        <div role="gridcell" className={classes.actions}>
          {actions(row)}
        </div>
      ) : null}
    </div>
  );
}

/** What does not fit into its cell shows when the pointer rests on it. */
function tellCut({ target }: PointerEvent): void {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[role=gridcell]') : null;
  if (!cell) return;
  if (cell.scrollWidth > cell.clientWidth) cell.title = cell.textContent ?? '';
  else cell.removeAttribute('title');
}
