import type { Device } from '@albedo/contract/devices/devices.schema';
import { isOver } from '@albedo/contract/long-actions/long-actions.state';
import { Progress } from '@mantine/core';
import { IconRadar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { longActionsQuery } from '../long-actions/long-actions.queries.ts';
import classes from './schedules.module.css';
import { discover, discovered } from './schedules.queries.ts';
import { useWhyNot } from './use-controlled.ts';
import { WhyButton } from './why-button.tsx';

/** Asks the device for its setpoints, and says how far that is. */
export function DiscoverButton({ device, isFirst }: { device: Device; isFirst: boolean }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const whyNot = useWhyNot();
  const [action, setAction] = useState<string | null>(null);
  const { data: actions } = useQuery({ ...longActionsQuery({ wg }), enabled: action !== null });
  const mine = actions?.find(({ id }) => id === action);
  const isRunning = action !== null && (!mine || !isOver(mine.state));
  const { attempt, isWorking, failure } = useAttempt();
  const ended = mine && isOver(mine.state) ? mine.id : null;
  useEffect(() => {
    if (ended) void discovered(wg);
  }, [ended, wg]);
  const why = whyNot ?? (device.facts.online ? null : t('schedules.discover.offline', { name: device.name }));
  return (
    <div className={classes.discover}>
      <WhyButton
        why={why}
        variant={isFirst ? 'filled' : 'default'}
        leftSection={<IconRadar size={16} />}
        loading={isWorking || isRunning}
        onClick={() => void attempt(async () => setAction(await discover(wg, device.id)))}
      >
        {t('schedules.discover.do')}
      </WhyButton>
      {isRunning ? (
        <Progress
          value={100 * (mine?.progress ?? 0)}
          size="xs"
          animated
          aria-label={t('schedules.discover.progress')}
        />
      ) : null}
      {mine?.state === 'done' && (mine.result as { found?: number } | null)?.found === 0 ? (
        <p className={classes.note} role="status">
          {t('schedules.discover.nothing')}
        </p>
      ) : null}
      <Failure text={failure ?? (mine?.state === 'failed' ? mine.error : null)} />
    </div>
  );
}
