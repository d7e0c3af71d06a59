import type { EnergyReport } from '@albedo/contract/energy/energy.schema';
import { useTranslation } from 'react-i18next';
import { daysText } from './day-range.ts';
import classes from './energy.module.css';
import {
  changeText,
  columnHint,
  columnTitle,
  Figure,
  figureText,
  shownFigure,
  sideOf,
  totalled,
} from './figures.tsx';

/** Figures that have room in one line. */
const MOST = 6;

/** The totals of a report: each with what it was in the time before. */
export function Totals({ report }: { report: EnergyReport }) {
  const { t } = useTranslation();
  const { total, before } = report;
  const columns = totalled(report).slice(0, MOST);
  if (columns.length === 0) return null;
  return (
    <section className={classes.totals} aria-label={t('energy.totals')}>
      <dl>
        {columns.map((column, at) => {
          const value = total.values[column.key];
          const { number, unit } = shownFigure(column, value);
          const was = before?.values[column.key];
          const change = changeText(column, value, was);
          return (
            <div key={column.key} data-is-first={at === 0}>
              <dt title={columnHint(column.key)}>{columnTitle(column.key)}</dt>
              <dd className={classes.large}>
                <Figure
                  text={number}
                  reason={total.reasons[column.key]}
                  side={sideOf(column, total.values)}
                />
                {unit ? <span className={classes.unit}>{unit}</span> : null}
              </dd>
              {before && was !== null && was !== undefined ? (
                <dd className={classes.small}>
                  {change ? <span>{change}</span> : null}
                  <span>{t('energy.was', { value: figureText(column, was) })}</span>
                </dd>
              ) : null}
            </div>
          );
        })}
      </dl>
      <Words report={report} />
      {before ? <p className={classes.note}>{t('energy.comparedWith', { days: daysText(before) })}</p> : null}
    </section>
  );
}

/** What the totals say in words, such as what they are held against. */
function Words({ report: { columns, total } }: { report: EnergyReport }) {
  const said = columns.filter(({ key, kind }) => kind === 'text' && typeof total.values[key] === 'string');
  if (said.length === 0) return null;
  return (
    <p className={classes.note}>
      {said
        .map((column) => `${columnTitle(column.key)}: ${figureText(column, total.values[column.key])}`)
        .join(' · ')}
    </p>
  );
}
