import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSearchChange } from '../../ui/data-table/use-table-address.ts';
import classes from './diagnostics.module.css';

/** Narrows a table to one workgroup, which the address names; null for all. */
export function WorkgroupChoice({ names, value }: { names: string[]; value: string | null }) {
  const { t } = useTranslation();
  const change = useSearchChange();
  return (
    <Select
      aria-label={t('diagnostics.workgroup')}
      placeholder={t('diagnostics.anyWorkgroup')}
      data={names}
      value={value}
      onChange={(next) => change({ workgroup: next ?? undefined })}
      clearable
      searchable
      clearButtonProps={{ 'aria-label': t('diagnostics.anyWorkgroup') }}
      className={classes.choice ?? ''}
    />
  );
}
