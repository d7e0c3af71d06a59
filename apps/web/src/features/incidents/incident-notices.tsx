import type { Incident } from '@albedo/contract/incidents/incidents.schema';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { incidentText } from '../../app/incidents/incident-text.ts';
import {
  incidentsQuery,
  onIncidentsOpened,
  useMayOpenIncidents,
} from '../../app/incidents/incidents-query.ts';
import { notifyWithLink } from '../../app/notice-link.tsx';
import { useWorkgroup } from '../../app/session.ts';

/** So many are told one by one; more at once are one notice. */
const SINGLY = 2;

/** Tells in every open tab of a gravest incident that opens, except where somebody looks at incidents already. */
export function IncidentNotices() {
  const { t } = useTranslation();
  const router = useRouter();
  const mayOpen = useMayOpenIncidents();
  // What opens is known by what was open before.
  useQuery(incidentsQuery(useWorkgroup()));
  useEffect(() => {
    const open = (search: object) => void router.navigate({ to: '/alerts', search: search as never });
    const tell = (message: string, search: object) =>
      notifyWithLink(message, mayOpen ? { text: t('incidents.look'), open: () => open(search) } : null);
    return onIncidentsOpened((opened: readonly Incident[]) => {
      const grave = opened.filter(({ severity, state }) => severity.rank === 0 && state === 'unacknowledged');
      if (grave.length === 0 || router.state.location.pathname === '/alerts') return;
      if (grave.length > SINGLY) tell(t('incidents.manyOpened', { count: grave.length }), {});
      else for (const one of grave) tell(incidentText(t, one), { incident: one._id });
    });
  }, [t, router, mayOpen]);
  return null;
}
