import { type ComboboxItem, Select, type SelectProps } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { browserZone, selectedZone } from './time-zone.ts';
import { isMeant, todaysName, zoneNames } from './zone-names.ts';

interface ZoneSelectProps {
  /** A zone's name, `utc`, `local`, or empty for what the profile says. */
  value: string;
  onChange: (value: string) => void;
  /** The choice of what the profile says is offered too. */
  withProfile?: boolean;
  select?: Partial<SelectProps>;
}

/** All time zones, found by a part of a region or a city. */
export function ZoneSelect({ value, onChange, withProfile = false, select }: ZoneSelectProps) {
  const { t } = useTranslation();
  const named = todaysName(value) || (withProfile ? PROFILE : 'local');
  const shown = named === 'UTC' ? 'utc' : named;
  const data = useMemo(() => {
    const known = [
      ...(withProfile ? [{ value: PROFILE, label: t('time.profileZone', { zone: selectedZone() }) }] : []),
      { value: 'local', label: t('time.local', { zone: browserZone() }) },
      { value: 'utc', label: t('time.utc') },
      ...zoneNames().map((name) => ({ value: name, label: name.replaceAll('_', ' ') })),
    ];
    // Clocks go by more names than browsers list, such as `Etc/GMT-3`.
    return known.some((one) => one.value === shown) ? known : [...known, { value: shown, label: shown }];
  }, [t, withProfile, shown]);
  return (
    <Select
      size="sm"
      searchable
      {...(select?.label ? {} : { 'aria-label': t('time.zone') })}
      value={shown}
      allowDeselect={false}
      nothingFoundMessage={t('time.noSuchZone')}
      filter={({ options, search }) =>
        (options as ComboboxItem[]).filter(
          ({ value: zone, label }) => isMeant(label, search) || isMeant(zone, search),
        )
      }
      data={data}
      onChange={(next) => next !== null && onChange(next === PROFILE ? '' : next)}
      {...select}
    />
  );
}

/** An empty value would be none for the field. */
const PROFILE = 'profile';
