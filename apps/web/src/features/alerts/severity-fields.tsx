import { Select, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SeverityIcon } from '../../ui/status/severity-mark.tsx';
import classes from './alerts.module.css';
import type { AlertForm } from './fields.ts';
import { useCategories, useSeverities } from './severities.ts';

/** How bad it is, and what kind of trouble. */
export function SeverityFields({ form }: { form: AlertForm }) {
  const { t } = useTranslation();
  const { values, set, faultOf } = form;
  const severities = useSeverities();
  const categories = useCategories();
  const { all } = severities;
  const isKnown = all.some(({ id }) => id === values.severity);
  const choices = isKnown ? all : [...all, severities.of(values.severity)];
  return (
    <>
      <div className={classes.numbers}>
        <Select
          label={t('alerts.severity')}
          allowDeselect={false}
          value={values.severity}
          error={faultOf('severity')}
          leftSection={<SeverityIcon severity={severities.of(values.severity)} />}
          data={choices.map(({ id, name }) => ({ value: id, label: name }))}
          renderOption={({ option }) => (
            <span className={classes.severity}>
              <SeverityIcon severity={severities.of(option.value)} />
              {option.label}
            </span>
          )}
          onChange={(severity) => severity !== null && set({ severity })}
        />
        <Select
          label={t('alerts.category')}
          placeholder={t(categories.length === 0 ? 'alerts.noCategories' : 'alerts.noCategory')}
          clearable
          searchable
          value={values.category}
          error={faultOf('category')}
          data={[...new Set([...categories, ...(values.category ? [values.category] : [])])]}
          onChange={(category) => set({ category })}
        />
      </div>
      <Switch
        label={t('alerts.latched')}
        description={t('alerts.latchedHelp')}
        checked={values.latched}
        onChange={(event) => set({ latched: event.currentTarget.checked })}
      />
    </>
  );
}
