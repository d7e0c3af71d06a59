import {
  CALCULATION_INTERVALS,
  type CalculationInterval,
  type CalculationTarget,
} from '@albedo/contract/calculations/calculations.schema';
import type { Entity } from '@albedo/contract/entities/entities.schema';
import { MultiSelect, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { entitiesQuery } from '../../app/entity-query.ts';
import { useLabels } from '../entities/entities.queries.ts';
import { useMachines } from '../machines/machines.queries.ts';

/** The entities that a calculation is about. */
export function amongOf(target: CalculationTarget, entities: readonly Entity[]): ReadonlySet<string> {
  const isTarget = ({ _id, labels, machine }: Entity): boolean => {
    if (target.kind === 'label') return labels.includes(target.label);
    return target.kind === 'machine' ? machine === target.machine : target.entities.includes(_id);
  };
  return new Set(entities.filter(isTarget).map(({ _id }) => _id));
}

interface TargetFieldsProps {
  wg: string;
  target: CalculationTarget | null;
  error: string | undefined;
  onChange: (target: CalculationTarget | null) => void;
}

/** For which entities: some of them, those with a label, or those of a machine. */
export function TargetFields({ wg, target, error, onChange }: TargetFieldsProps) {
  const { t } = useTranslation();
  const labels = useLabels();
  const machines = useMachines(wg);
  const { data } = useQuery(entitiesQuery(wg));
  const entities = useMemo(() => (data ?? []).map(({ _id, name }) => ({ value: _id, label: name })), [data]);
  const kind = target?.kind ?? 'entities';
  return (
    <>
      <Select
        label={t('calculations.for')}
        data={(['entities', 'label', 'machine'] as const).map((value) => ({
          value,
          label: t(`calculations.targets.${value}`),
        }))}
        value={kind}
        allowDeselect={false}
        onChange={(chosen) =>
          onChange(
            chosen === 'label'
              ? { kind: 'label', label: '' }
              : chosen === 'machine'
                ? { kind: 'machine', machine: '' }
                : { kind: 'entities', entities: [] },
          )
        }
      />
      {kind === 'entities' ? (
        <MultiSelect
          searchable
          limit={100}
          label={t('calculations.targets.entities')}
          data={entities}
          value={target?.kind === 'entities' ? target.entities : []}
          error={error}
          onChange={(ids) => onChange({ kind: 'entities', entities: ids })}
        />
      ) : null}
      {kind === 'label' ? (
        <Select
          searchable
          label={t('calculations.label')}
          data={labels.map(({ id, name }) => ({ value: id, label: name }))}
          value={target?.kind === 'label' ? target.label || null : null}
          error={error}
          onChange={(label) => onChange({ kind: 'label', label: label ?? '' })}
        />
      ) : null}
      {kind === 'machine' ? (
        <Select
          searchable
          label={t('calculations.machine')}
          data={machines.map(({ _id, name }) => ({ value: _id, label: name }))}
          value={target?.kind === 'machine' ? target.machine || null : null}
          error={error}
          onChange={(machine) => onChange({ kind: 'machine', machine: machine ?? '' })}
        />
      ) : null}
    </>
  );
}

interface IntervalFieldProps {
  interval: CalculationInterval;
  onChange: (interval: CalculationInterval) => void;
}

export function IntervalField({ interval, onChange }: IntervalFieldProps) {
  const { t } = useTranslation();
  return (
    <Select
      label={t('calculations.interval')}
      data={CALCULATION_INTERVALS.map((value) => ({ value, label: t(`calculations.intervals.${value}`) }))}
      value={interval}
      allowDeselect={false}
      onChange={(chosen) => chosen && onChange(chosen as CalculationInterval)}
    />
  );
}
