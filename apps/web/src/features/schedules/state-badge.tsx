import type { DeviceSchedule } from '@albedo/contract/schedules/schedules.schema';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { isOnTrial } from './holding.ts';
import classes from './schedules.module.css';

/** Draft, Pending or Applied, and what a pending one waits for. */
export function StateBadge({ schedule }: { schedule: DeviceSchedule }) {
  const { t } = useTranslation();
  const now = useNow(10_000);
  const { state, step } = schedule;
  const more = isOnTrial(schedule, now) ? t('schedules.onTrial') : step ? t(`schedules.steps.${step}`) : null;
  return (
    <span className={classes.badge} data-state={state}>
      {t(`schedules.states.${state}`)}
      {more ? <span className={classes.step}>{more}</span> : null}
    </span>
  );
}
