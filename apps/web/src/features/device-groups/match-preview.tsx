import type { Composition } from '@albedo/contract/device-groups/device-groups.schema';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import { messageOf } from '../../ui/message-of.ts';
import { deviceListQuery } from '../devices/devices.queries.ts';
import classes from './device-groups.module.css';
import { matchesQuery } from './device-groups.queries.ts';

const WAIT_MS = 200;
const NAMED = 8;

/** Which devices a composition has now, as the server sees it; null where it is not complete yet. */
export function MatchPreview({ composition }: { composition: Composition | null }) {
  const { t } = useTranslation();
  return (
    <div className={classes.preview} aria-live="polite">
      <span className={classes.label}>{t('deviceGroups.preview')}</span>
      {composition ? <Matches composition={composition} /> : <span>{t('deviceGroups.incomplete')}</span>}
    </div>
  );
}

function Matches({ composition }: { composition: Composition }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [settled] = useDebouncedValue(composition, WAIT_MS);
  const { data: ids, error } = useQuery(matchesQuery(wg, settled));
  const { data: devices } = useQuery(deviceListQuery(wg));
  const names = useMemo(() => {
    const byId = new Map(devices?.map(({ id, name }) => [id, name]));
    return (ids ?? []).slice(0, NAMED).map((id) => byId.get(id) ?? id);
  }, [ids, devices]);
  if (error) return <span className={classes.failure}>{messageOf(error)}</span>;
  if (!ids) return <span>{t('states.loading')}</span>;
  const more = ids.length - names.length;
  return (
    <>
      <strong>{t('deviceGroups.deviceCount', { count: ids.length })}</strong>
      <span className={classes.names}>
        {names.join(', ')}
        {more > 0 ? ` ${t('deviceGroups.more', { count: more })}` : ''}
      </span>
    </>
  );
}
