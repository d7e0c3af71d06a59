import type { Gap } from '@albedo/contract/completeness/completeness.schema';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatWhole } from '../../ui/units/numbers.ts';
import classes from './completeness.module.css';
import { gapPeriod, gapSize, gapStream } from './gap-texts.ts';

const FEW_GAPS = 5;

/** Every gap, newest first, with its cause in words. */
export function GapList({ gaps }: { gaps: readonly Gap[] }) {
  const { t } = useTranslation();
  const [areAllShown, setAllShown] = useState(false);
  if (gaps.length === 0) return null;
  const sorted = gaps.toSorted((a, b) => b.reportedAt - a.reportedAt);
  const shown = areAllShown ? sorted : sorted.slice(0, FEW_GAPS);
  const zone = userZone();
  return (
    <section className={classes.part} aria-label={t('completeness.gaps.title')}>
      <h3>
        {t('completeness.gaps.title')} <span className={classes.dim}>{formatWhole(gaps.length)}</span>
      </h3>
      <ul className={classes.list}>
        {shown.map((gap) => (
          <li key={`${gap.from}-${gap.to}-${gap.table}-${gap.source}`}>
            <div className={classes.line}>
              <strong>{t(`completeness.causes.${gap.cause}.title`)}</strong>
              <span>{gapSize(gap)}</span>
              <span className={classes.dim}>{gapStream(gap)}</span>
              <span className={classes.dim}>{gapPeriod(gap, zone)}</span>
            </div>
            <p className={classes.dim}>{t(`completeness.causes.${gap.cause}.text`)}</p>
          </li>
        ))}
      </ul>
      {sorted.length > FEW_GAPS ? (
        <Button variant="subtle" size="xs" onClick={() => setAllShown(!areAllShown)}>
          {areAllShown ? t('completeness.fewer') : t('completeness.gaps.all', { count: sorted.length })}
        </Button>
      ) : null}
    </section>
  );
}
