import { DECIMAL_SIGNS } from '@albedo/contract/csv/csv.names';
import type { mapping as mappingSchema } from '@albedo/contract/mapping/mapping.schema';
import { TIME_FORMATS } from '@albedo/contract/mapping/mapping.schema';
import { ActionIcon, Autocomplete, Select, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { Failure } from '../../ui/failure.tsx';
import { ZoneSelect } from '../../ui/time-range/zone-select.tsx';
import { AddButton, ColumnButtons } from './column-buttons.tsx';
import classes from './mapping.module.css';

export type MappingInput = z.input<typeof mappingSchema>;
type FieldInput = MappingInput['fields'][number];
/** A mapping whose times may still be without a format. */
type OpenInput = Omit<MappingInput, 'timeFormat'> & { timeFormat?: MappingInput['timeFormat'] | null };

const TYPES = ['decimal', 'integer', 'bool', 'keyword', 'date'] as const;

interface MappingFieldsProps {
  value: OpenInput;
  /** Columns that are known from a look at the data. */
  columns: readonly string[];
  /** What a column seems to become. */
  guess?: (column: string) => Partial<FieldInput>;
  /** What stands in place of a format of the times that is left open. */
  formatHint?: string;
  /** What is wrong with the format of the times. */
  formatError?: string | undefined;
  /** What is wrong, by the path within the mapping. */
  faults?: Record<string, string>;
  /** Numbers are texts with a decimal sign, which is chosen; what is wrong with that of a column. */
  decimals?: (field: FieldInput) => string | undefined;
  onChange: (part: Partial<MappingInput>) => void;
}

/** Which columns become the time, the source and the fields. */
export function MappingFields({
  value,
  columns,
  guess,
  formatHint,
  formatError,
  faults = {},
  decimals,
  onChange,
}: MappingFieldsProps) {
  const { t } = useTranslation();
  const { fields } = value;
  const unused = columns.filter(
    (one) => ![value.timeColumn, value.clockColumn, value.sourceColumn].includes(one),
  );
  return (
    <>
      <div className={classes.pair}>
        <TextInput
          label={t('externalSources.table')}
          value={value.table}
          error={faults.table}
          onChange={(event) => onChange({ table: event.currentTarget.value })}
        />
        <TextInput
          label={t('externalSources.source')}
          value={value.source}
          error={faults.source}
          onChange={(event) => onChange({ source: event.currentTarget.value })}
        />
        <Autocomplete
          label={t('externalSources.timeColumn')}
          data={[...columns]}
          value={value.timeColumn}
          error={faults.timeColumn}
          onChange={(timeColumn) => onChange({ timeColumn })}
        />
        <Autocomplete
          label={t('externalSources.clockColumn')}
          description={t('externalSources.clockColumnHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={[...columns]}
          value={value.clockColumn ?? ''}
          error={faults.clockColumn}
          onChange={(column) => onChange({ clockColumn: column === '' ? null : column })}
        />
        <Autocomplete
          label={t('externalSources.sourceColumn')}
          description={t('externalSources.sourceColumnHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={[...columns]}
          value={value.sourceColumn ?? ''}
          error={faults.sourceColumn}
          onChange={(column) => onChange({ sourceColumn: column === '' ? null : column })}
        />
        <Select
          label={t('externalSources.timeFormat')}
          allowDeselect={false}
          data={TIME_FORMATS.map((format) => ({
            value: format,
            label: t(`externalSources.formats.${format}`),
          }))}
          value={value.timeFormat === undefined ? 'iso' : value.timeFormat}
          {...(formatHint ? { placeholder: formatHint } : {})}
          error={formatError ?? faults.timeFormat}
          onChange={(format) => onChange({ timeFormat: (format ?? 'iso') as MappingInput['timeFormat'] })}
        />
        <ZoneSelect
          value={value.timezone ?? 'utc'}
          onChange={(zone) =>
            onChange({ timezone: zone === 'utc' ? 'UTC' : zone === 'local' ? ownZone() : zone })
          }
          select={{ label: t('externalSources.timezone') }}
        />
        <Select
          label={t('externalSources.clocks')}
          allowDeselect={false}
          data={(['summer', 'standard'] as const).map((one) => ({
            value: one,
            label: t(`externalSources.clockChoices.${one}`),
          }))}
          value={value.standardTime ? 'standard' : 'summer'}
          onChange={(choice) => onChange({ standardTime: choice === 'standard' })}
        />
      </div>
      <FieldRows
        fields={fields}
        columns={unused}
        all={columns}
        faults={faults}
        {...(guess ? { guess } : {})}
        {...(decimals ? { decimals } : {})}
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
  /** What is wrong, by the path within the mapping. */
  faults?: Record<string, string>;
  guess?: (column: string) => Partial<FieldInput>;
  decimals?: (field: FieldInput) => string | undefined;
  onChange: (fields: FieldInput[]) => void;
}

/** Which columns become fields, under which names, types and units. */
export function FieldRows({ fields, columns, all, faults = {}, guess, decimals, onChange }: FieldRowsProps) {
  const { t } = useTranslation();
  const setField = (at: number, part: Partial<FieldInput>) =>
    onChange(fields.map((one, i) => (i === at ? { ...one, ...part } : one)));
  const fieldOf = (column: string): FieldInput => ({
    column,
    name: lastStep(column),
    ...(column ? guess?.(column) : {}),
  });
  /** The row of another column, as that seems to become; a name that was given to it stays. */
  const moved = (field: FieldInput, column: string): FieldInput => {
    if (!guess || !all.includes(column)) return { ...field, column };
    const next = fieldOf(column);
    const isGiven = field.name !== '' && field.name !== fieldOf(field.column).name;
    return isGiven ? { ...next, name: field.name } : next;
  };
  const add = (...more: string[]) => onChange([...fields, ...more.map(fieldOf)]);
  const unused = columns.filter((one) => !fields.some(({ column }) => column === one));
  return (
    <>
      <div className={classes.fields}>
        {fields.map((field, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are told apart by their place, columns may be alike while they are typed.
          <div className={decimals ? classes.fieldOfText : classes.field} key={at}>
            <Autocomplete
              aria-label={t('externalSources.column')}
              placeholder={t('externalSources.column')}
              data={[...all]}
              value={field.column}
              error={faults[`fields.${at}.column`]}
              onChange={(column) => onChange(fields.map((one, i) => (i === at ? moved(one, column) : one)))}
            />
            <TextInput
              aria-label={t('externalSources.field')}
              placeholder={t('externalSources.field')}
              value={field.name}
              error={faults[`fields.${at}.name`]}
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
              error={faults[`fields.${at}.units`]}
              onChange={(event) => setField(at, { units: event.currentTarget.value || null })}
            />
            {decimals ? (
              <DecimalField field={field} error={decimals(field)} onChange={(part) => setField(at, part)} />
            ) : null}
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
      <Failure
        text={faults.fields && fields.length === 0 ? t('externalSources.noFields') : (faults.fields ?? null)}
      />
      <ColumnButtons columns={unused} onAdd={add}>
        <AddButton onClick={() => add('')}>{t('externalSources.addField')}</AddButton>
        {unused.length > 1 && guess ? (
          <AddButton onClick={() => add(...unused.slice(0, MOST_AT_ONCE))}>
            {t('externalSources.addAll', { count: Math.min(unused.length, MOST_AT_ONCE) })}
          </AddButton>
        ) : null}
      </ColumnButtons>
    </>
  );
}

interface DecimalFieldProps {
  field: FieldInput;
  error: string | undefined;
  onChange: (part: Partial<FieldInput>) => void;
}

/** What stands before the decimals; nothing to choose for what is no number. */
function DecimalField({ field, error, onChange }: DecimalFieldProps) {
  const { t } = useTranslation();
  const isNumber = field.type === undefined || field.type === 'decimal' || field.type === 'integer';
  return (
    <Select
      aria-label={t('externalSources.decimalOf', { name: field.name })}
      placeholder={isNumber ? t('externalSources.decimal') : ''}
      allowDeselect={false}
      disabled={!isNumber}
      error={error !== undefined}
      data={DECIMAL_SIGNS.map((sign) => ({ value: sign, label: `1${sign}5` }))}
      value={isNumber ? (field.decimal ?? null) : null}
      onChange={(sign) => onChange({ decimal: sign as FieldInput['decimal'] })}
    />
  );
}

/** As many fields as a mapping may have. */
const MOST_AT_ONCE = 200;
const lastStep = (column: string): string => column.split('.').at(-1) ?? column;
const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
