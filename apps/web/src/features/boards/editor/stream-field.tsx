import { type BoardStream, COMBINATIONS } from '@albedo/contract/boards/streams.schema';
import { DESCENDANT_STRATEGIES } from '@albedo/contract/entities/streams.schema';
import { FIELD_ROLE_NAMES, type FieldRole } from '@albedo/contract/field-roles/field-roles';
import { Checkbox, SegmentedControl, Select, Stack, TagsInput, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { KnownWorld } from '../../../app/entity-world-query.ts';
import { useLabels } from '../../../app/labels.ts';
import { useSourceLabels } from '../../../app/source-labels.ts';
import { useVariableChoices } from './variable-choices.ts';

interface StreamFieldProps {
  value: BoardStream | null;
  world: KnownWorld;
  onChange: (value: BoardStream) => void;
  hasName?: boolean;
}

const FIRST: BoardStream = { over: 'self', role: 'acPower', combine: 'sum' };

/** A stream by what it is: a role or a field, where it is looked for, and what becomes of several. */
export function StreamField({ value, world, onChange, hasName = false }: StreamFieldProps) {
  const { t } = useTranslation();
  const labelVariables = useVariableChoices('label');
  const labels = useLabels();
  const { offered } = useSourceLabels();
  const stream = value ?? FIRST;
  const { over, path, label, sourceLabel, role, table, field, combine } = stream;
  const isRole = field === undefined || role !== undefined;
  const tables = useMemo(() => [...new Set(world.sources.map((one) => one.table))].toSorted(), [world]);
  const fields = useMemo(() => {
    const names = world.sources
      .filter((one) => one.table === table)
      .flatMap((one) => one.fields.map(({ name }) => name));
    return [...new Set(names)].toSorted();
  }, [world, table]);
  /** Roles that something has come first. */
  const roles = useMemo(() => {
    const known = new Set(world.sources.flatMap((one) => one.fields.map((own) => own.role)));
    return FIELD_ROLE_NAMES.toSorted((a, b) => Number(known.has(b)) - Number(known.has(a)));
  }, [world]);
  const set = (change: Partial<BoardStream>) => onChange({ ...stream, ...change });
  const byRole = (next: boolean) => {
    const { role: _role, table: _table, field: _field, ...rest } = stream;
    const first = tables[0];
    const name = world.sources.find((one) => one.table === first)?.fields[0]?.name;
    onChange(next || !first || !name ? { ...rest, role: 'acPower' } : { ...rest, table: first, field: name });
  };
  return (
    <Stack gap={8}>
      <SegmentedControl
        size="xs"
        aria-label={t('boards.streamBy')}
        value={isRole ? 'role' : 'field'}
        data={[
          { value: 'role', label: t('boards.role') },
          { value: 'field', label: t('boards.field') },
        ]}
        onChange={(next) => byRole(next === 'role')}
      />
      {isRole ? (
        <Select
          aria-label={t('boards.role')}
          searchable
          data={roles.map((one) => ({ value: one, label: t(`plants.roles.names.${one}`) }))}
          value={role ?? null}
          allowDeselect={false}
          onChange={(next) => next && set({ role: next as FieldRole })}
        />
      ) : (
        <>
          <Select
            aria-label={t('boards.table')}
            searchable
            data={tables}
            value={table ?? null}
            allowDeselect={false}
            onChange={(next) => {
              const name = world.sources.find((one) => one.table === next)?.fields[0]?.name;
              if (next && name) set({ table: next, field: name });
            }}
          />
          <Select
            aria-label={t('boards.field')}
            searchable
            data={fields.includes(field ?? '') || !field ? fields : [field, ...fields]}
            value={field ?? null}
            allowDeselect={false}
            onChange={(next) => next && set({ field: next })}
          />
        </>
      )}
      {hasName ? (
        <Checkbox
          label={t('boards.perChild')}
          checked={stream.isPerChild ?? false}
          onChange={({ currentTarget }) => set({ isPerChild: currentTarget.checked || undefined })}
        />
      ) : null}
      <Select
        label={t('boards.fields.over')}
        data={DESCENDANT_STRATEGIES.map((one) => ({ value: one, label: t(`boards.over.${one}`) }))}
        value={over}
        allowDeselect={false}
        onChange={(next) => next && set({ over: next })}
      />
      {over === 'path' ? (
        <TagsInput
          label={t('boards.path')}
          description={t('boards.pathHint')}
          value={path ?? []}
          onChange={(next) => set({ path: next.slice(0, 10) })}
        />
      ) : null}
      {over === 'label' ? (
        <Select
          label={t('boards.types.label')}
          data={[...labels.map(({ id, name }) => ({ value: id, label: name })), ...labelVariables]}
          value={label ?? null}
          onChange={(next) => set({ label: next ?? undefined })}
        />
      ) : null}
      {offered.length > 0 || sourceLabel ? (
        <Select
          label={t('boards.sourceLabel')}
          placeholder={t('boards.anySource')}
          data={[
            ...(offered.some(({ id }) => id === sourceLabel)
              ? offered
              : [...offered, ...labels.filter(({ id }) => id === sourceLabel)]
            ).map(({ id, name }) => ({ value: id, label: name })),
            ...labelVariables,
          ]}
          value={sourceLabel ?? null}
          clearable
          onChange={(next) => set({ sourceLabel: next ?? undefined })}
        />
      ) : null}
      <Select
        label={t('boards.combine')}
        data={COMBINATIONS.map((one) => ({ value: one, label: t(`boards.combinations.${one}`) }))}
        value={combine}
        allowDeselect={false}
        onChange={(next) => next && set({ combine: next as BoardStream['combine'] })}
      />
      {hasName ? (
        <TextInput
          label={t('boards.name')}
          value={stream.name ?? ''}
          maxLength={120}
          onChange={({ currentTarget }) => set({ name: currentTarget.value || undefined })}
        />
      ) : null}
    </Stack>
  );
}
