import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { isTold } from '../../app/incidents/gravity.ts';
import { useIncidents, useMayOpenIncidents } from '../../app/incidents/incidents-query.ts';
import classes from './incidents-strip.module.css';
import { RiskLine } from './risk-line.tsx';

/** What is wrong and what it costs, above the list of devices; nothing where nothing is. */
export function IncidentsStrip() {
  const { t } = useTranslation();
  const { all } = useIncidents();
  const mayOpen = useMayOpenIncidents();
  if (!all?.some(isTold)) return null;
  const line = <RiskLine incidents={all} />;
  if (!mayOpen) return <div className={classes.strip}>{line}</div>;
  return (
    <section aria-label={t('incidents.strip')}>
      <Link to="/alerts" className={classes.strip}>
        {line}
        <span className={classes.go}>{t('incidents.look')}</span>
      </Link>
    </section>
  );
}
