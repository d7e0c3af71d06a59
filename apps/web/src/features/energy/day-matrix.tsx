import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import edge from '../../ui/edges.module.css';
import { NO_VALUE } from '../../ui/units/numbers.ts';
import { formatValue, shownAlike } from '../../ui/units/units.ts';
import { useEdges } from '../../ui/use-edges.ts';
import { dayText } from './day-range.ts';
import { type DayTotal, everyDay, type MatrixRow } from './day-totals.ts';
import classes from './energy.module.css';

/** Rows and days that are drawn at most: more of them nobody reads. */
const MOST_ROWS = 200;
export const MOST_DAYS = 62;

interface DayMatrixProps {
  rows: readonly MatrixRow[];
  from: string;
  to: string;
  onOpen: (scope: string) => void;
}

/** Energy by row and day; red is under what was expected, blue over. */
export function DayMatrix({ rows, from, to, onOpen }: DayMatrixProps) {
  const { t } = useTranslation();
  const edges = useEdges<HTMLDivElement>();
  const days = useMemo(() => everyDay(from, to), [from, to]);
  const shown = rows.slice(0, MOST_ROWS);
  const unit = useMemo(() => {
    const all = rows.flatMap((row) => [...row.days.values()].map(({ energyKWh }) => energyKWh));
    return shownAlike(all, 'kWh').find((one) => one.unit !== '')?.unit ?? 'kWh';
  }, [rows]);
  return (
    <>
      <div className={edge.edges}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls inside itself. */}
        <section ref={edges} className={classes.matrix} aria-label={t('energy.views.matrix')} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{unit}</th>
                {days.map((day) => (
                  <th key={day} scope="col" title={dayText(day)}>
                    {Number(day.slice(8))}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <tr key={row.scope}>
                  <th scope="row">
                    <button type="button" onClick={() => onOpen(row.scope)}>
                      {row.name}
                    </button>
                  </th>
                  {days.map((day) => (
                    <Cell key={day} day={day} total={row.days.get(day)} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </div>
      <p className={classes.legend}>
        <span data-side="under">{t('energy.under')}</span>
        <span data-side="even">{t('energy.even')}</span>
        <span data-side="over">{t('energy.over')}</span>
        <span data-side="none">{t('energy.noValue')}</span>
        {rows.length > MOST_ROWS ? t('energy.moreRows', { count: rows.length - MOST_ROWS }) : null}
      </p>
    </>
  );
}

/** So far from what was expected nothing is red or blue. */
const EVEN = 0.05;

function Cell({ day, total }: { day: string; total: DayTotal | undefined }) {
  const { t } = useTranslation();
  if (!total)
    return (
      <td data-side="none" title={`${dayText(day)}: ${t('energy.noValue')}`}>
        {NO_VALUE}
      </td>
    );
  const { energyKWh, expectedKWh } = total;
  const part = expectedKWh !== null && expectedKWh > 0 ? energyKWh / expectedKWh - 1 : null;
  const side = part === null ? 'plain' : part < -EVEN ? 'under' : part > EVEN ? 'over' : 'even';
  const deviation = part === null ? '' : ` (${part > 0 ? '+' : ''}${formatValue(part * 100, '%')})`;
  return (
    <td
      data-side={side}
      data-is-reviewed={total.isReviewed}
      style={
        { '--strength': `${Math.round(Math.min(1, Math.abs(part ?? 0) * 2) * 100)}%` } as React.CSSProperties
      }
      title={`${dayText(day)}: ${formatValue(energyKWh, 'kWh')}${deviation}`}
    >
      {shortText(energyKWh)}
    </td>
  );
}

/** A figure in three digits: cells are small, and their title has all of it. */
const shortText = (value: number): string =>
  value >= 100 ? String(Math.round(value)) : value >= 10 ? value.toFixed(0) : value.toFixed(1);
