import { VisuallyHidden } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLastStateAt } from '../../app/last-state.ts';
import { useNow } from '../../app/now.ts';
import { queryClient } from '../../app/query-client.ts';
import { useConnectionState, useOfflineSince } from '../../app/socket.ts';
import { agoText } from '../../ui/units/durations.ts';
import classes from './shell.module.css';

/** Says how old is what stands on screen while the server cannot be reached. */
export function LastStateBar() {
  const keptAt = useLastStateAt();
  const since = useOfflineSince();
  const isLive = useConnectionState() === 'live';
  const at = keptAt ?? since;
  useEffect(() => {
    if (isLive && keptAt !== null) void queryClient.invalidateQueries();
  }, [isLive, keptAt]);
  // What came from here is asked for again by now.
  if (at === null || isLive) return null;
  return (
    <div className={classes.lastState}>
      <IconCloudOff size={18} aria-hidden="true" />
      <span aria-hidden="true">
        <Age at={at} everyMs={1000} />
      </span>
      {/* Nobody wants to hear it every second. */}
      <VisuallyHidden role="status">
        <Age at={at} everyMs={30_000} />
      </VisuallyHidden>
    </div>
  );
}

function Age({ at, everyMs }: { at: number; everyMs: number }) {
  const { t } = useTranslation();
  const now = useNow(everyMs);
  return t('connection.lastState', { ago: agoText(at, Math.max(now, at + 1000)) });
}
