import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './data-table.module.css';

interface BulkBarProps {
  count: number;
  onUntick: () => void;
  children: ReactNode;
}

/** How many rows are ticked, and what can be done with them. */
export function BulkBar({ count, onUntick, children }: BulkBarProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.bulk}>
      <span aria-live="polite">{t('table.ticked', { count })}</span>
      {children}
      <Button variant="subtle" onClick={onUntick}>
        {t('table.untick')}
      </Button>
    </div>
  );
}
