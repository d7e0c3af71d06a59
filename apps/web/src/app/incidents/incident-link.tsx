import type { Incident } from '@albedo/contract/incidents/incidents.schema';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SeverityIcon } from '../../ui/status/severity-mark.tsx';
import classes from './incident-link.module.css';
import { incidentText } from './incident-text.ts';

interface IncidentLinkProps {
  incident: Incident;
  /** The page of incidents opens for the user. */
  mayOpen: boolean;
  /** The sign alone: where there is no room for more, or more is said elsewhere. */
  isSign?: boolean;
  /** Behind the sentence. */
  children?: ReactNode;
}

/** What is wrong with something, as it stands beside it; leads to all of it. */
export function IncidentLink({ incident, mayOpen, isSign = false, children }: IncidentLinkProps) {
  const { t } = useTranslation();
  const text = incidentText(t, incident);
  const label = `${incident.severity.name}: ${text}`;
  const content = (
    <>
      <SeverityIcon severity={incident.severity} size={13} />
      {isSign ? null : <span className={classes.text}>{text}</span>}
      {children ? <span className={classes.more}>{children}</span> : null}
    </>
  );
  const shared = { className: classes.link, title: label, 'data-grave': incident.severity.rank === 0 };
  if (!mayOpen)
    return (
      <span {...shared} {...(isSign ? { role: 'img', 'aria-label': label } : {})}>
        {content}
      </span>
    );
  return (
    <Link
      {...shared}
      {...(isSign ? { 'aria-label': label } : {})}
      to="/alerts"
      search={{ incident: incident._id } as never}
    >
      {content}
    </Link>
  );
}
