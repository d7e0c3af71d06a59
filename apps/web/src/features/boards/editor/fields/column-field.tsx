import type { BoardStream } from '@albedo/contract/boards/streams.schema';
import type { Column } from '@albedo/contract/boards/widgets/parts';
import { NumberInput, SegmentedControl, Select, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { KnownWorld } from '../../../../app/entity-world-query.ts';
import { visitorOf } from '../../../../app/guard.ts';
import { useSignedIn, useWorkgroup } from '../../../../app/session.ts';
import { kpisQuery } from '../../../kpis/kpis.queries.ts';
import { FUNCTIONS } from '../../widgets/options.ts';
import { StreamField } from '../stream-field.tsx';
import { KpiField } from './kpi-field.tsx';
import { ThresholdsField } from './thresholds-field.tsx';

interface ColumnFieldProps {
  value: Column;
  world: KnownWorld;
  /** A new column of a reading. */
  fresh: Column;
  onChange: (next: Column) => void;
}

/** A column of a table of entities: a reading, or where the workgroup has KPIs, one of them. */
export function ColumnField({ value, world, fresh, onChange }: ColumnFieldProps) {
  const { t } = useTranslation();
  const hasAddon = (visitorOf(useSignedIn())?.addons ?? []).includes('calculations');
  const { data: kpis = [] } = useQuery({ ...kpisQuery(useWorkgroup()), enabled: hasAddon });
  const { stream, figure, target, name, thresholds } = value;
  const [first] = kpis;
  const kept = name === undefined ? {} : { name };
  const ofKind = (kind: string) => {
    if (kind === 'stream') onChange({ ...fresh, ...kept });
    else if (first) onChange({ function: 'latest', thresholds: [], figure: { kpi: first._id }, ...kept });
  };
  return (
    <Stack gap={8}>
      {figure || first ? (
        <SegmentedControl
          size="xs"
          aria-label={t('boards.columnOf.title')}
          value={figure ? 'kpi' : 'stream'}
          data={(['stream', 'kpi'] as const).map((one) => ({
            value: one,
            label: t(`boards.columnOf.${one}`),
          }))}
          onChange={ofKind}
        />
      ) : null}
      {figure ? (
        <>
          <KpiField value={figure} onChange={(next) => onChange({ ...value, figure: next })} />
          <NumberInput
            label={t('boards.fields.target')}
            value={target ?? ''}
            onChange={(next) => onChange({ ...value, target: typeof next === 'number' ? next : undefined })}
          />
        </>
      ) : (
        <>
          <StreamField
            value={stream ?? null}
            world={world}
            onChange={(next) => onChange({ ...value, stream: next as BoardStream })}
          />
          <Select
            label={t('boards.fields.function')}
            data={FUNCTIONS.map((fn) => ({ value: fn, label: t(`boards.options.${fn}`) }))}
            value={value.function}
            allowDeselect={false}
            onChange={(fn) => fn && onChange({ ...value, function: fn as Column['function'] })}
          />
        </>
      )}
      <TextInput
        label={t('boards.name')}
        value={name ?? ''}
        onChange={({ currentTarget }) => onChange({ ...value, name: currentTarget.value || undefined })}
      />
      <ThresholdsField value={thresholds} onChange={(next) => onChange({ ...value, thresholds: next })} />
    </Stack>
  );
}
