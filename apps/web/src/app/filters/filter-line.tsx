import type { FieldFilter, FilterOperator } from '@albedo/contract/telemetry/search.schema';
import type { FieldType } from '@albedo/contract/telemetry/telemetry.schema';
import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FilterValue, type FilterWorld } from './filter-value.tsx';
import classes from './filters.module.css';

interface FilterLineProps extends FilterWorld {
  filter: FieldFilter;
  onChange: (filter: FieldFilter) => void;
}

/** One filter: a field, how it is compared, and with what. */
export function FilterLine({ filter, onChange, ...world }: FilterLineProps) {
  const { t } = useTranslation();
  const { info } = world;
  const { field, operator } = filter;
  const type = info?.fields.find(({ name }) => name === field)?.type;
  const operators = operatorsOf(field, type);
  const fields = (info?.fields ?? []).map(({ name }) => name);
  const isValued = operator !== 'EXISTS' && operator !== 'NOT EXISTS';
  return (
    <>
      <Select
        className={classes.field ?? ''}
        aria-label={t('searches.field')}
        placeholder={t('searches.field')}
        searchable
        allowDeselect={false}
        nothingFoundMessage={t('searches.noField')}
        value={field || null}
        data={[...new Set([...fields, ...(field ? [field] : [])])]}
        onChange={(name) => {
          if (name === null || name === field) return;
          const next = operatorsOf(name, info?.fields.find((one) => one.name === name)?.type);
          onChange({ field: name, operator: next.includes(operator) ? operator : '=' });
        }}
      />
      <Select
        className={classes.operator ?? ''}
        aria-label={t('searches.operator')}
        allowDeselect={false}
        value={operator}
        data={operators.map((value) => ({ value, label: t(`searches.operators.${value}`) }))}
        onChange={(next) => next !== null && onChange(withOperator(filter, next as FilterOperator))}
      />
      {isValued && field !== '' ? (
        <FilterValue {...world} filter={filter} type={type} onChange={onChange} />
      ) : (
        <span className={classes.value} />
      )}
    </>
  );
}

/** A list stays a list, and a single value becomes its first entry. */
function withOperator({ field, value }: FieldFilter, operator: FilterOperator): FieldFilter {
  if (operator === 'EXISTS' || operator === 'NOT EXISTS') return { field, operator };
  if (value === undefined) return { field, operator };
  const isList = operator === 'IN' || operator === 'NOT IN';
  if (isList) return { field, operator, value: Array.isArray(value) ? value : [value] };
  const single = Array.isArray(value) ? value[0] : value;
  return single === undefined ? { field, operator } : { field, operator, value: single };
}

const EQUAL = ['=', '!='] as const;
const ORDER = ['>', '>=', '<', '<='] as const;
const LISTS = ['IN', 'NOT IN'] as const;
const THERE = ['EXISTS', 'NOT EXISTS'] as const;

/** What can be asked of a field; of one that is not known yet, everything. */
function operatorsOf(field: string, type: FieldType | undefined): FilterOperator[] {
  if (field === 'device') return [...EQUAL, ...LISTS];
  switch (type) {
    case 'bool':
      return [...EQUAL, ...THERE];
    case 'date':
      return [...ORDER, ...EQUAL, ...THERE];
    case 'keyword':
      return [...EQUAL, ...LISTS, 'LIKE', ...THERE];
    default:
      return [...EQUAL, ...ORDER, ...LISTS, ...THERE];
  }
}
