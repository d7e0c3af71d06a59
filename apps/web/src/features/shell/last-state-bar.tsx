import { IconCloudOff } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLastStateAt } from '../../app/last-state.ts';
import { useNow } from '../../app/now.ts';
import { queryClient } from '../../app/query-client.ts';
import { useConnectionState } from '../../app/socket.ts';
import { agoText } from '../../ui/units/durations.ts';
import classes from './shell.module.css';

/** Says how old is what stands on screen while the server cannot be reached. */
export function LastStateBar() {
  const { t } = useTranslation();
  const at = useLastStateAt();
  const now = useNow(30_000);
  const isLive = useConnectionState() === 'live';
  const isOld = at !== null;
  useEffect(() => {
    if (isLive && isOld) void queryClient.invalidateQueries();
  }, [isLive, isOld]);
  if (at === null) return null;
  return (
    <div className={classes.lastState} role="status">
      <IconCloudOff size={18} aria-hidden="true" />
      {t('connection.lastState', { ago: agoText(at, now) })}
    </div>
  );
}
