import { type ErrorComponentProps, Outlet, useMatches } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Message } from '../ui/message.tsx';
import { useSession } from './session.ts';

const Notices = lazy(async () => ({ default: (await import('./notices.tsx')).Notices }));

/** Around every screen: it keeps the title of the browser's tab in step with the route. */
export function Root() {
  const { t, i18n } = useTranslation();
  const title = useMatches({ select: (matches) => matches.at(-1)?.staticData.title });
  useEffect(() => {
    document.title = title && i18n.exists(title) ? `${t(title)} · Albedo` : 'Albedo';
  }, [t, i18n, title]);
  return (
    <>
      <Outlet />
      <LaterNotices />
    </>
  );
}

/** Notifications come with the first session and outlive it: its end is one of the things they tell. */
function LaterNotices() {
  const session = useSession();
  const [isNeeded, setNeeded] = useState(session !== null);
  if (session && !isNeeded) setNeeded(true);
  return isNeeded ? (
    <Suspense>
      <Notices />
    </Suspense>
  ) : null;
}

/** What stands in place of a screen that failed to load or to draw. */
export function CrashedScreen({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation();
  return (
    <Message
      title={t('crashed.title')}
      text={error instanceof Error ? error.message : t('crashed.text')}
      action={{ label: t('actions.tryAgain'), onClick: reset }}
    />
  );
}
