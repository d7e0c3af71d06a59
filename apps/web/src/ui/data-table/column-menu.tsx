import { ActionIcon, Button, Checkbox, Popover, Tooltip } from '@mantine/core';
import { IconColumns3, IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Column } from './column.ts';
import { saveFile, toCsv } from './csv.ts';
import classes from './data-table.module.css';

interface ColumnMenuProps<T> {
  columns: readonly Column<T>[];
  visibility: Record<string, boolean>;
  onChange: (visibility: Record<string, boolean>) => void;
  onReset: () => void;
  /** Rows of two lines have no columns to choose. */
  isNarrow: boolean;
  /** Stands in place of the file. */
  download?: ReactNode;
  csv: { name: string; columns: readonly Column<T>[]; rows: () => T[] };
}

/** Which columns are shown, and a CSV file of what is. */
export function ColumnMenu<T>({ isNarrow, download, csv, ...choice }: ColumnMenuProps<T>) {
  const { t } = useTranslation();
  return (
    <div className={classes.menu}>
      {isNarrow ? null : <ColumnChoice {...choice} />}
      {download ?? (
        <Tooltip label={t('table.csv')}>
          <ActionIcon
            variant="default"
            size={32}
            aria-label={t('table.csv')}
            onClick={() => saveFile(`${csv.name}.csv`, toCsv(csv.columns, csv.rows()))}
          >
            <IconDownload size={17} />
          </ActionIcon>
        </Tooltip>
      )}
    </div>
  );
}

type ColumnChoiceProps<T> = Pick<ColumnMenuProps<T>, 'columns' | 'visibility' | 'onChange' | 'onReset'>;

function ColumnChoice<T>({ columns, visibility, onChange, onReset }: ColumnChoiceProps<T>) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" withinPortal trapFocus>
      <Popover.Target>
        {/* Beside the open list its own name would only cover the first lines. */}
        <Tooltip label={t('table.columns')} disabled={isOpen}>
          <ActionIcon
            variant="default"
            size={32}
            aria-label={t('table.columns')}
            onClick={() => setOpen(!isOpen)}
          >
            <IconColumns3 size={17} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown className={classes.columnList} aria-label={t('table.columns')}>
        {columns.map((column) => (
          <Checkbox
            key={column.id}
            size="xs"
            label={column.title}
            disabled={column.isFixed === true}
            checked={visibility[column.id] !== false}
            onChange={(event) => onChange({ ...visibility, [column.id]: event.currentTarget.checked })}
          />
        ))}
        <Button variant="subtle" size="compact-sm" onClick={onReset}>
          {t('table.resetColumns')}
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}
