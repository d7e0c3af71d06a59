import type { Incident } from '@albedo/contract/incidents/incidents.schema';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { isUnanswered } from '../../app/incidents/gravity.ts';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import classes from './incidents.module.css';

/** How an incident stands: who took it, until when it is silent, why it is over. */
export function stateText(t: TFunction, incident: Incident): string {
  const { state, condition, acknowledgedBy, shelvedUntil, closeReason, causedBy } = incident;
  if (state === 'closed') return t(`incidents.closed.${closeReason ?? 'cleared'}`);
  if (state === 'acknowledged') {
    const by = acknowledgedBy.at(-1);
    return by === undefined ? t('incidents.states.acknowledged') : t('incidents.states.takenBy', { by });
  }
  if (state === 'shelved' && shelvedUntil !== null)
    return t('incidents.states.shelvedUntil', { until: formatInstant(shelvedUntil, userZone(), false) });
  if (state === 'suppressed' && causedBy !== null) return t('incidents.states.consequence');
  const said = t(`incidents.states.${state}`);
  return condition === 'unknown' ? t('incidents.states.unknown', { state: said }) : said;
}

/** The same; what waits for somebody stands out. */
export function StateText({ incident }: { incident: Incident }) {
  const { t } = useTranslation();
  const text = stateText(t, incident);
  return (
    <span className={classes.state} data-waiting={isUnanswered(incident)} title={text}>
      {text}
    </span>
  );
}
