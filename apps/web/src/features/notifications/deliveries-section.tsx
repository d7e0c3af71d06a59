import type { Delivery } from '@albedo/contract/notifications/notifications.schema';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import rows from '../../ui/row-list.module.css';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { agoText } from '../../ui/units/durations.ts';
import classes from './notifications.module.css';
import { deliveriesQuery } from './notifications.queries.ts';

/** Shown at once; the older ones are in the API. */
const SHOWN = 8;

/** What went to webhooks, and what still waits; nothing while none has any. */
export function Deliveries() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data, error, refetch } = useQuery(deliveriesQuery(wg));
  if (error)
    return (
      <Section title={t('notifications.deliveries.title')}>
        <ErrorState
          title={t('notifications.deliveries.failed')}
          error={error}
          onRetry={() => void refetch()}
        />
      </Section>
    );
  if (!data || data.length === 0) return null;
  return (
    <Section
      isFlush
      title={t('notifications.deliveries.title')}
      context={t('notifications.deliveries.context')}
    >
      <ul className={rows.list}>
        {data.slice(0, SHOWN).map((one) => (
          <DeliveryRow key={one.id} delivery={one} />
        ))}
      </ul>
    </Section>
  );
}

function DeliveryRow({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation();
  const now = useNow(30_000);
  const { channel, state, createdAt, attempts, error } = delivery;
  return (
    <li className={rows.row}>
      <div className={classes.what}>
        <div>{channel}</div>
        <div className={state === 'delivered' || error === null ? rows.words : classes.failed}>
          {t(`notifications.deliveries.${state}`, { count: attempts, ago: agoText(createdAt, now) })}
          {state === 'delivered' || error === null ? '' : ` ${error}`}
        </div>
      </div>
    </li>
  );
}
