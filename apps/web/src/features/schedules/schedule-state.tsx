import { SCHEDULE_STEPS } from '@albedo/contract/schedules/schedules.names';
import type { DeviceSchedule } from '@albedo/contract/schedules/schedules.schema';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { ApprovalCards } from './approval-cards.tsx';
import classes from './schedules.module.css';
import { TrialBanner } from './trial-banner.tsx';

/** Where a schedule is on its way to the device, and why it came back. */
export function ScheduleState({ schedule, zone }: { schedule: DeviceSchedule; zone: string }) {
  const { t } = useTranslation();
  const { state, step, reason, appliedAt, approver } = schedule;
  if (state === 'draft' && reason)
    return (
      <div className={classes.card} data-is-failed role="status">
        <LevelIcon mark="danger" size={20} />
        <div className={classes.words}>
          <Text size="sm" fw={600}>
            {t('schedules.draftAgain')}
          </Text>
          <Text size="sm">{reason}</Text>
        </div>
      </div>
    );
  if (state === 'pending')
    return (
      <>
        <ol className={classes.way} aria-label={t('schedules.way')}>
          {SCHEDULE_STEPS.map((one, index) => {
            const at = step ? SCHEDULE_STEPS.indexOf(step) : 0;
            const how = index < at ? 'done' : index === at ? 'now' : 'later';
            return (
              <li key={one} data-how={how} aria-current={how === 'now' ? 'step' : undefined}>
                {t(`schedules.wayOf.${one}`)}
              </li>
            );
          })}
        </ol>
        {step !== 'approval' && reason ? <p className={classes.note}>{reason}</p> : null}
        <ApprovalCards schedules={[schedule]} zone={zone} isOpened />
      </>
    );
  if (state !== 'applied') return null;
  return (
    <>
      <p className={classes.verdict} role="status">
        <LevelIcon mark="ok" size={16} />
        {appliedAt === null
          ? t('schedules.states.applied')
          : t('schedules.appliedAt', { at: formatInstant(appliedAt, zone, false) })}
        {approver ? ` · ${t('schedules.approvedBy', { approver })}` : null}
      </p>
      <TrialBanner schedule={schedule} />
    </>
  );
}
