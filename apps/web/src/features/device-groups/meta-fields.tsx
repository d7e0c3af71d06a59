import { Autocomplete, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import classes from './device-groups.module.css';
import { metaFieldsQuery } from './device-groups.queries.ts';
import type { Draft } from './draft.ts';

type Meta = Pick<Draft, 'field' | 'operator' | 'value'>;

/** A field of the general information, and the value that it has or has not. Fields and values in use are offered. */
export function MetaFields({
  field,
  operator,
  value,
  faults,
  onChange,
}: Meta & {
  faults: Partial<Record<'field' | 'value', string | undefined>>;
  onChange: (change: Partial<Meta>) => void;
}) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: fields = [] } = useQuery(metaFieldsQuery(wg));
  const values = fields.find((one) => one.field === field.trim())?.values ?? [];
  return (
    <div className={classes.meta}>
      <Autocomplete
        label={t('deviceGroups.metaField')}
        data={fields.map((one) => one.field)}
        maxLength={200}
        value={field}
        error={faults.field}
        onChange={(next) => onChange({ field: next })}
      />
      <SegmentedControl
        aria-label={t('deviceGroups.operator')}
        value={operator}
        data={[
          { value: '=', label: t('deviceGroups.is') },
          { value: '!=', label: t('deviceGroups.isNot') },
        ]}
        onChange={(next) => onChange({ operator: next === '=' ? '=' : '!=' })}
      />
      <Autocomplete
        label={t('deviceGroups.metaValue')}
        data={values}
        maxLength={1000}
        value={value}
        error={faults.value}
        onChange={(next) => onChange({ value: next })}
      />
    </div>
  );
}
