// biome-ignore-all lint/a11y/useSemanticElements: only the rows in sight are drawn, which a table element cannot express.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is the one stop of the keyboard; rows and cells are not.
import { Checkbox } from '@mantine/core';
import type { Header } from '@tanstack/react-table';
import { useTranslation } from 'react-i18next';
import type { Column } from './column.ts';
import classes from './data-table.module.css';
import type { Features } from './features.ts';
import { HeaderCell } from './header-cell.tsx';

interface TableHeadProps<T extends object> {
  headers: readonly Header<Features, T, unknown>[];
  columns: readonly Column<T>[];
  widthPx: number;
  /** There for those who cannot see it only. */
  isUnseen: boolean;
  hasActions: boolean;
  /** How many of the rows are ticked; undefined where rows cannot be. */
  ticks: { chosen: number; rows: number; onAll: (isTicked: boolean) => void } | undefined;
}

export function TableHead<T extends object>(props: TableHeadProps<T>) {
  const { headers, columns, widthPx, isUnseen, hasActions, ticks } = props;
  const { t } = useTranslation();
  return (
    <div
      role="rowgroup"
      className={isUnseen ? classes.unseen : classes.head}
      style={{ minWidth: isUnseen ? undefined : widthPx }}
    >
      <div role="row" aria-rowindex={1} className={classes.headRow}>
        {ticks ? (
          <div role="columnheader" className={classes.tick}>
            <Checkbox
              size="xs"
              aria-label={t('table.tickAll')}
              disabled={ticks.rows === 0}
              checked={ticks.chosen > 0 && ticks.chosen === ticks.rows}
              indeterminate={ticks.chosen > 0 && ticks.chosen < ticks.rows}
              onChange={(event) => ticks.onAll(event.currentTarget.checked)}
            />
          </div>
        ) : null}
        {headers.map((header) => (
          <HeaderCell<T>
            key={header.id}
            header={header}
            column={columns.find((one) => one.id === header.id)}
          />
        ))}
        {hasActions ? (
          <div role="columnheader" className={classes.headActions}>
            <span className={classes.unseen}>{t('table.actions')}</span>
          </div>
        ) : null}
      </div>
    </div>
  );
}
