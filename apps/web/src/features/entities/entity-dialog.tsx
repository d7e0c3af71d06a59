import {
  type Entity,
  type EntityChange,
  NO_SIGNALS,
  newEntity,
} from '@albedo/contract/entities/entities.schema';
import { ActionIcon, Button, Fieldset, MultiSelect, Select, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { entitiesQuery, entitySourcesQuery } from '../../app/entity-query.ts';
import { notifyDone } from '../../app/notify.ts';
import { queryClient } from '../../app/query-client.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { lastSavedBy, newestIn } from '../../app/versions/newest.ts';
import { useOpened } from '../../app/versions/use-opened.ts';
import { useSaveOver } from '../../app/versions/use-save-over.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { deviceListQuery } from '../devices/devices.queries.ts';
import { useMachines } from '../machines/machines.queries.ts';
import classes from './entities.module.css';
import { changeEntity, createEntity, useLabels } from './entities.queries.ts';
import { emptyRow, type MetaRow, metaOfRows, rowsOfMeta } from './meta-rows.ts';

interface EntityDialogProps {
  /** Null for a new one. */
  entity: Entity | null;
  /** Below which a new one stands; null at the top. */
  parent: Entity | null;
  onSaved?: (entity: Entity) => void;
  onClose: () => void;
}

/** Stands for a new one, which is saved over none. */
const NEVER_SAVED: Entity = {
  _id: '',
  name: '',
  parent: null,
  children: [],
  labels: [],
  machine: null,
  meta: {},
  signals: NO_SIGNALS,
  settings: {},
  version: 0,
};

/** A key of a source or field for the pickers; nothing in it has a line break. */
const keyOf = (...parts: string[]): string => parts.join('\n');

/** Name, labels, machine, streams and facts of an entity. */
export function EntityDialog({ entity: live, parent, onSaved, onClose }: EntityDialogProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { opened: entity } = useOpened(live);
  const labels = useLabels();
  const machines = useMachines(wg);
  const { data: devices } = useQuery(deviceListQuery(wg));
  const { data: known } = useQuery(entitySourcesQuery(wg));
  const signals = entity?.signals ?? NO_SIGNALS;
  const [sources, setSources] = useState(() =>
    signals.sources.filter(({ table }) => table === undefined).map((one) => keyOf(one.deviceId, one.source)),
  );
  const [fields, setFields] = useState(() =>
    signals.fields.map((one) => keyOf(one.deviceId, one.table, one.source, one.field)),
  );
  const [rows, setRows] = useState<readonly MetaRow[]>(() => [...rowsOfMeta(entity?.meta ?? {}), emptyRow()]);

  const choices = useMemo(() => {
    const names = new Map((devices ?? []).map(({ id, name }) => [id, name]));
    const ofSource = new Map<string, string>();
    const ofField = new Map<string, string>();
    const nameOf = (id: string) => names.get(id) ?? t('entities.deviceGone');
    for (const { deviceId, source, table, fields: all } of known ?? []) {
      ofSource.set(keyOf(deviceId, source), `${nameOf(deviceId)} › ${source}`);
      for (const { name } of all)
        ofField.set(
          keyOf(deviceId, table, source, name),
          `${nameOf(deviceId)} › ${source} › ${table}.${name}`,
        );
    }
    // What is chosen can be seen and taken away, also where nothing comes from it any more.
    for (const { deviceId, source } of signals.sources)
      ofSource.set(keyOf(deviceId, source), `${nameOf(deviceId)} › ${source}`);
    for (const { deviceId, table, source, field } of signals.fields)
      ofField.set(
        keyOf(deviceId, table, source, field),
        `${nameOf(deviceId)} › ${source} › ${table}.${field}`,
      );
    const list = (map: Map<string, string>) => [...map].map(([value, label]) => ({ value, label }));
    return { sources: list(ofSource), fields: list(ofField) };
  }, [known, devices, signals, t]);

  const over = useSaveOver<EntityChange, Entity>({
    opened: entity ?? NEVER_SAVED,
    contentOf: ({ name, labels: ofIt, machine, meta, signals: has }) =>
      ({ name, labels: ofIt, machine, meta, signals: has }) as EntityChange,
    send: (content, version) => changeEntity(wg, entity?._id ?? '', { ...content, version }),
    newest: () => newestIn(queryClient.fetchQuery({ ...entitiesQuery(wg), staleTime: 0 }), entity?._id ?? ''),
    savedBy: () => lastSavedBy(wg, 'entity', entity?._id ?? ''),
    onTheirs: onClose,
  });
  const { field, values, dialog } = useContractForm({
    schema: newEntity.pick({ name: true, labels: true, machine: true }),
    initial: { name: entity?.name ?? '', labels: entity?.labels ?? [], machine: entity?.machine ?? null },
    send: async (body) => {
      const nextSignals = {
        ...signals,
        sources: [
          ...signals.sources.filter(({ table }) => table !== undefined),
          ...sources.map((key) => {
            const [deviceId = '', source = ''] = key.split('\n');
            return { deviceId, source };
          }),
        ],
        fields: fields.map((key) => {
          const [deviceId = '', table = '', source = '', name = ''] = key.split('\n');
          return { deviceId, table, source, field: name };
        }),
      };
      const all = { ...body, meta: metaOfRows(rows), signals: nextSignals };
      const saved = entity
        ? await over.save(all)
        : await createEntity(wg, { ...all, parent: parent?._id ?? null });
      if (!saved) return;
      notifyDone(t('entities.savedOne', { name: saved.name }));
      onSaved?.(saved);
      onClose();
    },
  });
  const setRow = (id: number, part: Partial<MetaRow>) =>
    setRows(rows.map((row) => (row.id === id ? { ...row, ...part } : row)));
  const labelOptions = [
    ...labels.map(({ id, name }) => ({ value: id, label: name })),
    ...(values.labels ?? [])
      .filter((id) => !labels.some((one) => one.id === id))
      .map((id) => ({ value: id, label: id })),
  ];

  return (
    <FormDialog
      size="lg"
      title={entity ? t('entities.editOne', { name: entity.name }) : t('entities.add')}
      onClose={onClose}
      {...dialog}
    >
      {over.dialog}
      {entity ? null : (
        <p className={classes.note}>
          {parent ? t('entities.belowOf', { name: parent.name }) : t('entities.atTop')}
        </p>
      )}
      <TextInput {...field('name')} data-autofocus label={t('entities.name')} />
      <MultiSelect
        {...field('labels')}
        label={t('entities.labels')}
        data={labelOptions}
        searchable
        clearable
      />
      {machines.length > 0 ? (
        <Select
          {...field('machine')}
          label={t('entities.machine')}
          data={machines.map(({ _id, name }) => ({ value: _id, label: name }))}
          searchable
          clearable
        />
      ) : null}
      <MultiSelect
        label={t('entities.sources')}
        description={t('entities.sourcesHelp')}
        data={choices.sources}
        value={sources}
        onChange={setSources}
        searchable
        clearable
        limit={100}
      />
      <MultiSelect
        label={t('entities.fields')}
        description={t('entities.fieldsHelp')}
        data={choices.fields}
        value={fields}
        onChange={setFields}
        searchable
        clearable
        limit={100}
      />
      <Fieldset legend={t('entities.meta')}>
        <p className={classes.note}>{t('entities.metaHelp')}</p>
        {rows.map(({ id, name, value, from }) => (
          <div key={id} className={classes.metaRow}>
            <TextInput
              mt={8}
              aria-label={t('entities.factName')}
              placeholder={t('entities.factName')}
              value={name}
              onChange={(event) => setRow(id, { name: event.currentTarget.value })}
            />
            <TextInput
              mt={8}
              aria-label={t('entities.factValue')}
              placeholder={t('entities.factValue')}
              value={value}
              onChange={(event) => setRow(id, { value: event.currentTarget.value })}
            />
            <TextInput
              mt={8}
              type="date"
              aria-label={t('entities.factSince')}
              value={from}
              onChange={(event) => setRow(id, { from: event.currentTarget.value })}
            />
            <ActionIcon
              mt={12}
              variant="subtle"
              color="gray"
              aria-label={t('entities.factRemove', { name })}
              onClick={() => setRows(rows.filter((row) => row.id !== id))}
            >
              <IconX size={16} />
            </ActionIcon>
          </div>
        ))}
        <Button
          mt={8}
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() => setRows([...rows, emptyRow()])}
        >
          {t('entities.factAdd')}
        </Button>
      </Fieldset>
    </FormDialog>
  );
}
