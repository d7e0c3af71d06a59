import {
  type CalculationInterval,
  type CalculationTarget,
  calculationName,
  newCalculation,
} from '@albedo/contract/calculations/calculations.schema';
import { kpiValue } from '@albedo/contract/kpis/kpis.schema';
import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { blankValue } from '../../app/figures/value-fields.tsx';
import { useContractForm } from '../../app/use-contract-form.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { saveCalculation } from './calculations.queries.ts';
import { IntervalField, TargetFields } from './target-fields.tsx';

/** Makes a calculation: its name, for what, how often. Its formula begins as the energy of a counter. */
export function NewCalculationDialog({ wg, onClose }: { wg: string; onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [target, setTarget] = useState<CalculationTarget | null>({ kind: 'entities', entities: [] });
  const [interval, setInterval] = useState<CalculationInterval>('1h');
  const [fault, setFault] = useState<string>();
  const { field, dialog } = useContractForm({
    schema: calculationName,
    initial: { name: '' },
    onlyField: 'name',
    send: async ({ name }) => {
      const values = {
        counter: blankValue(),
        energy: kpiValue.parse({ kind: 'formula', formula: 'counter', units: 'kWh', isPrimary: true }),
      };
      const { data, error } = newCalculation.safeParse({ name, target, interval, values });
      if (!data) {
        setFault(error.issues[0]?.message);
        return;
      }
      const made = await saveCalculation(wg, null, data);
      await navigate({ to: '/admin/data/calculations/$calculation', params: { calculation: made._id } });
    },
  });
  return (
    <FormDialog {...dialog} title={t('calculations.createTitle')} onClose={onClose}>
      <TextInput {...field('name')} data-autofocus label={t('calculations.name')} maxLength={120} />
      <TargetFields
        wg={wg}
        target={target}
        error={fault}
        onChange={(chosen) => {
          setFault(undefined);
          setTarget(chosen);
        }}
      />
      <IntervalField interval={interval} onChange={setInterval} />
    </FormDialog>
  );
}
