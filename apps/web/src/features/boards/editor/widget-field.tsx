import type { BoardStream } from '@albedo/contract/boards/streams.schema';
import type { Drawing } from '@albedo/contract/boards/widgets/diagram';
import type { Column, Threshold } from '@albedo/contract/boards/widgets/parts';
import {
  Checkbox,
  MultiSelect,
  NumberInput,
  Select,
  Skeleton,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { KnownWorld } from '../../../app/entity-world-query.ts';
import { useLabels } from '../../../app/labels.ts';
import { useWorkgroup } from '../../../app/session.ts';
import { presetLabel, STANDARD_PRESETS } from '../../../ui/time-range/time-range.ts';
import { allCommandsQuery } from '../../device-commands/device-commands.queries.ts';
import { searchesQuery } from '../../searches/searches.queries.ts';
import { nameOf } from '../lines.ts';
import type { FormField } from '../widget.ts';
import { CameraField } from './camera-field.tsx';
import classes from './editor.module.css';
import { ColumnField } from './fields/column-field.tsx';
import { KpiField } from './fields/kpi-field.tsx';
import { PictureField } from './fields/picture-field.tsx';
import { Several } from './fields/several.tsx';
import { ThresholdsField } from './fields/thresholds-field.tsx';
import { StreamField } from './stream-field.tsx';
import { useVariableChoices } from './variable-choices.ts';

const DiagramField = lazy(async () => ({
  default: (await import('./diagram/diagram-field.tsx')).DiagramField,
}));

interface FieldProps {
  field: FormField<Record<string, unknown>>;
  value: unknown;
  /** As it stands in the settings, where it may be a variable. */
  given?: unknown;
  world: KnownWorld;
  onChange: (value: unknown) => void;
}

const NEW_STREAM: BoardStream = { over: 'self', role: 'acPower', combine: 'each' };
const OF_ENTITY: BoardStream = { ...NEW_STREAM, combine: 'sum' };
const NEW_COLUMN: Column = { stream: OF_ENTITY, function: 'latest', thresholds: [] };
const NEW_MARK = { stream: OF_ENTITY, x: 50, y: 50 };

/** One setting of a widget. */
export function WidgetField({ field, value, given, world, onChange }: FieldProps) {
  const { t } = useTranslation();
  const intervals = useVariableChoices('interval');
  const wg = useWorkgroup();
  const labels = useLabels();
  const label = t(`boards.fields.${field.label ?? field.name}`);
  const searches = useQuery({ ...searchesQuery(wg), enabled: field.kind === 'search' });
  const commands = useQuery({ ...allCommandsQuery(wg), enabled: field.kind === 'commands' });
  switch (field.kind) {
    case 'stream':
      return (
        <div>
          <Text size="sm" fw={500} mb={4}>
            {label}
          </Text>
          <StreamField value={(value as BoardStream | undefined) ?? null} world={world} onChange={onChange} />
        </div>
      );
    case 'streams':
      return (
        <Several
          label={label}
          all={(value as BoardStream[]) ?? []}
          most={field.most}
          fresh={NEW_STREAM}
          nameOf={(one) => one.name || nameOf(one)}
          onChange={onChange}
        >
          {(one, change) => <StreamField value={one} world={world} onChange={change} hasName />}
        </Several>
      );
    case 'columns':
      return (
        <Several
          label={label}
          all={(value as Column[]) ?? []}
          most={field.most}
          fresh={NEW_COLUMN}
          nameOf={(one) => one.name || (one.stream ? nameOf(one.stream) : t('boards.columnOf.kpi'))}
          onChange={onChange}
        >
          {(one, change) => <ColumnField value={one} world={world} fresh={NEW_COLUMN} onChange={change} />}
        </Several>
      );
    case 'marks':
      return (
        <Several
          label={label}
          all={(value as { stream: BoardStream; x: number; y: number }[]) ?? []}
          most={field.most}
          fresh={NEW_MARK}
          nameOf={(one) => one.stream.name || nameOf(one.stream)}
          onChange={onChange}
        >
          {(one, change) => (
            <Stack gap={8}>
              <StreamField
                value={one.stream}
                world={world}
                hasName
                onChange={(stream) => change({ ...one, stream: stream as BoardStream })}
              />
              <div className={classes.row}>
                <NumberInput
                  label={t('boards.fields.left')}
                  min={0}
                  max={100}
                  value={one.x}
                  onChange={(x) => change({ ...one, x: Number(x) || 0 })}
                />
                <NumberInput
                  label={t('boards.fields.top')}
                  min={0}
                  max={100}
                  value={one.y}
                  onChange={(y) => change({ ...one, y: Number(y) || 0 })}
                />
              </div>
            </Stack>
          )}
        </Several>
      );
    case 'diagram':
      return (
        <Suspense fallback={<Skeleton height={64} />}>
          <DiagramField label={label} value={value as Drawing} world={world} onChange={onChange} />
        </Suspense>
      );
    case 'number':
      return (
        <NumberInput
          label={label}
          value={typeof value === 'number' ? value : ''}
          onChange={(next) => onChange(typeof next === 'number' ? next : undefined)}
        />
      );
    case 'flag':
      return (
        <Checkbox
          label={label}
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    case 'lines':
      return (
        <Textarea
          label={label}
          description={t('boards.textHint')}
          autosize
          minRows={5}
          maxRows={16}
          value={String(value ?? '')}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
    case 'choice':
      return (
        <Select
          label={label}
          data={[
            ...field.options.map((one) => ({ value: one, label: t(`boards.options.${one}`) })),
            ...(field.name === 'interval' ? intervals : []),
          ]}
          value={
            (field.name === 'interval' ? (given as string | undefined) : null) ??
            (value as string | undefined) ??
            null
          }
          clearable={value !== undefined && field.name === 'compare'}
          allowDeselect={false}
          onChange={(next) => onChange(next ?? undefined)}
        />
      );
    case 'range':
      return (
        <Select
          label={label}
          placeholder={t('boards.rangeOfBoard')}
          data={STANDARD_PRESETS.map((one) => ({ value: one, label: presetLabel(one) }))}
          value={(value as string | undefined) ?? null}
          clearable
          onChange={(next) => onChange(next ?? undefined)}
        />
      );
    case 'label':
      return (
        <Select
          label={label}
          data={labels.map(({ id, name }) => ({ value: id, label: name }))}
          value={(value as string | undefined) ?? null}
          onChange={(next) => onChange(next ?? undefined)}
        />
      );
    case 'search':
      return (
        <Select
          label={label}
          data={(searches.data ?? []).map(({ _id, name }) => ({ value: _id, label: name }))}
          value={(value as string | undefined) ?? null}
          searchable
          onChange={(next) => onChange(next ?? undefined)}
        />
      );
    case 'camera':
      return <CameraField label={label} value={(value as string | undefined) ?? null} onChange={onChange} />;
    case 'commands':
      return (
        <MultiSelect
          label={label}
          data={(commands.data ?? []).map(({ _id, name }) => ({ value: _id, label: name }))}
          value={(value as string[] | undefined) ?? []}
          searchable
          onChange={onChange}
        />
      );
    case 'kpi':
      return <KpiField value={(value as { kpi: string; value?: string }) ?? null} onChange={onChange} />;
    case 'thresholds':
      return <ThresholdsField value={(value as Threshold[]) ?? []} onChange={onChange} />;
    case 'picture':
      return <PictureField label={label} value={String(value ?? '')} onChange={onChange} />;
    default:
      return (
        <TextInput
          label={label}
          description={field.kind === 'link' ? t('boards.linkHint') : undefined}
          value={String(value ?? '')}
          onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
        />
      );
  }
}
