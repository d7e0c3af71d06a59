import type { Completeness } from '@albedo/contract/completeness/completeness.schema';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { agoText } from '../../ui/units/durations.ts';
import { formatWhole } from '../../ui/units/numbers.ts';
import classes from './completeness.module.css';
import { hasTwoMachines } from './verdict.ts';

/** What was sent from copies of the device's disk; nothing where it has never been copied. */
export function Copies({ ledger: { numberings, reused } }: { ledger: Completeness }) {
  const { t } = useTranslation();
  const now = useNow(10_000);
  const again = reused.reduce((sum, { events }) => sum + events, 0);
  const areCopied = numberings.some(({ began }) => began === 'copy');
  const areTwo = hasTwoMachines(numberings, now);
  if (!areCopied && !areTwo && again === 0) return null;
  const last = numberings[0]?.lastAt ?? 0;
  return (
    <section className={classes.part} aria-label={t('completeness.copies.title')}>
      <h3>{t('completeness.copies.title')}</h3>
      {areCopied || areTwo ? <p>{t(`completeness.copies.${areTwo ? 'two' : 'past'}`)}</p> : null}
      <ul className={classes.list}>
        {numberings.map(({ outbox, began, events, lastAt }) => (
          <li key={outbox} className={classes.line}>
            <strong>{t(`completeness.copies.${began}`)}</strong>
            <span>{outbox.slice(0, 8)}</span>
            <span className={classes.dim}>
              {t('completeness.copies.line', {
                events: t('completeness.events', { count: events, text: formatWhole(events) }),
                ago: agoText(lastAt, Math.max(now, last)),
              })}
            </span>
          </li>
        ))}
      </ul>
      {again > 0 ? (
        <p className={classes.dim}>
          {t('completeness.copies.reused', { count: again, text: formatWhole(again) })}
        </p>
      ) : null}
    </section>
  );
}
