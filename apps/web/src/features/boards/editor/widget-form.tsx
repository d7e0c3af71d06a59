import { type BoardItem, settingsOf } from '@albedo/contract/boards/boards.schema';
import type { BoardStream } from '@albedo/contract/boards/streams.schema';
import type { BoardVariable } from '@albedo/contract/boards/variables';
import type { Column, Threshold } from '@albedo/contract/boards/widgets/parts';
import {
  ActionIcon,
  Button,
  Checkbox,
  FileButton,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../../app/session.ts';
import { presetLabel, STANDARD_PRESETS } from '../../../ui/time-range/time-range.ts';
import { allCommandsQuery } from '../../device-commands/device-commands.queries.ts';
import { searchesQuery } from '../../searches/searches.queries.ts';
import type { BoardWorld } from '../boards.queries.ts';
import { nameOf } from '../lines.ts';
import { useLabels } from '../use-labels.ts';
import type { FormField } from '../widget.ts';
import { FUNCTIONS } from '../widgets/options.ts';
import { widgetOf } from '../widgets/widgets.ts';
import classes from './editor.module.css';
import { StreamField } from './stream-field.tsx';
import { useVariableChoices, VariablesAt } from './variable-choices.ts';
import { VariablesForm } from './variables-form.tsx';

type Settings = Record<string, unknown>;

interface WidgetFormProps {
  item: BoardItem;
  world: BoardWorld;
  /** Those of the board. */
  variables: readonly BoardVariable[];
  /** `kind` names the field: typing in one is one step. */
  onChange: (recipe: (item: BoardItem) => void, kind: string) => void;
}

/** The settings of one widget, as its folder lists them. */
export function WidgetForm({ item, world, variables, onChange }: WidgetFormProps) {
  const { t } = useTranslation();
  const variablesAt = useMemo(() => [...variables, ...(item.variables ?? [])], [variables, item.variables]);
  const widget = widgetOf(item.kind);
  const settings = (settingsOf(item) ?? {}) as Settings;
  const set = (name: string) => (value: unknown) =>
    onChange((one) => {
      one.settings = { ...one.settings, [name]: value };
      if (value === undefined || value === '' || value === null) delete one.settings[name];
    }, name);
  return (
    <VariablesAt value={variablesAt}>
      <Stack gap="sm">
        <TextInput
          label={t('boards.fields.title')}
          description={t('boards.titleHint')}
          value={item.title ?? t(`boards.widgets.${item.kind}`)}
          maxLength={200}
          onChange={({ currentTarget: { value } }) =>
            onChange((one) => {
              one.title = value;
            }, 'title')
          }
        />
        {(widget?.form ?? []).map((field) =>
          field.when && !field.when(settings as never) ? null : (
            <Field
              key={field.name}
              field={field as FormField<Settings>}
              value={settings[field.name]}
              given={item.settings?.[field.name]}
              world={world}
              onChange={set(field.name)}
            />
          ),
        )}
        <Select
          label={t('boards.variables.shows')}
          description={t('boards.variables.showsHelp')}
          placeholder={t('boards.variables.showsBoard')}
          data={[
            ...variablesAt.flatMap(({ name, kind }) =>
              kind === 'entity' ? [{ value: `{{${name}}}`, label: `{{${name}}}` }] : [],
            ),
            ...world.entities.map(({ _id, name }) => ({ value: _id, label: name })),
          ]}
          value={item.entity ?? null}
          searchable
          clearable
          onChange={(value) =>
            onChange((one) => {
              if (value) one.entity = value;
              else delete one.entity;
            }, 'entity')
          }
        />
        <VariablesForm
          variables={item.variables ?? []}
          onChange={(variables) =>
            onChange((one) => {
              if (variables.length > 0) one.variables = variables;
              else delete one.variables;
            }, 'variables')
          }
        />
      </Stack>
    </VariablesAt>
  );
}

interface FieldProps {
  field: FormField<Settings>;
  value: unknown;
  /** As it stands in the settings, where it may be a variable. */
  given?: unknown;
  world: BoardWorld;
  onChange: (value: unknown) => void;
}

const NEW_STREAM: BoardStream = { over: 'self', role: 'acPower', combine: 'each' };
const NEW_COLUMN: Column = { stream: { ...NEW_STREAM, combine: 'sum' }, function: 'latest', thresholds: [] };

const NEW_MARK = { stream: NEW_COLUMN.stream, x: 50, y: 50 };

function Field({ field, value, given, world, onChange }: FieldProps) {
  const { t } = useTranslation();
  const intervals = useVariableChoices('interval');
  const wg = useWorkgroup();
  const labels = useLabels();
  const label = t(`boards.fields.${field.name}`);
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
          nameOf={(one) => one.name || nameOf(one.stream)}
          onChange={onChange}
        >
          {(one, change) => (
            <Stack gap={8}>
              <StreamField
                value={one.stream}
                world={world}
                onChange={(stream) => change({ ...one, stream: stream as BoardStream })}
              />
              <Select
                label={t('boards.fields.function')}
                data={FUNCTIONS.map((fn) => ({ value: fn, label: t(`boards.options.${fn}`) }))}
                value={one.function}
                allowDeselect={false}
                onChange={(fn) => fn && change({ ...one, function: fn as Column['function'] })}
              />
              <TextInput
                label={t('boards.name')}
                value={one.name ?? ''}
                onChange={({ currentTarget }) => change({ ...one, name: currentTarget.value || undefined })}
              />
              <Thresholds value={one.thresholds} onChange={(thresholds) => change({ ...one, thresholds })} />
            </Stack>
          )}
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
    case 'thresholds':
      return <Thresholds value={(value as Threshold[]) ?? []} onChange={onChange} />;
    case 'picture':
      return <Picture label={label} value={String(value ?? '')} onChange={onChange} />;
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

interface SeveralProps<T> {
  label: string;
  all: readonly T[];
  most: number;
  fresh: T;
  nameOf: (one: T) => string;
  onChange: (all: T[]) => void;
  children: (one: T, change: (next: T) => void) => React.ReactNode;
}

/** A list of things that have fields of their own. */
function Several<T>({ label, all, most, fresh, nameOf: name, onChange, children }: SeveralProps<T>) {
  const { t } = useTranslation();
  const without = (at: number) => all.filter((_, i) => i !== at);
  return (
    <Stack gap={8}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      {all.map((one, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no names of their own.
        <div key={at} className={classes.stream}>
          <div className={classes.streamHead}>
            <span>{name(one)}</span>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              onClick={() => onChange(without(at))}
              aria-label={t('boards.removeWidget', { title: name(one) })}
            >
              <IconTrash size={15} />
            </ActionIcon>
          </div>
          {children(one, (next) => onChange(all.map((other, i) => (i === at ? next : other))))}
        </div>
      ))}
      {all.length < most ? (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange([...all, structuredClone(fresh)])}
        >
          {t('boards.addOne', { what: label })}
        </Button>
      ) : null}
    </Stack>
  );
}

function Thresholds({
  value,
  onChange,
}: {
  value: readonly Threshold[];
  onChange: (all: Threshold[]) => void;
}) {
  const { t } = useTranslation();
  const set = (at: number, change: Partial<Threshold>) =>
    onChange(value.map((one, i) => (i === at ? { ...one, ...change } : one)));
  return (
    <Stack gap={6}>
      <Text size="sm" fw={500}>
        {t('boards.fields.thresholds')}
      </Text>
      {value.map(({ from, level }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no names of their own.
        <div key={at} className={classes.row}>
          <NumberInput
            aria-label={t('boards.from')}
            prefix="≥ "
            value={from}
            onChange={(next) => typeof next === 'number' && set(at, { from: next })}
          />
          <Select
            aria-label={t('boards.level')}
            data={(['ok', 'warning', 'danger'] as const).map((one) => ({
              value: one,
              label: t(`boards.options.${one}`),
            }))}
            value={level}
            allowDeselect={false}
            onChange={(next) => next && set(at, { level: next as Threshold['level'] })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            onClick={() => onChange(value.filter((_, i) => i !== at))}
            aria-label={t('boards.removeThreshold')}
          >
            <IconTrash size={15} />
          </ActionIcon>
        </div>
      ))}
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange([...value, { from: 0, level: 'warning' }])}
      >
        {t('boards.addThreshold')}
      </Button>
    </Stack>
  );
}

/** A picture stands in the board itself. */
function Picture({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const { t } = useTranslation();
  const take = (file: File | null) => {
    if (!file) return;
    const reader = new FileReader();
    reader.addEventListener('load', () => onChange(String(reader.result)));
    reader.readAsDataURL(file);
  };
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {label}
      </Text>
      {value ? <img src={value} alt="" style={{ maxWidth: '100%', maxHeight: 120 }} /> : null}
      <FileButton accept="image/png,image/jpeg,image/webp,image/svg+xml" onChange={take}>
        {(props) => (
          <Button {...props} size="compact-sm" variant="default">
            {t('boards.choosePicture')}
          </Button>
        )}
      </FileButton>
    </div>
  );
}
