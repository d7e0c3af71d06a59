import type { IncidentDetail, IncidentTransition } from '@albedo/contract/incidents/incidents.schema';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { readingText } from '../../app/incidents/incident-text.ts';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatClock, formatDay } from '../../ui/time-range/zoned-time.ts';
import classes from './incidents.module.css';

/** What happened to an incident, the newest first, day by day. */
export function Timeline({ incident }: { incident: IncidentDetail }) {
  const { t } = useTranslation();
  const zone = userZone();
  const { timeline, reading } = incident;
  const steps = timeline.toReversed();
  return (
    <ol className={classes.timeline}>
      {steps.map((step, at) => {
        const day = formatDay(step.at, zone, 'dayOfYear');
        const before = steps[at - 1];
        const isNewDay = before === undefined || formatDay(before.at, zone, 'dayOfYear') !== day;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are only added, and nothing else tells two of one moment apart.
          <li key={timeline.length - at} data-action={step.action}>
            <time dateTime={new Date(step.at).toISOString()}>
              {isNewDay ? <small className={classes.day}>{day}</small> : null}
              {formatClock(step.at, zone, true)}
            </time>
            <span>
              {stepText(t, step, reading.units)}
              {step.text !== null && step.text !== '' && !SAYS_TEXT.has(step.action) ? (
                <q>{step.text}</q>
              ) : null}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

/** The text of these is part of their sentence: whom a message went to. */
const SAYS_TEXT = new Set<IncidentTransition['action']>(['delivered', 'undelivered', 'escalated']);

/** A step as a sentence: who did it, and what was read then. */
function stepText(
  t: TFunction,
  { action, by, value, text }: IncidentTransition,
  units: string | null,
): string {
  const facts = { by: by ?? t('incidents.steps.product'), to: text ?? '' };
  const sentence = t(`incidents.steps.${action}`, facts);
  return value === null ? sentence : `${sentence} (${readingText(value, units)})`;
}
