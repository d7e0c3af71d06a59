import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { glanceQuery } from '../../app/glance/glance-query.ts';
import { sinceText } from '../../app/glance/glance-text.ts';
import { isTold } from '../../app/incidents/gravity.ts';
import { useIncidents, useMayOpenIncidents } from '../../app/incidents/incidents-query.ts';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import classes from './incidents-strip.module.css';
import { RiskLine } from './risk-line.tsx';

/** What is wrong and what it costs, above the list of devices; if nothing is, since when. */
export function IncidentsStrip() {
  const { t } = useTranslation();
  const { all } = useIncidents();
  const mayOpen = useMayOpenIncidents();
  if (all && !all.some(isTold)) return <Calm />;
  if (!all) return null;
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

/** Nothing for a workgroup that never had an incident. */
function Calm() {
  const { t } = useTranslation();
  const now = useNow(60_000);
  const { data } = useQuery(glanceQuery(useWorkgroup()));
  if (!data || data.calmSince === null) return null;
  return (
    <p className={classes.calm}>
      <LevelIcon mark="ok" size={14} />
      {t('boards.incidents.calm', { since: sinceText(t, data.calmSince, userZone(), now) })}
    </p>
  );
}
