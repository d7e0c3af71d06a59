import { useTranslation } from 'react-i18next';
import { FilterChip } from '../../ui/filter-chip.tsx';
import { LevelIcon, type Mark } from '../../ui/status/level-icon.tsx';
import { type DeviceFilters, FILTER_GROUPS, type FilterGroup, type FilterId } from './device-filters.ts';
import classes from './devices.module.css';

interface FilterBarProps {
  filters: DeviceFilters;
  counts: Record<FilterId, number>;
  onChange: (filters: DeviceFilters) => void;
}

const MARKS: Partial<Record<FilterId, Mark>> = {
  'status.online': 'online',
  'status.offline': 'offline',
  'health.ok': 'ok',
  'health.warning': 'warning',
  'health.danger': 'danger',
};

/** A chip for every state, whether devices have it now or not, so that the filters do not come and go. */
export function FilterBar({ filters, counts, onChange }: FilterBarProps) {
  const { t } = useTranslation();
  const chip = (id: FilterId) => {
    const mark = MARKS[id];
    return (
      <FilterChip
        key={id}
        label={t(`devices.filters.${id}`)}
        count={counts[id]}
        icon={mark ? <LevelIcon mark={mark} size={12} /> : null}
        mode={filters[id] ?? null}
        onChange={(mode) => {
          const { [id]: _, ...others } = filters;
          onChange(mode === null ? others : { ...filters, [id]: mode });
        }}
      />
    );
  };
  const idsOf = (group: FilterGroup) => FILTER_GROUPS[group].map((value) => `${group}.${value}` as FilterId);
  return (
    <div className={classes.filters}>
      {(Object.keys(FILTER_GROUPS) as FilterGroup[]).map((group) => (
        <fieldset key={group} className={classes.group} aria-label={t(`devices.filterGroups.${group}`)}>
          {idsOf(group).map(chip)}
        </fieldset>
      ))}
      {chip('unused')}
    </div>
  );
}
