import type { HistoryFault } from '@albedo/contract/history-imports/history-imports.schema';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { formatWhole } from '../../ui/units/numbers.ts';
import classes from './history-imports.module.css';

/** How many records are no event, and how many values are left out of events, where there are any. */
export function faultCounts(t: TFunction, { faulty, values }: { faulty: number; values: number }): string[] {
  return [
    ...(faulty > 0 ? [t('historyImports.faulty', { count: faulty, records: formatWhole(faulty) })] : []),
    ...(values > 0 ? [t('historyImports.leftOut', { count: values, values: formatWhole(values) })] : []),
  ];
}

/** What is wrong with which line. */
export function FaultTexts({ faults, most }: { faults: readonly HistoryFault[]; most: number }) {
  const { t } = useTranslation();
  if (faults.length === 0) return null;
  return (
    <ul className={classes.faults} aria-label={t('historyImports.faultsTitle')}>
      {faults.slice(0, most).map(({ line, reason, text }) => (
        <li key={`${line} ${reason} ${text}`}>
          {t(`historyImports.faults.${reason}`, { line: formatWhole(line), text })}
        </li>
      ))}
    </ul>
  );
}
