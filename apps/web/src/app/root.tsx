import { type ErrorComponentProps, Outlet, useMatches, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { closeCsv, useCsvAsk } from '../ui/csv/csv-ask.ts';
import { Message } from '../ui/message.tsx';
import { whenShown } from './in-pieces.ts';
import { openInside } from './inside.ts';
import { useLooks } from './looks.ts';
import { useNoticesWanted } from './notices-wanted.ts';
import { useSession } from './session.ts';
import { isRecovering, isStaleAsset, reloadOnce } from './stale-assets.ts';
import { UpdateNotice } from './update-notice.tsx';
import { useLoadedAhead } from './use-loaded-ahead.ts';

const CsvDialog = lazy(async () => ({ default: (await import('./csv/csv-dialog.tsx')).CsvDialog }));
const loadNotices = async () => ({ default: (await import('./notices.tsx')).Notices });
const Notices = lazy(loadNotices);

/** Around every screen: it keeps the title of the browser's tab in step with the route. */
export function Root() {
  const { t } = useTranslation();
  const title = useMatches({ select: (matches) => matches.at(-1)?.staticData.title });
  const looks = useLooks();
  useEffect(() => {
    // Asked for rather than looked for: the name of some screens comes after they are drawn.
    const name = title ? t(title, { defaultValue: '' }) : '';
    document.title = name === '' ? looks.title : `${name} · ${looks.title}`;
  }, [t, title, looks.title]);
  useEffect(() => showFavicon(looks.favicon), [looks.favicon]);
  return (
    <>
      <Outlet />
      <LaterNotices />
      <UpdateNotice />
      <AskedCsv />
    </>
  );
}

/** The one dialog for files of CSV. */
function AskedCsv() {
  const ask = useCsvAsk();
  return ask ? (
    <Suspense>
      <CsvDialog ask={ask} onClose={closeCsv} />
    </Suspense>
  ) : null;
}

/** Puts the brand's icon into the browser's tab, or the product's own. */
function showFavicon(address: string | null): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (!icon) return;
  // Without a type the browser looks at the image itself.
  icon.removeAttribute('type');
  icon.href = address ?? '/favicon.svg';
}

/** Notifications come after the first screen of a session and outlive it: its end is one of the things they tell. */
function LaterNotices() {
  const isSignedIn = useSession() !== null;
  const [isDue, setDue] = useState(false);
  const isWanted = useNoticesWanted();
  useEffect(() => (isSignedIn ? whenShown(() => setDue(true)) : undefined), [isSignedIn]);
  const isLoaded = useLoadedAhead(loadNotices, isDue);
  return isWanted || isLoaded ? (
    <Suspense>
      <Notices />
    </Suspense>
  ) : null;
}

/** What stands in place of a screen that failed to load or to draw. */
export function CrashedScreen({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation();
  const router = useRouter();
  const isUnreachable = error instanceof Error && isStaleAsset(error);
  // Opened while it was still being loaded ahead, it failed unnoticed.
  useState(() => isUnreachable && !isRecovering() && reloadOnce());
  useEffect(() => void (isRecovering() || report(error)), [error]);
  if (isRecovering()) return null;
  function tryAgain() {
    // Some browsers remember what they failed to load until the page is reloaded.
    if (isUnreachable && navigator.onLine) return window.location.reload();
    void router.invalidate().then(reset);
  }
  return (
    <Message
      title={t('crashed.title')}
      text={isUnreachable ? t('crashed.unreachable') : textOf(error, t('crashed.text'))}
      action={{ label: t('actions.tryAgain'), onClick: tryAgain }}
    />
  );
}

const textOf = (error: unknown, fallback: string): string =>
  error instanceof Error ? error.message : fallback;

/** Loaded when it is needed, which it should never be. */
async function report(error: unknown): Promise<void> {
  const features = await openInside().catch(() => []);
  await Promise.all(features.map((one) => one.report?.(error, 'screen')));
}
