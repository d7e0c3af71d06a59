import type { Incident } from '@albedo/contract/incidents/incidents.schema';
import { useTranslation } from 'react-i18next';
import { IncidentLink } from '../../../../app/incidents/incident-link.tsx';
import { useMayOpenIncidents } from '../../../../app/incidents/incidents-query.ts';
import { useBoard } from '../../board-context.ts';

/** What is wrong with what a figure is of: the gravest incident, and how many there are beside it. */
export function WrongHere({ incidents }: { incidents: readonly Incident[] }) {
  const { t } = useTranslation();
  const { isEditing } = useBoard();
  const mayOpen = useMayOpenIncidents();
  const [gravest] = incidents;
  if (!gravest) return null;
  const more = incidents.length - 1;
  return (
    <IncidentLink incident={gravest} mayOpen={mayOpen && !isEditing}>
      {more > 0 ? ` ${t('boards.incidents.more', { count: more })}` : null}
    </IncidentLink>
  );
}
