import type { Entry, Info } from '@albedo/contract/metadata/metadata.schema';
import { ActionIcon, Autocomplete, Button, Group, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../ui/failure.tsx';
import { useSubmit } from '../use-submit.ts';
import classes from './info.module.css';

interface InfoFormProps {
  /** What it says now, with the fields that wait for a text. */
  entries: readonly Entry[];
  /** Names that are offered. */
  names: readonly string[];
  onSave: (info: Info) => Promise<void>;
  onClose: () => void;
}

interface Row {
  key: number;
  name: string;
  value: string;
}

/** Edits some metadata: fields with their texts. One that waited for a text and got none is not saved. */
export function InfoForm({ entries, names, onSave, onClose }: InfoFormProps) {
  const { t } = useTranslation();
  const [rows, setRows] = useState<Row[]>(() =>
    [...entries, ['', ''] as const].map(([name, value], key) => ({ key, name, value: value ?? '' })),
  );
  const waited = new Set(entries.flatMap(([name, value]) => (value === null ? [name] : [])));
  const change = (key: number, part: Partial<Row>) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const add = () =>
    setRows([...rows, { key: Math.max(0, ...rows.map((row) => row.key)) + 1, name: '', value: '' }]);

  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    const fault = faultOf(rows, t);
    if (fault) throw new Error(fault);
    const said = rows
      .map((row) => [row.name.trim(), row.value.trim()] as const)
      .filter(([name, value]) => name !== '' && !(value === '' && waited.has(name)));
    await onSave(Object.fromEntries(said));
    onClose();
  });

  return (
    <form onSubmit={handleSubmit} className={classes.form}>
      {rows.map((row) => (
        <div key={row.key} className={classes.formRow}>
          <Autocomplete
            size="sm"
            aria-label={t('device.info.name')}
            placeholder={t('device.info.name')}
            value={row.name}
            maxLength={80}
            data={names.filter((name) => !rows.some((other) => other.name === name))}
            onChange={(name) => change(row.key, { name })}
          />
          <TextInput
            size="sm"
            aria-label={
              row.name === '' ? t('device.info.value') : t('device.info.valueOf', { name: row.name })
            }
            placeholder={t('device.info.value')}
            value={row.value}
            maxLength={500}
            onChange={(event) => change(row.key, { value: event.currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={
              row.name === '' ? t('device.info.removeRow') : t('device.info.remove', { name: row.name })
            }
            onClick={() => setRows(rows.filter((other) => other.key !== row.key))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </div>
      ))}
      <Failure text={failure} />
      <Group justify="space-between" gap="xs">
        <Button variant="subtle" size="xs" leftSection={<IconPlus size={14} />} onClick={add}>
          {t('device.info.add')}
        </Button>
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={onClose}>
            {t('actions.cancel')}
          </Button>
          <Button type="submit" size="xs" loading={isWorking}>
            {t('actions.save')}
          </Button>
        </Group>
      </Group>
    </form>
  );
}

/** What is wrong with the rows, in words; null when they can be saved. */
function faultOf(rows: readonly Row[], t: TFunction): string | null {
  const names = rows.map((row) => row.name.trim());
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  if (twice !== undefined) return t('device.info.twice', { name: twice });
  const nameless = rows.find((row) => row.name.trim() === '' && row.value.trim() !== '');
  return nameless ? t('device.info.nameless', { value: nameless.value.trim() }) : null;
}
