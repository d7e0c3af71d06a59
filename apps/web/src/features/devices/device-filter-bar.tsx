import { Button } from '@mantine/core';
import { IconFilter, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FilterChip } from '../../ui/filter-chip.tsx';
import { LaterPopover } from '../../ui/later-popover.tsx';
import { LevelIcon, type Mark } from '../../ui/status/level-icon.tsx';
import classes from './device-filter-bar.module.css';
import {
  type DeviceFilters,
  FILTER_GROUPS,
  FILTER_IDS,
  type FilterGroup,
  type FilterId,
} from './device-filters.ts';

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
  'config.differs': 'warning',
  'quarantine.yes': 'held',
};

/** One button that opens all filters with their counts, and beside it those that are on. */
export function FilterBar({ filters, counts, onChange }: FilterBarProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const set = (id: FilterId, mode: 'include' | 'exclude' | null) => {
    const { [id]: _, ...others } = filters;
    onChange(mode === null ? others : { ...filters, [id]: mode });
  };
  const iconOf = (id: FilterId) => {
    const mark = MARKS[id];
    return mark ? <LevelIcon mark={mark} size={12} /> : null;
  };
  const chip = (id: FilterId) => (
    <FilterChip
      key={id}
      label={t(`devices.filters.${id}`)}
      count={counts[id]}
      icon={iconOf(id)}
      mode={filters[id] ?? null}
      onChange={(mode) => set(id, mode)}
    />
  );
  const idsOf = (group: FilterGroup) => FILTER_GROUPS[group].map((value) => `${group}.${value}` as FilterId);
  const active = FILTER_IDS.filter((id) => filters[id]);
  return (
    <div className={classes.bar}>
      <LaterPopover
        isOpen={isOpen}
        onChange={setOpen}
        position="bottom-start"
        label={t('devices.filter')}
        className={classes.choice}
        button={
          <Button
            variant="default"
            leftSection={<IconFilter size={16} aria-hidden="true" />}
            onClick={() => setOpen(!isOpen)}
          >
            {active.length > 0 ? t('devices.filterOf', { count: active.length }) : t('devices.filter')}
          </Button>
        }
      >
        {() => (
          <>
            {(Object.keys(FILTER_GROUPS) as FilterGroup[]).map((group) => (
              <fieldset key={group} className={classes.group}>
                <legend>{t(`devices.filterGroups.${group}`)}</legend>
                {idsOf(group).map(chip)}
              </fieldset>
            ))}
            <fieldset className={classes.group}>
              <legend>{t('devices.filterGroups.unused')}</legend>
              {chip('unused')}
            </fieldset>
          </>
        )}
      </LaterPopover>
      {active.map((id) => {
        const label = t(`devices.filters.${id}`);
        const words = filters[id] === 'exclude' ? t('devices.not', { label }) : label;
        return (
          <button
            key={id}
            type="button"
            className={classes.active}
            aria-label={t('devices.takeAway', { filter: words })}
            onClick={() => set(id, null)}
          >
            {iconOf(id)}
            {words}
            <IconX size={13} aria-hidden="true" />
          </button>
        );
      })}
      {active.length > 1 ? (
        <Button variant="subtle" size="compact-sm" onClick={() => onChange({})}>
          {t('devices.clearFilters')}
        </Button>
      ) : null}
    </div>
  );
}
