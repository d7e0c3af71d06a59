import type { EnergyReport } from '@albedo/contract/energy/energy.schema';
import { useTranslation } from 'react-i18next';
import { formatDecimal } from '../../ui/units/numbers.ts';
import classes from './energy.module.css';
import { hoursText } from './figures.tsx';
import { someNames } from './some-names.ts';

/** What holds for the figures of the whole report, and stands beside them. */
export function ReportNotes({ notes }: { notes: EnergyReport['notes'] }) {
  const { t } = useTranslation();
  if (notes.length === 0) return null;
  return (
    <ul className={classes.notes} aria-label={t('energy.notesTitle')}>
      {notes.map(({ reason, value, names }) => (
        <li key={`${reason} ${value}`}>
          {value === null
            ? t(`energy.reasons.${reason}`)
            : t(`energy.notes.${reason}`, {
                value: reason === 'curtailed' ? hoursText(value) : formatDecimal(value, 2),
                defaultValue: `${t(`energy.reasons.${reason}`)} (${formatDecimal(value, 2)})`,
              })}
          {names.length > 0 ? ` ${t('energy.concerns', { names: someNames(names) })}` : ''}
        </li>
      ))}
    </ul>
  );
}
