import { ActionIcon, Button, Checkbox } from '@mantine/core';
import { IconArrowsSort, IconColumns3, IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { askCsv } from '../csv/csv-ask.ts';
import { Hint } from '../hint.tsx';
import { LaterPopover } from '../later-popover.tsx';
import type { Column } from './column.ts';
import { tableOf } from './csv.ts';
import classes from './data-table.module.css';

interface ColumnMenuProps<T> {
  columns: readonly Column<T>[];
  visibility: Record<string, boolean>;
  /** Titles of the columns for which there is no room. */
  leftOut: readonly string[];
  onChange: (columnId: string, isShown: boolean) => void;
  onReset: () => void;
  /** Sorts rows that keep their places; undefined where they stand in their order at any time. */
  onSortAgain: (() => void) | undefined;
  /** The rows are not in their order any more. */
  isOutdated: boolean;
  /** Rows of two lines have no columns to choose. */
  isNarrow: boolean;
  /** Stands in place of the file. */
  download?: ReactNode;
  csv: { title: string; columns: readonly Column<T>[]; rows: () => T[] };
}

/** Which columns are shown, and a CSV file of what is. */
export function ColumnMenu<T>(props: ColumnMenuProps<T>) {
  const { isNarrow, download, csv, onSortAgain, isOutdated, ...choice } = props;
  const { t } = useTranslation();
  return (
    <div className={classes.menu}>
      {onSortAgain ? (
        <Hint label={t('table.sortAgainHint')}>
          <ActionIcon
            variant="default"
            size={32}
            aria-label={t('table.sortAgain')}
            disabled={!isOutdated}
            onClick={onSortAgain}
          >
            <IconArrowsSort size={17} />
          </ActionIcon>
        </Hint>
      ) : null}
      {isNarrow ? null : <ColumnChoice {...choice} />}
      {download ?? (
        <Hint label={t('table.csv')}>
          <ActionIcon
            variant="default"
            size={32}
            aria-label={t('table.csv')}
            onClick={() => askCsv({ title: csv.title, table: () => tableOf(csv.columns, csv.rows()) })}
          >
            <IconDownload size={17} />
          </ActionIcon>
        </Hint>
      )}
    </div>
  );
}

type ColumnChoiceProps<T> = Pick<
  ColumnMenuProps<T>,
  'columns' | 'visibility' | 'leftOut' | 'onChange' | 'onReset'
>;

function ColumnChoice<T>({ columns, visibility, leftOut, onChange, onReset }: ColumnChoiceProps<T>) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const label =
    leftOut.length > 0 ? t('table.columnsLeftOut', { count: leftOut.length }) : t('table.columns');
  return (
    <LaterPopover
      isOpen={isOpen}
      onChange={setOpen}
      position="bottom-end"
      label={t('table.columns')}
      className={classes.columnList}
      button={
        // Beside the open list its own name would only cover the first lines.
        <Hint label={leftOut.length > 0 ? `${label}: ${leftOut.join(', ')}` : label} disabled={isOpen}>
          <Button
            variant="default"
            className={classes.columnButton ?? ''}
            aria-label={label}
            onClick={() => setOpen(!isOpen)}
          >
            <IconColumns3 size={17} aria-hidden="true" />
            {leftOut.length > 0 ? <span className={classes.moreColumns}>{`+${leftOut.length}`}</span> : null}
          </Button>
        </Hint>
      }
    >
      {() => (
        <>
          {columns.map((column) => (
            <Checkbox
              key={column.id}
              size="xs"
              label={column.title}
              disabled={column.isFixed === true}
              checked={visibility[column.id] !== false}
              onChange={(event) => onChange(column.id, event.currentTarget.checked)}
            />
          ))}
          <Button variant="subtle" size="compact-sm" onClick={onReset}>
            {t('table.resetColumns')}
          </Button>
        </>
      )}
    </LaterPopover>
  );
}
