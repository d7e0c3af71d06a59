import { Select } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { browserZone } from '../../ui/time-range/time-zone.ts';
import { ZoneSelect } from '../../ui/time-range/zone-select.tsx';
import classes from './energy-config.module.css';

const CLOCKS = ['device', 'own', 'utc', 'zone'] as const;
type ClockKind = (typeof CLOCKS)[number];

interface DayClockProps {
  value: string;
  error: string | undefined;
  isDisabled?: boolean;
  onChange: (timezone: string) => void;
}

/** By whose clock a day begins; one's own zone is kept by its name, for everybody. */
export function DayClock({ value, error, isDisabled = false, onChange }: DayClockProps) {
  const { t } = useTranslation();
  /** What it was when the clock of a zone was wanted; until one is chosen nothing else is said. */
  const [choosingOver, setChoosingOver] = useState<string | null>(null);
  const own = browserZone();
  const said: ClockKind =
    value === 'device' ? 'device' : value === 'UTC' ? 'utc' : value === own ? 'own' : 'zone';
  const kind = choosingOver === value ? 'zone' : said;
  const choose = (next: ClockKind) => {
    setChoosingOver(next === 'zone' ? value : null);
    if (next !== 'zone') onChange({ device: 'device', utc: 'UTC', own }[next]);
  };
  return (
    <div className={classes.pair}>
      <Select
        aria-label={t('energyConfig.dayClock')}
        allowDeselect={false}
        data={CLOCKS.map((one) => ({ value: one, label: t(`energyConfig.clocks.${one}`, { zone: own }) }))}
        value={kind}
        error={error}
        disabled={isDisabled}
        onChange={(next) => next && choose(next as ClockKind)}
      />
      {kind === 'zone' ? (
        <ZoneSelect
          value={said === 'device' ? '' : value}
          select={{
            disabled: isDisabled,
            ...(said === 'zone' ? {} : { value: null, placeholder: t('time.zone') }),
          }}
          onChange={(zone) => onChange(zone === 'utc' ? 'UTC' : zone === 'local' ? own : zone)}
        />
      ) : null}
    </div>
  );
}
