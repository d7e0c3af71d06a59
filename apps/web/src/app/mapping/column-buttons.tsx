import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './mapping.module.css';

const MOST_BUTTONS = 40;

interface ColumnButtonsProps {
  /** Columns that can be added; the first forty have a button each. */
  columns: readonly string[];
  onAdd: (column: string) => void;
  /** Buttons before those of the columns. */
  children: ReactNode;
}

/** A row of buttons that add columns to a mapping. */
export function ColumnButtons({ columns, onAdd, children }: ColumnButtonsProps) {
  return (
    <div className={classes.columns}>
      {children}
      {columns.slice(0, MOST_BUTTONS).map((column) => (
        <AddButton key={column} variant="light" onClick={() => onAdd(column)}>
          {column}
        </AddButton>
      ))}
    </div>
  );
}

interface AddButtonProps {
  variant?: 'default' | 'light';
  onClick: () => void;
  children: ReactNode;
}

export function AddButton({ variant = 'default', onClick, children }: AddButtonProps) {
  return (
    <Button size="xs" variant={variant} leftSection={<IconPlus size={14} />} onClick={onClick}>
      {children}
    </Button>
  );
}
