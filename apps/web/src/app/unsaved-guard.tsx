import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from './confirm-dialog.tsx';

/** The end of a session is not held up. */
const NEVER_HELD = ['/session-expired', '/logout', '/login'];

/** Asks before what is not saved is lost. */
export function UnsavedGuard({ isChanged }: { isChanged: boolean }) {
  const { t } = useTranslation();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isChanged && current.pathname !== next.pathname && !NEVER_HELD.includes(next.pathname),
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <ConfirmDialog confirm={t('energyConfig.leave')} onConfirm={async () => proceed()} onClose={reset}>
      {t('energyConfig.leaveText')}
    </ConfirmDialog>
  );
}
