import type { FieldFilter, FilterOperator, SearchFilter } from '@albedo/contract/telemetry/search.schema';
import type { FieldType, TableInfo } from '@albedo/contract/telemetry/telemetry.schema';
import { Button, CloseButton, SegmentedControl, Select } from '@mantine/core';
import { IconFilterPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import { tableQuery } from '../telemetry/telemetry.queries.ts';
import { FilterValue } from './filter-value.tsx';
import { isFieldFilter, type SearchDraft } from './search-draft.ts';
import classes from './searches.module.css';

interface FilterEditorProps {
  draft: SearchDraft;
  table: string;
  onChange: (change: Partial<SearchDraft>) => void;
}

/** The filters of a search, one line each, and whether all of them have to hold. */
export function FilterEditor({ draft, table, onChange }: FilterEditorProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: info } = useQuery({ ...tableQuery(wg, table), retry: false });
  const { filters } = draft;
  const put = (at: number, filter: SearchFilter | null) =>
    onChange({ filters: filters.flatMap((one, i) => (i === at ? (filter ?? []) : one)) });
  return (
    <fieldset className={classes.filters}>
      <legend className={classes.unseen}>{t('searches.filters')}</legend>
      {filters.map((filter, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: filters have nothing else that tells them apart while they change.
        <div key={at} className={classes.filter}>
          {isFieldFilter(filter) ? (
            <FilterLine
              filter={filter}
              info={info}
              draft={draft}
              table={table}
              onChange={(next) => put(at, next)}
            />
          ) : (
            <span className={classes.group}>{groupText(t, filter)}</span>
          )}
          <CloseButton
            aria-label={t('searches.removeFilter', { number: at + 1 })}
            onClick={() => put(at, null)}
          />
        </div>
      ))}
      <div className={classes.filterTools}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconFilterPlus size={15} />}
          onClick={() => onChange({ filters: [...filters, { field: '', operator: '=' }] })}
        >
          {t('searches.addFilter')}
        </Button>
        {filters.length > 1 ? (
          <SegmentedControl
            size="xs"
            aria-label={t('searches.match')}
            value={draft.filterOperator}
            onChange={(filterOperator) =>
              onChange({ filterOperator: filterOperator === 'OR' ? 'OR' : 'AND' })
            }
            data={[
              { value: 'AND', label: t('searches.matchAll') },
              { value: 'OR', label: t('searches.matchAny') },
            ]}
          />
        ) : null}
      </div>
    </fieldset>
  );
}

/** Filters in brackets come from programs; people see what they say. */
function groupText(
  t: (key: string) => string,
  { operator, filters }: Exclude<SearchFilter, FieldFilter>,
): string {
  const parts = filters.map((one) =>
    isFieldFilter(one)
      ? `${one.field} ${t(`searches.operators.${one.operator}`)} ${[one.value ?? ''].flat().join(', ')}`.trim()
      : `(${groupText(t, one)})`,
  );
  return parts.join(` ${t(`searches.joins.${operator}`)} `);
}

interface FilterLineProps {
  filter: FieldFilter;
  info: TableInfo | undefined;
  draft: SearchDraft;
  table: string;
  onChange: (filter: FieldFilter) => void;
}

function FilterLine({ filter, info, draft, table, onChange }: FilterLineProps) {
  const { t } = useTranslation();
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
        <FilterValue
          filter={filter}
          type={type}
          info={info}
          draft={draft}
          table={table}
          onChange={onChange}
        />
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
