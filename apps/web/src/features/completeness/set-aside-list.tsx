import { useQuery } from '@tanstack/react-query';
import { useWorkgroup } from '../../app/session.ts';
import { ErrorState } from '../../ui/states.tsx';
import { browserZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { formatWhole } from '../../ui/units/numbers.ts';
import classes from './completeness.module.css';
import { quarantineQuery } from './completeness.queries.ts';

interface SetAsideListProps {
  deviceId: string;
  /** How many events the ledger counts as set aside. */
  setAside: number;
}

/** What the device sent and the server could not store, with the reason; nothing while there is none. */
export function SetAsideList({ deviceId, setAside }: SetAsideListProps) {
  const wg = useWorkgroup();
  const { data, isError, error, refetch } = useQuery(quarantineQuery(wg, deviceId));
  if (isError && setAside > 0) {
    return (
      <ErrorState
        title="The messages set aside could not be loaded"
        error={error}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!data || data.length === 0) return null;
  const zone = browserZone();
  return (
    <section className={classes.part} aria-label="Set aside">
      <h3>
        Set aside <span className={classes.dim}>{data.length === 100 ? 'newest 100' : data.length}</span>
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
                    ? 'no event number could be read'
                    : `${formatWhole(one.msgIds.length)} ${one.msgIds.length === 1 ? 'event' : 'events'}`}
                </span>
              </summary>
              <p className={classes.dim}>Sent to {one.topic}</p>
              <pre className={classes.sample}>{one.sample}</pre>
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}
