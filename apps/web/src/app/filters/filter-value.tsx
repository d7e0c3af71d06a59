import type { FieldFilter, FilterScalar } from '@albedo/contract/telemetry/search.schema';
import type { FieldType, TableInfo } from '@albedo/contract/telemetry/telemetry.schema';
import { toInstant } from '@albedo/contract/time/instants';
import { Autocomplete, MultiSelect, Select, TagsInput, TextInput } from '@mantine/core';
import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import classes from './filters.module.css';

/** What filters are written with: the fields of the table, and what can be chosen as their values. */
export interface FilterWorld {
  info: TableInfo | undefined;
  devices: readonly { id: string; name: string }[] | undefined;
  /** IANA name of the zone in which dates are written. */
  zone: string;
  /** The values that a field has had, the most frequent first; the same query for the same field. */
  valuesOf: (field: string) => UseQueryOptions<string[], Error, string[], readonly unknown[]>;
}

interface FilterValueProps extends FilterWorld {
  filter: FieldFilter;
  type: FieldType | undefined;
  onChange: (filter: FieldFilter) => void;
}

/** The value of a filter, entered as its field is: a device by its name, yes or no, a number, a date, or a text. */
export function FilterValue(props: FilterValueProps) {
  const { filter, type } = props;
  if (filter.field === 'device') return <DeviceValue {...props} />;
  if (type === 'bool') return <BoolValue {...props} />;
  if (type === 'date') return <DateValue {...props} />;
  if (type === 'keyword' || type === undefined) return <TextValue {...props} />;
  return <NumberValue {...props} />;
}

const isList = ({ operator }: FieldFilter): boolean => operator === 'IN' || operator === 'NOT IN';
const textsOf = ({ value }: FieldFilter): string[] => [value ?? []].flat().map(String);

/** Without a value the filter says that one is missing. */
function withValue({ field, operator }: FieldFilter, value: FilterScalar | FilterScalar[]): FieldFilter {
  const isNothing = Array.isArray(value) ? value.length === 0 : value === '';
  return isNothing ? { field, operator } : { field, operator, value };
}

function DeviceValue({ filter, devices, onChange }: FilterValueProps) {
  const { t } = useTranslation();
  const known = (devices ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const unknown = textsOf(filter).filter((id) => !known.some(({ value }) => value === id));
  const data = [...known, ...unknown.map((id) => ({ value: id, label: id }))];
  const shared = {
    className: classes.value ?? '',
    'aria-label': t('searches.value'),
    placeholder: t('searches.device'),
    searchable: true,
    data,
  };
  if (isList(filter)) {
    const change = (ids: string[]) => onChange(withValue(filter, ids));
    return <MultiSelect {...shared} value={textsOf(filter)} onChange={change} />;
  }
  const change = (id: string | null) => onChange(withValue(filter, id ?? ''));
  return <Select {...shared} value={textsOf(filter)[0] ?? null} onChange={change} />;
}

function BoolValue({ filter, onChange }: FilterValueProps) {
  const { t } = useTranslation();
  const [value] = textsOf(filter);
  return (
    <Select
      className={classes.value ?? ''}
      aria-label={t('searches.value')}
      allowDeselect={false}
      value={value === undefined ? null : String(value === 'true' || value === '1')}
      data={['true', 'false'].map((one) => ({ value: one, label: t(`searches.bools.${one}`) }))}
      onChange={(next) => next !== null && onChange(withValue(filter, next === 'true'))}
    />
  );
}

function DateValue({ filter, zone, onChange }: FilterValueProps) {
  const { t } = useTranslation();
  const [value = ''] = textsOf(filter);
  const isWrong = value !== '' && toInstant(value, zone) === null;
  return (
    <TextInput
      className={classes.value ?? ''}
      aria-label={t('searches.value')}
      placeholder="2026-11-21 14:00"
      value={value}
      error={isWrong ? t('searches.badDate') : undefined}
      onChange={(event) => onChange(withValue(filter, event.currentTarget.value))}
    />
  );
}

const NUMBER = /^-?\d+([.,]\d+)?(e[+-]?\d+)?$/i;
const numberIn = (text: string): FilterScalar => (NUMBER.test(text) ? Number(text.replace(',', '.')) : text);

function NumberValue({ filter, info, onChange }: FilterValueProps) {
  const { t } = useTranslation();
  const units = info?.fields.find(({ name }) => name === filter.field)?.units;
  const texts = textsOf(filter);
  const error = texts.every((one) => NUMBER.test(one)) ? undefined : t('searches.badNumber');
  const shared = { className: classes.value ?? '', 'aria-label': t('searches.value'), error };
  if (isList(filter)) {
    const change = (all: string[]) => onChange(withValue(filter, all.map(numberIn)));
    return <TagsInput {...shared} placeholder={t('searches.values')} value={texts} onChange={change} />;
  }
  return (
    <TextInput
      {...shared}
      inputMode="decimal"
      placeholder={t('searches.number')}
      value={texts[0] ?? ''}
      rightSection={units ? <span className={classes.units}>{units}</span> : undefined}
      rightSectionWidth={units ? 52 : undefined}
      onChange={(event) => onChange(withValue(filter, numberIn(event.currentTarget.value.trim())))}
    />
  );
}

function TextValue({ filter, valuesOf, onChange }: FilterValueProps) {
  const { t } = useTranslation();
  const { data = [] } = useQuery({ ...valuesOf(filter.field), enabled: filter.field !== '' });
  const shared = { className: classes.value ?? '', 'aria-label': t('searches.value'), data, limit: 50 };
  if (isList(filter)) {
    const change = (all: string[]) => onChange(withValue(filter, all));
    return (
      <TagsInput {...shared} placeholder={t('searches.values')} value={textsOf(filter)} onChange={change} />
    );
  }
  const isPattern = filter.operator === 'LIKE';
  return (
    <Autocomplete
      {...shared}
      placeholder={t(isPattern ? 'searches.pattern' : 'searches.text')}
      value={textsOf(filter)[0] ?? ''}
      onChange={(text) => onChange(withValue(filter, text))}
    />
  );
}
