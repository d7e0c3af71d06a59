import { ActionIcon } from '@mantine/core';
import { IconFileTypeCsv } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './list.module.css';

/** Saves what a widget shows as a file of CSV; seen when somebody is at the widget. */
export function SaveButton({ title, onSave }: { title: string; onSave: () => void }) {
  const { t } = useTranslation();
  return (
    <ActionIcon
      className={classes.save}
      variant="subtle"
      color="gray"
      size="sm"
      onClick={onSave}
      aria-label={t('boards.saveCsv', { title })}
    >
      <IconFileTypeCsv size={16} />
    </ActionIcon>
  );
}
