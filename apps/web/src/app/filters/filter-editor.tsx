import { FILTERS_DEEP, type FieldFilter, type SearchFilter } from '@albedo/contract/telemetry/search.schema';
import { Button, CloseButton, SegmentedControl } from '@mantine/core';
import { IconFilterPlus, IconParentheses } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FilterLine } from './filter-line.tsx';
import type { FilterWorld } from './filter-value.tsx';
import classes from './filters.module.css';
import { isFieldFilter } from './filters.ts';

export type FilterGroup = Exclude<SearchFilter, FieldFilter>;

interface FilterEditorProps extends FilterWorld {
  group: FilterGroup;
  onChange: (group: FilterGroup) => void;
  /** What the filters are for; 'Filters' without it. */
  label?: string;
}

const EMPTY = { field: '', operator: '=' } as const;

/** Filters of a table, one line each or in brackets, and whether all of them have to hold. */
export function FilterEditor({ group, onChange, label, ...world }: FilterEditorProps) {
  const { t } = useTranslation();
  return (
    <fieldset className={classes.filters}>
      <legend className={classes.unseen}>{label ?? t('searches.filters')}</legend>
      <GroupLines
        group={group}
        depth={0}
        onChange={onChange}
        line={(filter, put) => <FilterLine {...world} filter={filter} onChange={put} />}
      />
    </fieldset>
  );
}

interface GroupLinesProps {
  group: FilterGroup;
  depth: number;
  onChange: (group: FilterGroup) => void;
  line: (filter: FieldFilter, put: (next: SearchFilter) => void) => ReactNode;
}

/** The lines of a group, below them what adds to it. Groups stand in groups as deep as the server reads them. */
function GroupLines({ group, depth, onChange, line }: GroupLinesProps) {
  const { t } = useTranslation();
  const { operator, filters } = group;
  const put = (at: number, filter: SearchFilter | null) =>
    onChange({ ...group, filters: filters.flatMap((one, i) => (i === at ? (filter ?? []) : one)) });
  const add = (filter: SearchFilter) => onChange({ ...group, filters: [...filters, filter] });
  return (
    <>
      {filters.map((filter, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: filters have nothing else that tells them apart while they change.
        <div key={at} className={classes.filter}>
          {isFieldFilter(filter) ? (
            line(filter, (next) => put(at, next))
          ) : (
            <fieldset className={classes.group}>
              <legend className={classes.unseen}>{t('searches.group')}</legend>
              <GroupLines
                group={filter}
                depth={depth + 1}
                onChange={(next) => put(at, next.filters.length === 0 ? null : next)}
                line={line}
              />
            </fieldset>
          )}
          <CloseButton
            aria-label={t(isFieldFilter(filter) ? 'searches.removeFilter' : 'searches.removeGroup', {
              number: at + 1,
            })}
            onClick={() => put(at, null)}
          />
        </div>
      ))}
      <div className={classes.filterTools}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconFilterPlus size={15} />}
          onClick={() => add({ ...EMPTY })}
        >
          {t('searches.addFilter')}
        </Button>
        {depth < FILTERS_DEEP && filters.length > 0 ? (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconParentheses size={15} />}
            onClick={() => add({ operator: operator === 'OR' ? 'AND' : 'OR', filters: [{ ...EMPTY }] })}
          >
            {t('searches.addGroup')}
          </Button>
        ) : null}
        {filters.length > 1 ? (
          <SegmentedControl
            size="xs"
            aria-label={t('searches.match')}
            value={operator}
            onChange={(next) => onChange({ ...group, operator: next === 'OR' ? 'OR' : 'AND' })}
            data={[
              { value: 'AND', label: t('searches.matchAll') },
              { value: 'OR', label: t('searches.matchAny') },
            ]}
          />
        ) : null}
      </div>
    </>
  );
}
