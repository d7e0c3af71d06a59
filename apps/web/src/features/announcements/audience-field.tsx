import { MultiSelect, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { workgroupEntriesQuery } from '../workgroup-admin/workgroup-admin.queries.ts';
import classes from './editor.module.css';

interface AudienceFieldProps {
  /** Names of workgroups; null for everybody. */
  value: readonly string[] | null;
  error: string | undefined;
  onChange: (workgroups: string[] | null) => void;
}

/** Who reads it: everybody, or the members of some workgroups. */
export function AudienceField({ value, error, onChange }: AudienceFieldProps) {
  const { t } = useTranslation();
  const { data = [], error: failure } = useQuery(workgroupEntriesQuery);
  const known = data.map(({ name, displayName }) => ({ value: name, label: displayName }));
  // One that was deleted since is still named, so that it can be taken out.
  const gone = (value ?? []).filter((one) => !data.some(({ name }) => name === one));
  return (
    <div>
      <span className={classes.label} id="announcement-audience">
        {t('announcements.audience')}
      </span>
      <SegmentedControl
        aria-labelledby="announcement-audience"
        value={value === null ? 'all' : 'some'}
        onChange={(next) => onChange(next === 'all' ? null : [])}
        data={[
          { value: 'all', label: t('announcements.everybody') },
          { value: 'some', label: t('announcements.someWorkgroups') },
        ]}
      />
      {value === null ? null : (
        <MultiSelect
          mt={8}
          searchable
          clearable
          hidePickedOptions
          maxDropdownHeight={240}
          aria-label={t('announcements.workgroups')}
          placeholder={value.length === 0 ? t('announcements.chooseWorkgroups') : ''}
          nothingFoundMessage={t('announcements.noWorkgroup')}
          description={t('announcements.audienceHelp')}
          inputWrapperOrder={['input', 'description', 'error']}
          error={failure?.message ?? error}
          data={[...known, ...gone.map((name) => ({ value: name, label: name }))]}
          value={[...value]}
          onChange={onChange}
        />
      )}
    </div>
  );
}
