import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './data-table.module.css';

export interface TableSearchProps {
  /** What is looked for, in words: name and placeholder of the field. */
  label: string;
  q: string;
  setQ: (q: string) => void;
}

/** The search field of a table. */
export function TableSearch({ label, q, setQ }: TableSearchProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      className={classes.search ?? ''}
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        q === '' ? null : (
          <CloseButton size="sm" aria-label={t('table.clearSearch')} onClick={() => setQ('')} />
        )
      }
      value={q}
      maxLength={200}
      onChange={(event) => setQ(event.currentTarget.value)}
    />
  );
}
