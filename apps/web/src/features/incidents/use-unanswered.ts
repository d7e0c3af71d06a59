import { useTranslation } from 'react-i18next';
import type { MenuBadge } from '../../app/feature.ts';
import { isUnanswered } from '../../app/incidents/gravity.ts';
import { useIncidents } from '../../app/incidents/incidents-query.ts';
import { formatWhole } from '../../ui/units/numbers.ts';

/** More than this is said so. */
const MOST = 999;

/** How many incidents nobody has acknowledged. */
export function useUnanswered(): MenuBadge | null {
  const { t } = useTranslation();
  const count = useIncidents().all?.filter(isUnanswered).length ?? 0;
  if (count === 0) return null;
  return {
    text: count > MOST ? `${MOST}+` : formatWhole(count),
    title: t('incidents.unanswered', { count }),
  };
}
