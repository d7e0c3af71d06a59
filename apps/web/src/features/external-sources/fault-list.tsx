import type { MappedPreview } from '@albedo/contract/mapping/mapping.schema';
import { useTranslation } from 'react-i18next';
import classes from './external-sources.module.css';

/** As many faults as people fix before they try again. */
const SHOWN = 5;

/** Which values were refused, by record, or by line for CSV. */
export function FaultList({ faults, isCsv }: { faults: MappedPreview['faults']; isCsv: boolean }) {
  const { t } = useTranslation();
  if (faults.length === 0) return null;
  const hidden = faults.length - SHOWN;
  return (
    <ul className={classes.faults}>
      {faults.slice(0, SHOWN).map(({ record, reason, text }) => (
        <li key={`${record} ${reason} ${text}`}>
          {t(`externalSources.faults.${reason}`, {
            where: t(isCsv ? 'externalSources.line' : 'externalSources.record', { number: record }),
            record,
            text,
          })}
        </li>
      ))}
      {hidden > 0 ? <li>{t('externalSources.moreFaults', { count: hidden })}</li> : null}
    </ul>
  );
}
