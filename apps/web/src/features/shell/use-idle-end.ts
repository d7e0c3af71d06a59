import { sessionsApi } from '@albedo/contract/sessions/sessions.api';
import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { followActivity, idleMs } from '../../app/activity.ts';
import { call } from '../../app/call.ts';
import { signOut, useSignedIn } from '../../app/session.ts';

const LOOK_EVERY_MS = 5000;

/** Ends the session where a workgroup of the person wants that after so long without a hand at the screen. */
export function useIdleEnd(): void {
  const { t } = useTranslation();
  const { workgroups } = useSignedIn();
  const limits = (workgroups ?? []).flatMap(({ settings }) => {
    const minutes = Number(settings.inactivityMinutes ?? 0);
    return minutes > 0 ? [minutes] : [];
  });
  const limit = limits.length > 0 ? Math.min(...limits) : null;
  useEffect(() => followActivity(), []);
  useEffect(() => {
    if (limit === null) return;
    const timer = setInterval(() => {
      if (idleMs() < limit * 60_000) return;
      clearInterval(timer);
      notifications.show({ message: t('session.idle'), autoClose: false });
      // The server ends it by itself as well.
      void call(sessionsApi.logout, {}).catch(() => null);
      signOut('expired');
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [limit, t]);
}
