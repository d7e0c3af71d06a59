import { KPI_TEMPLATES, type KpiTemplate, templateValues } from '@albedo/contract/kpis/kpi-templates';
import { newKpi } from '@albedo/contract/kpis/kpis.schema';
import { Group, Pill, Select, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { blankValue } from '../../app/figures/value-fields.tsx';
import { ValueNameField } from '../../app/figures/value-name-field.tsx';
import { useContractForm } from '../../app/use-contract-form.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { saveKpi } from './kpis.queries.ts';

/** Makes a KPI: its name, a template, and the names of values. */
export function NewKpiDialog({ wg, onClose }: { wg: string; onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [template, setTemplate] = useState<KpiTemplate | null>(null);
  const [names, setNames] = useState<readonly string[]>([]);
  const {
    values,
    set: setField,
    field,
    dialog,
  } = useContractForm({
    schema: newKpi.pick({ name: true }),
    initial: { name: '' },
    onlyField: 'name',
    send: async (body, set) => {
      const own = Object.fromEntries(names.map((one) => [one, blankValue()]));
      const given =
        template === null ? {} : namedValues(template, (key) => t(`kpis.valueNames.${key}` as never));
      const made = await saveKpi(wg, null, { ...body, description: '', values: { ...given, ...own } });
      set({ name: '' });
      await navigate({ to: '/kpis/$kpiId', params: { kpiId: made._id } });
    },
  });
  return (
    <FormDialog {...dialog} title={t('kpis.createTitle')} onClose={onClose}>
      <TextInput {...field('name')} data-autofocus label={t('kpis.name')} maxLength={120} />
      <Select
        label={t('kpis.template')}
        placeholder={t('kpis.templateNone')}
        clearable
        data={KPI_TEMPLATES.map((value) => ({ value, label: t(`kpis.templates.${value}`) }))}
        value={template}
        onChange={(chosen) => {
          setTemplate(chosen);
          if (chosen && values.name === '') setField({ name: t(`kpis.templates.${chosen}`) });
        }}
      />
      <ValueNameField taken={names} onAdd={(name) => setNames([...names, name])} />
      {names.length > 0 ? (
        <Group gap="xs">
          {names.map((one) => (
            <Pill
              key={one}
              withRemoveButton
              onRemove={() => setNames(names.filter((other) => other !== one))}
            >
              {one}
            </Pill>
          ))}
        </Group>
      ) : null}
    </FormDialog>
  );
}

/** The values of a template, called in the language of whoever makes it. */
const namedValues = (template: KpiTemplate, titleOf: (name: string) => string) =>
  Object.fromEntries(
    Object.entries(templateValues(template)).map(([name, value]) => [
      name,
      { ...value, displayName: titleOf(name) },
    ]),
  );
