import type { BulkWork } from '@albedo/contract/bulk-actions/bulk-actions.schema';
import { deviceCommandsApi } from '@albedo/contract/device-commands/device-commands.api';
import { NumberInput, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../app/call.ts';
import { useWorkgroup } from '../../app/session.ts';
import { deviceGroupsQuery } from '../device-groups/device-groups.queries.ts';
import { offeredQuery } from '../plugins/plugins.queries.ts';

/** What stands in the fields. Labels are lines such as `Site: Hill`; a field without a value is taken away. */
export interface WorkDraft {
  kind: BulkWork['kind'];
  command: string | null;
  values: Record<string, string>;
  part: string;
  labels: string;
  group: string | null;
  isIn: boolean;
  plugin: string | null;
  /** Null for the newest one. */
  version: string | null;
  isInstalled: boolean;
  /** Null for all certificates. */
  endsWithinDays: number | null;
}

export const draftOf = (kind: BulkWork['kind']): WorkDraft => ({
  kind,
  command: null,
  values: {},
  part: '',
  labels: '',
  group: null,
  isIn: true,
  plugin: null,
  version: null,
  isInstalled: true,
  endsWithinDays: null,
});

export function workOf(draft: WorkDraft): BulkWork {
  const { kind, command, values, part, labels, group, isIn, plugin, version, isInstalled, endsWithinDays } =
    draft;
  switch (kind) {
    case 'upgrade':
      return { kind };
    case 'command':
      return { kind, command: command ?? '', values };
    case 'config':
      return { kind, part };
    case 'labels':
      return { kind, labels: labelsOf(labels) };
    case 'groups':
      return { kind, group: group ?? '', isIn };
    case 'plugins':
      return { kind, plugin: plugin ?? '', version, isInstalled };
    case 'certificates':
      return { kind, endsWithinDays };
  }
}

/** Whether everything that the kind of work needs is filled in; what else is wrong with it the server says. */
export function isComplete({ kind, command, part, labels, group, plugin }: WorkDraft): boolean {
  switch (kind) {
    case 'command':
      return command !== null;
    case 'config':
      return part.trim() !== '';
    case 'labels':
      return labels.trim() !== '';
    case 'groups':
      return group !== null;
    case 'plugins':
      return plugin !== null;
    case 'upgrade':
    case 'certificates':
      return true;
  }
}

export function labelsOf(text: string): Record<string, string | null> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [field = '', ...rest] = line.split(':');
      const value = rest.join(':').trim();
      return [field.trim(), value === '' ? null : value];
    }),
  );
}

const commandsQuery = (wg: string) =>
  queryOptions({
    queryKey: ['device-commands', wg, 'all'],
    queryFn: ({ signal }) => call(deviceCommandsApi.all, { params: { wg } }, signal),
  });

/** The fields of one kind of work. */
export function WorkFields({ draft, onChange }: { draft: WorkDraft; onChange: (draft: WorkDraft) => void }) {
  const { t } = useTranslation();
  if (draft.kind === 'command') return <CommandFields draft={draft} onChange={onChange} />;
  if (draft.kind === 'groups') return <GroupFields draft={draft} onChange={onChange} />;
  if (draft.kind === 'plugins') return <PluginFields draft={draft} onChange={onChange} />;
  if (draft.kind === 'certificates') {
    return (
      <NumberInput
        label={t('bulkActions.fields.endsWithin')}
        description={t('bulkActions.fields.endsWithinHelp')}
        min={1}
        max={3650}
        allowDecimal={false}
        value={draft.endsWithinDays ?? ''}
        onChange={(days) => onChange({ ...draft, endsWithinDays: Number(days) || null })}
      />
    );
  }
  if (draft.kind === 'upgrade') return null;
  const field = draft.kind === 'config' ? 'part' : 'labels';
  return (
    <Textarea
      label={t(`bulkActions.fields.${field}`)}
      description={t(`bulkActions.fields.${field}Help`)}
      autosize
      minRows={3}
      maxRows={12}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      value={draft[field]}
      onChange={(event) => onChange({ ...draft, [field]: event.currentTarget.value })}
    />
  );
}

type Fields = Parameters<typeof WorkFields>[0];

function CommandFields({ draft, onChange }: Fields) {
  const { t } = useTranslation();
  const { data = [] } = useQuery(commandsQuery(useWorkgroup()));
  const chosen = data.find(({ _id }) => _id === draft.command);
  return (
    <>
      <Select
        label={t('bulkActions.fields.command')}
        data={data.map(({ _id, name }) => ({ value: _id, label: name }))}
        value={draft.command}
        searchable
        nothingFoundMessage={t('bulkActions.fields.noCommand')}
        onChange={(command) => {
          const parameters = data.find(({ _id }) => _id === command)?.parameters ?? [];
          const values = Object.fromEntries(parameters.map((one) => [one.name, one.default]));
          onChange({ ...draft, command, values });
        }}
      />
      {chosen?.parameters.map(({ name, description }) => (
        <TextInput
          key={name}
          label={name}
          description={description}
          value={draft.values[name] ?? ''}
          onChange={(event) =>
            onChange({ ...draft, values: { ...draft.values, [name]: event.currentTarget.value } })
          }
        />
      ))}
    </>
  );
}

function GroupFields({ draft, onChange }: Fields) {
  const { t } = useTranslation();
  const { data = [] } = useQuery(deviceGroupsQuery(useWorkgroup()));
  return (
    <>
      <Select
        label={t('bulkActions.fields.group')}
        data={data.map(({ _id, name }) => ({ value: _id, label: name }))}
        value={draft.group}
        searchable
        onChange={(group) => onChange({ ...draft, group })}
      />
      <SegmentedControl
        aria-label={t('bulkActions.kinds.groups')}
        data={[
          { value: 'in', label: t('bulkActions.fields.putIn') },
          { value: 'out', label: t('bulkActions.fields.takeOut') },
        ]}
        value={draft.isIn ? 'in' : 'out'}
        onChange={(value) => onChange({ ...draft, isIn: value === 'in' })}
      />
    </>
  );
}

function PluginFields({ draft, onChange }: Fields) {
  const { t } = useTranslation();
  const { data = [] } = useQuery(offeredQuery(useWorkgroup()));
  const chosen = data.find(({ name }) => name === draft.plugin);
  return (
    <>
      <SegmentedControl
        aria-label={t('bulkActions.kinds.plugins')}
        data={[
          { value: 'install', label: t('bulkActions.fields.install') },
          { value: 'remove', label: t('bulkActions.fields.remove') },
        ]}
        value={draft.isInstalled ? 'install' : 'remove'}
        onChange={(value) => onChange({ ...draft, isInstalled: value === 'install', version: null })}
      />
      <Select
        label={t('bulkActions.fields.plugin')}
        data={data.map(({ name, title, isAvailable }) => ({
          value: name,
          label: title,
          disabled: draft.isInstalled && !isAvailable,
        }))}
        value={draft.plugin}
        searchable
        onChange={(plugin) => onChange({ ...draft, plugin, version: null })}
      />
      {draft.isInstalled ? (
        <Select
          label={t('bulkActions.fields.version')}
          placeholder={t('bulkActions.fields.newest')}
          data={chosen?.versions ?? []}
          value={draft.version}
          clearable
          onChange={(version) => onChange({ ...draft, version })}
        />
      ) : null}
    </>
  );
}
