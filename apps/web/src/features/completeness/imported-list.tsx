import type { ImportedEvents } from '@albedo/contract/completeness/completeness.schema';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { agoText } from '../../ui/units/durations.ts';
import classes from './completeness.module.css';
import { gapPeriod, gapSize, gapStream } from './gap-texts.ts';

/** Events that came with files of history, by stream. */
export function ImportedList({ imported }: { imported: readonly ImportedEvents[] }) {
  const { t } = useTranslation();
  const now = useNow(60_000);
  if (imported.length === 0) return null;
  const zone = userZone();
  return (
    <section className={classes.part} aria-label={t('completeness.imported.title')}>
      <h3>{t('completeness.imported.title')}</h3>
      <ul className={classes.list}>
        {imported.map((one) => (
          <li key={`${one.importId}\n${one.table}\n${one.source}`}>
            <div className={classes.line}>
              <strong>{gapStream(one)}</strong>
              <span>{gapSize({ events: one.events, from: 0, to: 0 })}</span>
              <span className={classes.dim}>{gapPeriod(one, zone)}</span>
            </div>
            <p className={classes.dim}>
              {t('completeness.imported.text', { name: one.name, by: one.by, ago: agoText(one.at, now) })}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
