import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { titleOf } from '../../../../app/figures/figures.ts';
import { useWorkgroup } from '../../../../app/session.ts';
import { kpisQuery } from '../../../kpis/kpis.queries.ts';

interface Chosen {
  kpi: string;
  value?: string | undefined;
}

/** A KPI, and which of its values. */
export function KpiField({ value, onChange }: { value: Chosen | null; onChange: (next: Chosen) => void }) {
  const { t } = useTranslation();
  const { data: kpis = [], isPending } = useQuery(kpisQuery(useWorkgroup()));
  const values = Object.entries(kpis.find(({ _id }) => _id === value?.kpi)?.values ?? {});
  return (
    <>
      <Select
        label={t('boards.kpi.which')}
        placeholder={t('boards.kpi.choose')}
        description={!isPending && kpis.length === 0 ? t('boards.kpi.none') : undefined}
        data={kpis.map(({ _id, name }) => ({ value: _id, label: name }))}
        value={value?.kpi ?? null}
        searchable
        allowDeselect={false}
        onChange={(kpi) => kpi && onChange({ kpi })}
      />
      {value && values.length > 1 ? (
        <Select
          label={t('boards.kpi.value')}
          placeholder={t('boards.kpi.primary')}
          data={values.map(([name, of]) => ({ value: name, label: titleOf(name, of) }))}
          value={value.value ?? null}
          clearable
          onChange={(next) => onChange(next ? { kpi: value.kpi, value: next } : { kpi: value.kpi })}
        />
      ) : null}
    </>
  );
}
