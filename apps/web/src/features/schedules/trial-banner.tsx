import type { DeviceSchedule } from '@albedo/contract/schedules/schedules.schema';
import { Text } from '@mantine/core';
import { IconHourglass } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { notifyDone, notifyFailure } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { formatDuration } from '../../ui/units/durations.ts';
import { isOnTrial } from './holding.ts';
import classes from './schedules.module.css';
import { confirmTrial } from './schedules.queries.ts';
import { useWhyNot } from './use-controlled.ts';
import { WhyButton } from './why-button.tsx';

/** What is on trial goes back by itself; how long until then, and the button that keeps it. */
export function TrialBanner({ schedule }: { schedule: DeviceSchedule }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const now = useNow(1000);
  const whyNot = useWhyNot();
  const { attempt, isWorking } = useAttempt();
  if (!isOnTrial(schedule, now)) return null;
  const left = formatDuration((schedule.trialUntil ?? now) - now);
  const confirm = () =>
    attempt(async () => {
      try {
        await confirmTrial(wg, schedule);
        notifyDone(t('schedules.trial.kept'));
      } catch (error) {
        notifyFailure(t('schedules.failedOne'), error);
      }
    });
  return (
    <div className={classes.card}>
      <IconHourglass size={20} aria-hidden="true" />
      <div className={classes.words}>
        <Text size="sm" fw={600} className="tabular">
          {t('schedules.trial.left', { left })}
        </Text>
        <Text size="sm" c="dimmed">
          {t('schedules.trial.text')}
        </Text>
      </div>
      <WhyButton size="xs" why={whyNot} loading={isWorking} onClick={() => void confirm()}>
        {t('schedules.trial.confirm')}
      </WhyButton>
    </div>
  );
}
