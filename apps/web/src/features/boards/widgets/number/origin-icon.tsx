import { ActionIcon } from '@mantine/core';
import { IconRoute } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './number.module.css';

/** Leads from a figure to where it comes from. */
export function OriginIcon({ title, onOpen }: { title: string; onOpen: () => void }) {
  const { t } = useTranslation();
  const label = t('boards.origin.open', { title });
  return (
    <ActionIcon
      className={classes.origin}
      variant="subtle"
      color="gray"
      size={24}
      aria-label={label}
      title={label}
      onClick={onOpen}
    >
      <IconRoute size={15} />
    </ActionIcon>
  );
}
