import type { SessionInfo } from '@albedo/contract/sessions/sessions.schema';
import { Badge, Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { agoText } from '../../ui/units/durations.ts';
import classes from './accounts.module.css';
import { endSession, sessionsQuery } from './accounts.queries.ts';
import { browserOf } from './browser-of.ts';

/** The sessions of the person, each with the browser, the address and when it was used; others can be ended. */
export function SessionList() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(sessionsQuery);
  if (error)
    return <ErrorState title={t('profile.sessionsFailed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={60} />;
  return (
    <>
      <ul className={classes.sessions} aria-label={t('profile.sessions')}>
        {data.sessions.map((one) => (
          <SessionItem key={one.id} session={one} />
        ))}
      </ul>
      {data.idleMinutes === null ? null : <p>{t('profile.idleMinutes', { count: data.idleMinutes })}</p>}
    </>
  );
}

function SessionItem({ session }: { session: SessionInfo }) {
  const { t } = useTranslation();
  const now = useNow(60_000);
  const { attempt, isWorking, failure } = useAttempt();
  const end = () =>
    attempt(async () => {
      await endSession(session.id);
      notifyDone(t('profile.sessionEnded'));
    });
  return (
    <li>
      <div>
        <strong>{browserOf(session.agent) ?? t('profile.unknownBrowser')}</strong>{' '}
        {session.isOwn ? <Badge variant="light">{t('profile.thisSession')}</Badge> : null}
        <p>
          {t('profile.sessionLine', {
            address: session.address,
            since: formatInstant(session.createdAt, userZone(), false),
            ago: agoText(session.seenAt, now),
          })}
        </p>
        <Failure text={failure} />
      </div>
      {session.isOwn ? null : (
        <Button variant="default" size="xs" loading={isWorking} onClick={() => void end()}>
          {t('profile.endSession')}
        </Button>
      )}
    </li>
  );
}
