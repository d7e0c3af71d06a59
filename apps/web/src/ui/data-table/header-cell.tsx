// biome-ignore-all lint/a11y/useSemanticElements: only the rows in sight are drawn, which a table element cannot express.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is the one stop of the keyboard; rows and cells are not.
import type { Header } from '@tanstack/react-table';
import { useTranslation } from 'react-i18next';
import type { Column } from './column.ts';
import classes from './data-table.module.css';
import type { Features } from './features.ts';

const STEP_PX = 16;

interface HeaderCellProps<T extends object> {
  header: Header<Features, T, unknown>;
  column: Column<T> | undefined;
}

/** A click on the title sorts, another one turns the order round; the edge at its right is dragged to resize. */
export function HeaderCell<T extends object>({ header, column }: HeaderCellProps<T>) {
  const { t } = useTranslation();
  const sorted = header.column.getIsSorted();
  const resize = header.getResizeHandler();
  const order = sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : 'none';
  const widen = (px: number) =>
    header
      .getContext()
      .table.setColumnSizing((old) => ({ ...old, [header.id]: Math.max(56, header.getSize() + px) }));
  return (
    <div role="columnheader" aria-sort={order} className={classes.headCell} data-align={column?.align}>
      <button
        type="button"
        className={classes.sort}
        title={column?.hint ?? column?.title}
        disabled={column?.isUnsorted === true}
        onClick={(event) => header.column.getToggleSortingHandler()?.(event)}
      >
        <span className={classes.headTitle}>{column?.title}</span>
        {column?.isUnsorted ? null : (
          <span aria-hidden="true" className={classes.arrow} data-on={sorted !== false}>
            {sorted === 'desc' ? '↓' : '↑'}
          </span>
        )}
      </button>
      <div
        role="separator"
        aria-orientation="vertical"
        aria-label={t('table.resize', { column: column?.title ?? '' })}
        aria-valuenow={header.getSize()}
        aria-valuemin={56}
        aria-valuemax={1200}
        className={classes.resize}
        data-resizing={header.column.getIsResizing()}
        onMouseDown={resize}
        onTouchStart={resize}
        onDoubleClick={() => header.column.resetSize()}
        onKeyDown={(event) => {
          if (event.key === 'ArrowRight') widen(STEP_PX);
          if (event.key === 'ArrowLeft') widen(-STEP_PX);
        }}
      />
    </div>
  );
}
