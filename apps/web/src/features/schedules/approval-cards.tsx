import { kindOfPath } from '@albedo/contract/schedules/schedules.names';
import type { DeviceSchedule } from '@albedo/contract/schedules/schedules.schema';
import { Text } from '@mantine/core';
import { IconUserCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone, notifyFailure } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { useSignedIn } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { formatLongDuration } from '../../ui/units/durations.ts';
import { waitsFor, waitsForAnybody } from './holding.ts';
import { kindText, nameText } from './holding-text.ts';
import { ReasonDialog } from './reason-dialog.tsx';
import classes from './schedules.module.css';
import { decide, withdraw } from './schedules.queries.ts';
import { spanText } from './span-text.ts';
import { useWhyNot } from './use-controlled.ts';
import { WhyButton } from './why-button.tsx';

interface ApprovalCardsProps {
  schedules: readonly DeviceSchedule[];
  zone: string;
  /** What the device is called where several may wait; left out on the pages of one. */
  nameOf?: (deviceId: string) => string;
  /** The page of the schedule is open already. */
  isOpened?: boolean;
}

/** What waits for a second person: theirs to decide, and one's own to withdraw. Nothing where nothing waits. */
export function ApprovalCards({ schedules, zone, nameOf, isOpened = false }: ApprovalCardsProps) {
  const { t } = useTranslation();
  const { user } = useSignedIn();
  const now = useNow(10_000);
  const waiting = schedules
    .filter((one) => waitsForAnybody(one, now))
    .sort((a, b) => Number(waitsFor(b, user.email, now)) - Number(waitsFor(a, user.email, now)));
  if (waiting.length === 0) return null;
  return (
    <ul className={classes.cards} aria-label={t('schedules.waiting.title')}>
      {waiting.map((schedule) => (
        <Card key={schedule._id} schedule={schedule} zone={zone} nameOf={nameOf} isOpened={isOpened} />
      ))}
    </ul>
  );
}

interface CardProps {
  schedule: DeviceSchedule;
  zone: string;
  nameOf: ((deviceId: string) => string) | undefined;
  isOpened: boolean;
}

function Card({ schedule, zone, nameOf, isOpened }: CardProps) {
  const { t } = useTranslation();
  const { user, workgroup: wg } = useSignedIn();
  const now = useNow(10_000);
  const whyNot = useWhyNot();
  const { attempt, isWorking } = useAttempt();
  const [isRefusing, setRefusing] = useState(false);
  const isMine = !waitsFor(schedule, user.email, now);
  const { deviceId, approvableUntil, reason } = schedule;
  const facts = {
    by: schedule.askedBy ?? schedule.editors.at(-1) ?? schedule.author ?? '',
    what: t(`schedules.waiting.asks.${schedule.asks ?? 'apply'}`),
    name: nameText(t, schedule),
    device: nameOf?.(deviceId) ?? '',
    kind: kindText(t, kindOfPath(schedule.setpoint)),
    left: approvableUntil === null ? '' : formatLongDuration(approvableUntil - now),
  };
  const run = (what: () => Promise<unknown>, done: string) =>
    void attempt(async () => {
      try {
        await what();
        notifyDone(t(done, facts));
      } catch (error) {
        notifyFailure(t('schedules.failedOne'), error);
      }
    });
  const place = nameOf ? 'onDevice' : 'here';
  return (
    <li className={classes.card} data-is-mine={isMine}>
      <IconUserCheck size={20} aria-hidden="true" />
      <div className={classes.words}>
        <Text size="sm" fw={600}>
          {t(`schedules.waiting.${isMine ? 'mine' : 'theirs'}.${place}`, facts)}
        </Text>
        <Text size="sm" c="dimmed">
          {[spanText(t, schedule, zone), reason, facts.left ? t('schedules.waiting.left', facts) : null]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </div>
      <div className={classes.cardButtons}>
        {isOpened ? null : (
          <Link
            className={classes.look}
            to="/control/devices/$deviceId/$schedule"
            params={{ deviceId, schedule: schedule._id }}
            data-alone
          >
            {t('schedules.waiting.look')}
          </Link>
        )}
        {isMine ? (
          <WhyButton
            size="xs"
            variant="default"
            why={whyNot}
            loading={isWorking}
            onClick={() => run(() => withdraw(wg, schedule), 'schedules.withdrawn')}
          >
            {t('schedules.withdraw')}
          </WhyButton>
        ) : (
          <>
            <WhyButton size="xs" variant="default" why={whyNot} onClick={() => setRefusing(true)}>
              {t('schedules.refuse')}
            </WhyButton>
            <WhyButton
              size="xs"
              why={whyNot}
              loading={isWorking}
              onClick={() => run(() => decide(wg, schedule, 'approved', ''), 'schedules.approved')}
            >
              {t('schedules.approve')}
            </WhyButton>
          </>
        )}
      </div>
      {isRefusing ? (
        <ReasonDialog
          title={t('schedules.refuseTitle', facts)}
          submit={t('schedules.refuse')}
          onClose={() => setRefusing(false)}
          onSubmit={async (why) => {
            await decide(wg, schedule, 'refused', why);
            notifyDone(t('schedules.refused', facts));
          }}
        />
      ) : null}
    </li>
  );
}
