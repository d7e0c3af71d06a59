import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { serverNow, signOut, useSignedIn } from '../../app/session.ts';

/** Numbers of the specification, document 1, sections 4 and 9. */
const WARN_MS = 600_000;
const UPDATE_MS = 60_000;
const TICK_MS = 1000;
const NOTICE = 'session-countdown';

/** Warns ten minutes before the session ends, counts the minutes, and leaves at zero. */
export function useSessionCountdown(): void {
  const { t } = useTranslation();
  const { user } = useSignedIn();
  useEffect(() => {
    let shownAt = Number.NEGATIVE_INFINITY;
    const tick = () => {
      const now = serverNow();
      const leftMs = user.exp * 1000 - now;
      if (leftMs <= 0) {
        notifications.hide(NOTICE);
        notifications.show({ message: t('session.loggedOut') });
        signOut('expired');
      } else if (leftMs <= WARN_MS && now - shownAt >= UPDATE_MS) {
        const notice = {
          id: NOTICE,
          title: t('session.expiresSoon'),
          message: t('session.minutesLeft', { count: Math.ceil(leftMs / 60_000) }),
          autoClose: false as const,
        };
        if (shownAt < 0) notifications.show(notice);
        else notifications.update(notice);
        shownAt = now;
      }
    };
    tick();
    const timer = setInterval(tick, TICK_MS);
    return () => {
      clearInterval(timer);
      notifications.hide(NOTICE);
    };
  }, [user.exp, t]);
}
