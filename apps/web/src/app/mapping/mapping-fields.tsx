import type { mapping as mappingSchema } from '@albedo/contract/mapping/mapping.schema';
import { TIME_FORMATS } from '@albedo/contract/mapping/mapping.schema';
import { ActionIcon, Autocomplete, Button, Select, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { ZoneSelect } from '../../ui/time-range/zone-select.tsx';
import classes from './mapping.module.css';

export type MappingInput = z.input<typeof mappingSchema>;
type FieldInput = MappingInput['fields'][number];

const TYPES = ['decimal', 'integer', 'bool', 'keyword', 'date'] as const;

interface MappingFieldsProps {
  value: MappingInput;
  /** Columns that are known from a look at the data. */
  columns: readonly string[];
  /** What a column seems to become. */
  guess?: (column: string) => Partial<FieldInput>;
  onChange: (part: Partial<MappingInput>) => void;
}

/** Which columns become the time, the source and the fields. */
export function MappingFields({ value, columns, guess, onChange }: MappingFieldsProps) {
  const { t } = useTranslation();
  const { fields } = value;
  const unused = columns.filter((one) => one !== value.timeColumn && one !== value.sourceColumn);
  return (
    <>
      <div className={classes.pair}>
        <TextInput
          label={t('externalSources.table')}
          value={value.table}
          onChange={(event) => onChange({ table: event.currentTarget.value })}
        />
        <TextInput
          label={t('externalSources.source')}
          value={value.source}
          onChange={(event) => onChange({ source: event.currentTarget.value })}
        />
        <Autocomplete
          label={t('externalSources.timeColumn')}
          data={[...columns]}
          value={value.timeColumn}
          onChange={(timeColumn) => onChange({ timeColumn })}
        />
        <Autocomplete
          label={t('externalSources.sourceColumn')}
          description={t('externalSources.sourceColumnHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={[...columns]}
          value={value.sourceColumn ?? ''}
          onChange={(column) => onChange({ sourceColumn: column === '' ? null : column })}
        />
        <Select
          label={t('externalSources.timeFormat')}
          allowDeselect={false}
          data={TIME_FORMATS.map((format) => ({
            value: format,
            label: t(`externalSources.formats.${format}`),
          }))}
          value={value.timeFormat ?? 'iso'}
          onChange={(format) => onChange({ timeFormat: (format ?? 'iso') as MappingInput['timeFormat'] })}
        />
        <ZoneSelect
          value={value.timezone ?? 'utc'}
          onChange={(zone) =>
            onChange({ timezone: zone === 'utc' ? 'UTC' : zone === 'local' ? ownZone() : zone })
          }
          select={{ label: t('externalSources.timezone') }}
        />
      </div>
      <FieldRows
        fields={fields}
        columns={unused}
        all={columns}
        {...(guess ? { guess } : {})}
        onChange={(next) => onChange({ fields: next })}
      />
    </>
  );
}

interface FieldRowsProps {
  fields: readonly FieldInput[];
  /** Columns that can become fields, offered as long as they are none. */
  columns: readonly string[];
  /** Columns to complete from. */
  all: readonly string[];
  guess?: (column: string) => Partial<FieldInput>;
  onChange: (fields: FieldInput[]) => void;
}

/** Which columns become fields, under which names, types and units. */
export function FieldRows({ fields, columns, all, guess, onChange }: FieldRowsProps) {
  const { t } = useTranslation();
  const setField = (at: number, part: Partial<FieldInput>) =>
    onChange(fields.map((one, i) => (i === at ? { ...one, ...part } : one)));
  const add = (column: string) =>
    onChange([...fields, { column, name: lastStep(column), ...(column ? guess?.(column) : {}) }]);
  const unused = columns.filter((one) => !fields.some(({ column }) => column === one));
  return (
    <>
      <div className={classes.fields}>
        {fields.map((field, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are told apart by their place, columns may be alike while they are typed.
          <div className={classes.field} key={at}>
            <Autocomplete
              aria-label={t('externalSources.column')}
              placeholder={t('externalSources.column')}
              data={[...all]}
              value={field.column}
              onChange={(column) => setField(at, { column })}
            />
            <TextInput
              aria-label={t('externalSources.field')}
              placeholder={t('externalSources.field')}
              value={field.name}
              onChange={(event) => setField(at, { name: event.currentTarget.value })}
            />
            <Select
              aria-label={t('externalSources.type')}
              allowDeselect={false}
              data={TYPES.map((type) => ({ value: type, label: t(`externalSources.types.${type}`) }))}
              value={field.type ?? 'decimal'}
              onChange={(type) => setField(at, { type: (type ?? 'decimal') as FieldInput['type'] })}
            />
            <TextInput
              aria-label={t('externalSources.unit')}
              placeholder={t('externalSources.unit')}
              value={field.units ?? ''}
              onChange={(event) => setField(at, { units: event.currentTarget.value || null })}
            />
            <ActionIcon
              variant="subtle"
              size="lg"
              aria-label={t('externalSources.removeField', { name: field.name })}
              onClick={() => onChange(fields.filter((_one, i) => i !== at))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </div>
        ))}
      </div>
      <div className={classes.columns}>
        <Button size="xs" variant="default" leftSection={<IconPlus size={14} />} onClick={() => add('')}>
          {t('externalSources.addField')}
        </Button>
        {unused.slice(0, 40).map((column) => (
          <Button
            key={column}
            size="xs"
            variant="light"
            leftSection={<IconPlus size={14} />}
            onClick={() => add(column)}
          >
            {column}
          </Button>
        ))}
      </div>
    </>
  );
}

const lastStep = (column: string): string => column.split('.').at(-1) ?? column;
const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
