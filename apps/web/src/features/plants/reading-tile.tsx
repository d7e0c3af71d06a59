import type { Reading } from '@albedo/contract/plants/plant-reading';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { agoText } from '../../ui/units/durations.ts';
import { NO_VALUE } from '../../ui/units/numbers.ts';
import { shownValue } from '../../ui/units/units.ts';
import classes from './plant.module.css';

interface ReadingTileProps {
  title: string;
  reading: Reading;
  units: string;
  now: number;
  /** Below the number. */
  children?: ReactNode;
}

/** One value of now with its age; a dash with its reason where there is none. */
export function ReadingTile({ title, reading, units, now, children }: ReadingTileProps) {
  const { t } = useTranslation();
  const { number, unit } = shownValue(reading.value, units);
  const isSilent = reading.missing === 'silent' && reading.at !== null;
  return (
    <div className={classes.tile}>
      <div className={classes.tileTitle}>
        {title}
        {reading.value === null ? null : <span className={classes.age}>{agoText(reading.at, now)}</span>}
      </div>
      <div className={classes.tileValue}>
        {number}
        {unit === '' ? null : <small>{unit}</small>}
      </div>
      {reading.value === null ? (
        <div className={classes.note} data-mark={isSilent ? 'danger' : 'unknown'}>
          <LevelIcon mark={isSilent ? 'danger' : 'unknown'} size={12} />
          {isSilent
            ? t('plants.missing.silent', { ago: agoText(reading.at ?? now, now) })
            : t('plants.missing.noSource')}
        </div>
      ) : (
        children
      )}
    </div>
  );
}

/** A figure of the whole day, which has no age of its own. */
export function DayTile({
  title,
  value,
  units,
  context,
  isArriving,
  children,
}: {
  title: string;
  value: number | null;
  units: string;
  context: string;
  /** Part of the day is still being filled in. */
  isArriving: boolean;
  children?: ReactNode;
}) {
  const { t } = useTranslation();
  const { number, unit } = value === null ? { number: NO_VALUE, unit: '' } : shownValue(value, units);
  return (
    <div className={classes.tile}>
      <div className={classes.tileTitle}>
        {title}
        <span className={classes.age}>{context}</span>
      </div>
      <div className={classes.tileValue}>
        {number}
        {unit === '' ? null : <small>{unit}</small>}
      </div>
      {value === null ? (
        <div className={classes.note} data-mark="unknown">
          <LevelIcon mark="unknown" size={12} />
          {t(isArriving ? 'demo.arriving' : 'plants.missing.today')}
        </div>
      ) : (
        children
      )}
    </div>
  );
}
