import type { Incident } from '@albedo/contract/incidents/incidents.schema';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { costText, moreText } from '../../app/incidents/cost-text.ts';
import { countBySeverity, isTold, riskOf } from '../../app/incidents/gravity.ts';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { SeverityIcon } from '../../ui/status/severity-mark.tsx';
import { formatWhole } from '../../ui/units/numbers.ts';
import classes from './incidents.module.css';

/** What is wrong in one line: how many of each severity, and what they cost. */
export function RiskLine({ incidents }: { incidents: readonly Incident[] }) {
  const { t } = useTranslation();
  const reported = useMemo(() => incidents.filter(isTold), [incidents]);
  const risk = riskOf(reported);
  if (reported.length === 0) {
    return (
      <span className={classes.risk}>
        <span>
          <LevelIcon mark="ok" size={13} /> {t('incidents.nothing')}
        </span>
      </span>
    );
  }
  const cost = costText(t, risk);
  const more = moreText(t, risk);
  return (
    <span className={classes.risk}>
      {countBySeverity(reported).map(({ severity, count }) => (
        <span key={severity.id}>
          <SeverityIcon severity={severity} size={13} />
          {`${formatWhole(count)} ${severity.name}`}
        </span>
      ))}
      <span>{cost === '' ? t('incidents.cost.unknown') : [cost, more].filter(Boolean).join(', ')}</span>
    </span>
  );
}
