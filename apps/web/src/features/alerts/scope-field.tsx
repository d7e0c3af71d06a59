import type { AlertScope } from '@albedo/contract/alerts/alerts.schema';
import { MultiSelect, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { entitiesQuery, entitySourcesQuery } from '../../app/entity-query.ts';
import { useLabels } from '../../app/labels.ts';
import { useWorkgroup } from '../../app/session.ts';
import { deviceListQuery } from '../devices/devices.queries.ts';

const KINDS = ['all', 'devices', 'sources', 'label', 'entities'] as const;

interface ScopeFieldProps {
  scope: AlertScope;
  /** Only its sources are offered. */
  table: string | null;
  error: string | undefined;
  onChange: (scope: AlertScope) => void;
}

/** What it is about: everything, or what is named. */
export function ScopeField({ scope, table, error, onChange }: ScopeFieldProps) {
  const { t } = useTranslation();
  return (
    <>
      <Select
        label={t('alerts.scope')}
        description={t(`alerts.scopeHelp.${scope.kind}`)}
        allowDeselect={false}
        value={scope.kind}
        error={scope.kind === 'all' ? error : undefined}
        data={KINDS.map((value) => ({ value, label: t(`alerts.scopes.${value}`) }))}
        onChange={(kind) => onChange(EMPTY[kind as AlertScope['kind']])}
      />
      {scope.kind === 'devices' ? (
        <Devices
          chosen={scope.devices}
          error={error}
          onChange={(devices) => onChange({ kind: 'devices', devices })}
        />
      ) : null}
      {scope.kind === 'sources' ? (
        <Sources
          chosen={scope.sources}
          table={table}
          error={error}
          onChange={(sources) => onChange({ kind: 'sources', sources })}
        />
      ) : null}
      {scope.kind === 'label' ? (
        <Label chosen={scope.label} error={error} onChange={(label) => onChange({ kind: 'label', label })} />
      ) : null}
      {scope.kind === 'entities' ? (
        <Entities
          chosen={scope.entities}
          error={error}
          onChange={(entities) => onChange({ kind: 'entities', entities })}
        />
      ) : null}
    </>
  );
}

const EMPTY: Record<AlertScope['kind'], AlertScope> = {
  all: { kind: 'all' },
  devices: { kind: 'devices', devices: [] },
  sources: { kind: 'sources', sources: [] },
  label: { kind: 'label', label: '' },
  entities: { kind: 'entities', entities: [] },
};

interface ManyProps {
  chosen: readonly string[];
  error: string | undefined;
  onChange: (chosen: string[]) => void;
}

function Devices({ chosen, error, onChange }: ManyProps) {
  const { t } = useTranslation();
  const { data } = useQuery(deviceListQuery(useWorkgroup()));
  return (
    <MultiSelect
      searchable
      limit={200}
      label={t('alerts.scopes.devices')}
      error={error}
      value={[...chosen]}
      data={withUnknown(
        (data ?? []).map(({ id, name }) => ({ value: id, label: name })),
        chosen,
      )}
      onChange={onChange}
    />
  );
}

function Entities({ chosen, error, onChange }: ManyProps) {
  const { t } = useTranslation();
  const { data } = useQuery(entitiesQuery(useWorkgroup()));
  const choices = useMemo(() => {
    const names = new Map((data ?? []).map(({ _id, name }) => [_id, name]));
    return (data ?? []).map(({ _id, name, parent }) => {
      const above = parent === null ? undefined : names.get(parent);
      return { value: _id, label: above === undefined ? name : `${name} (${above})` };
    });
  }, [data]);
  return (
    <MultiSelect
      searchable
      limit={200}
      label={t('alerts.scopes.entities')}
      error={error}
      value={[...chosen]}
      data={withUnknown(choices, chosen)}
      onChange={onChange}
    />
  );
}

interface SourcesProps {
  chosen: readonly { device: string; source: string }[];
  table: string | null;
  error: string | undefined;
  onChange: (sources: { device: string; source: string }[]) => void;
}

function Sources({ chosen, table, error, onChange }: SourcesProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: sources } = useQuery(entitySourcesQuery(wg));
  const { data: devices } = useQuery(deviceListQuery(wg));
  const choices = useMemo(() => {
    const names = new Map((devices ?? []).map(({ id, name }) => [id, name]));
    const all = (sources ?? [])
      .filter((one) => table === null || one.table === table)
      .map(({ deviceId, source }) => ({
        value: textOf({ device: deviceId, source }),
        label: `${names.get(deviceId) ?? deviceId} · ${source}`,
      }));
    // A source that fills several tables is one.
    return [...new Map(all.map((one) => [one.value, one])).values()];
  }, [sources, devices, table]);
  const values = chosen.map(textOf);
  return (
    <MultiSelect
      searchable
      limit={200}
      label={t('alerts.scopes.sources')}
      error={error}
      value={values}
      data={withUnknown(choices, values)}
      onChange={(next) => onChange(next.map((one) => JSON.parse(one) as { device: string; source: string }))}
    />
  );
}

const textOf = ({ device, source }: { device: string; source: string }): string =>
  JSON.stringify({ device, source });

function Label({
  chosen,
  error,
  onChange,
}: {
  chosen: string;
  error: string | undefined;
  onChange: (label: string) => void;
}) {
  const { t } = useTranslation();
  const labels = useLabels();
  const choices = labels.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Select
      searchable
      label={t('alerts.scopes.label')}
      nothingFoundMessage={t('alerts.noLabels')}
      error={error}
      value={chosen || null}
      data={withUnknown(choices, chosen ? [chosen] : [])}
      allowDeselect={false}
      onChange={(label) => label !== null && onChange(label)}
    />
  );
}

/** What was chosen stays a choice, though nobody knows it any more. */
function withUnknown(known: { value: string; label: string }[], chosen: readonly string[]) {
  const values = new Set(known.map(({ value }) => value));
  return [...known, ...chosen.filter((one) => !values.has(one)).map((one) => ({ value: one, label: one }))];
}
