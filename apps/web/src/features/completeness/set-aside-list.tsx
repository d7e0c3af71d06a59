import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import { ErrorState } from '../../ui/states.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { formatWhole } from '../../ui/units/numbers.ts';
import classes from './completeness.module.css';
import { quarantineQuery } from './completeness.queries.ts';

/** How many of the newest the server answers. */
const MOST = 100;

interface SetAsideListProps {
  deviceId: string;
  /** How many events the ledger counts as set aside. */
  setAside: number;
}

/** What the device sent and the server could not store, with the reason; nothing while there is none. */
export function SetAsideList({ deviceId, setAside }: SetAsideListProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data, isError, error, refetch } = useQuery(quarantineQuery(wg, deviceId));
  if (isError && setAside > 0) {
    return (
      <ErrorState title={t('completeness.setAside.failed')} error={error} onRetry={() => void refetch()} />
    );
  }
  if (!data || data.length === 0) return null;
  const zone = userZone();
  return (
    <section className={classes.part} aria-label={t('completeness.setAside.title')}>
      <h3>
        {t('completeness.setAside.title')}{' '}
        <span className={classes.dim}>
          {data.length === MOST
            ? t('completeness.setAside.newest', { text: formatWhole(MOST) })
            : formatWhole(data.length)}
        </span>
      </h3>
      <ul className={classes.list}>
        {data.map((one) => (
          <li key={one.id}>
            <details>
              <summary className={classes.line}>
                <strong>{one.reason}</strong>
                <span className={classes.dim}>{formatInstant(one.receivedAt, zone)}</span>
                <span className={classes.dim}>
                  {one.msgIds.length === 0
                    ? t('completeness.setAside.noNumber')
                    : t('completeness.events', {
                        count: one.msgIds.length,
                        text: formatWhole(one.msgIds.length),
                      })}
                </span>
              </summary>
              <p className={classes.dim}>{t('completeness.setAside.sentTo', { topic: one.topic })}</p>
              <pre className={classes.sample}>{one.sample}</pre>
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}
