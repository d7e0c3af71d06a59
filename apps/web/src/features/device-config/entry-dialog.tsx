import type { ConfigList } from '@albedo/contract/device-config/scenarios.schema';
import { expectType } from '@albedo/contract/devices/meta.schema';
import { ActionIcon, Button, Checkbox, Group, Select, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useContractForm } from '../../app/use-contract-form.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import type { ConfigEntry } from './config-text.ts';
import classes from './device-config.module.css';
import {
  ASKED,
  type ColumnRow,
  type EntryKey,
  entryOf,
  entrySchema,
  formOf,
  isAsked,
} from './entry-values.ts';

interface EntryDialogProps {
  list: ConfigList;
  /** Null for a new one. */
  entry: ConfigEntry | null;
  onSave: (values: Record<string, unknown>) => void;
  onClose: () => void;
}

const TYPES = expectType.options.filter((one) => one !== 'discard');

/** One thing that a device captures, in fields. It goes into the text of the configuration, not yet to the device. */
export function EntryDialog({ list, entry, onSave, onClose }: EntryDialogProps) {
  const { t } = useTranslation();
  const { values, set, field, faultOf, dialog } = useContractForm({
    schema: entrySchema(list),
    initial: formOf(list, entry?.values ?? null),
    send: async () => {
      const said = entryOf(list, values, entry?.values);
      onSave(
        entry?.hasSharedFields && values.expect === 'csv' ? { ...said, fields: entry.values.fields } : said,
      );
      onClose();
    },
  });
  const input = (key: EntryKey) => ({
    ...field(key),
    label: t(`deviceConfig.keys.${key}`),
    description: t(`deviceConfig.help.${helpOf(list, key)}`),
  });
  const one = (key: EntryKey) => {
    if (key === 'fields') {
      return entry?.hasSharedFields ? (
        <Text key={key} size="sm" c="dimmed">
          {t('deviceConfig.sharedFields')}
        </Text>
      ) : (
        <Columns
          key={key}
          rows={values.fields}
          fault={faultOf('fields')}
          onChange={(fields) => set({ fields })}
        />
      );
    }
    if (key === 'send_file') {
      return (
        <Checkbox
          key={key}
          label={t('deviceConfig.keys.send_file')}
          description={t('deviceConfig.help.send_file')}
          checked={values.send_file}
          onChange={(event) => set({ send_file: event.currentTarget.checked })}
        />
      );
    }
    if (key === 'expect' || key === 'from') {
      const choices = key === 'expect' ? ['csv', ...TYPES] : ['start', 'end'];
      const { value, ...rest } = input(key);
      return (
        <Select
          key={key}
          {...rest}
          value={value || null}
          clearable={key === 'from'}
          allowDeselect={false}
          data={choices.map((choice) => ({ value: choice, label: t(`deviceConfig.values.${choice}`) }))}
          onChange={(next) => rest.onChange(next ?? '')}
        />
      );
    }
    return (
      <TextInput
        key={key}
        {...input(key)}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
    );
  };
  return (
    <FormDialog
      title={t(entry ? 'deviceConfig.editEntry' : 'deviceConfig.newEntry', {
        kind: t(`deviceConfig.kinds.${list}`),
      })}
      submit={t('deviceConfig.takeEntry')}
      size="lg"
      {...dialog}
      onClose={onClose}
    >
      {ASKED[list].filter((key) => isAsked(list, key, values)).map(one)}
    </FormDialog>
  );
}

/** What a key is about differs from list to list for a few. */
const helpOf = (list: ConfigList, key: EntryKey): string =>
  key === 'frequency' && list === 'run_dir'
    ? 'frequency_dir'
    : key === 'file' && list === 'watch'
      ? 'file_watch'
      : key;

interface ColumnsProps {
  rows: readonly ColumnRow[];
  fault: string | undefined;
  onChange: (rows: ColumnRow[]) => void;
}

function Columns({ rows, fault, onChange }: ColumnsProps) {
  const { t } = useTranslation();
  const change = (at: number, part: Partial<ColumnRow>) =>
    onChange(rows.map((row, i) => (i === at ? { ...row, ...part } : row)));
  return (
    <fieldset className={classes.fields}>
      <legend>{t('deviceConfig.keys.fields')}</legend>
      <Text size="xs" c="dimmed">
        {t('deviceConfig.help.fields')}
      </Text>
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column is known by its place
        <Group key={at} gap="xs" wrap="nowrap">
          <TextInput
            className={classes.column ?? ''}
            aria-label={t('deviceConfig.columnName', { at: at + 1 })}
            placeholder={t('deviceConfig.columnName', { at: at + 1 })}
            value={row.name}
            onChange={(event) => change(at, { name: event.currentTarget.value })}
          />
          <Select
            w={130}
            aria-label={t('deviceConfig.columnType', { at: at + 1 })}
            allowDeselect={false}
            value={row.expect}
            data={expectType.options.map((value) => ({ value, label: t(`deviceConfig.values.${value}`) }))}
            onChange={(next) => change(at, { expect: next ?? 'decimal' })}
          />
          <TextInput
            w={80}
            aria-label={t('deviceConfig.columnUnit', { at: at + 1 })}
            placeholder={t('deviceConfig.keys.units')}
            value={row.units}
            onChange={(event) => change(at, { units: event.currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            aria-label={t('deviceConfig.removeColumn', { at: at + 1 })}
            onClick={() => onChange(rows.filter((_, i) => i !== at))}
          >
            <IconTrash size={15} />
          </ActionIcon>
        </Group>
      ))}
      {fault ? (
        <Text size="xs" c="var(--al-danger)">
          {fault}
        </Text>
      ) : null}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange([...rows, { name: '', expect: 'decimal', units: '' }])}
      >
        {t('deviceConfig.addColumn')}
      </Button>
    </fieldset>
  );
}
