import type { SeriesStats } from '@albedo/contract/telemetry/telemetry.schema';
import { useTranslation } from 'react-i18next';
import { formatValue } from '../units/units.ts';
import { lineStyle, type Scheme } from './palette.ts';
import type { ChartSeries } from './series-data.ts';
import classes from './time-series-chart.module.css';

interface LegendProps {
  title: string;
  series: readonly ChartSeries[];
  stats: readonly SeriesStats[];
  scheme: Scheme;
  hidden: ReadonlySet<number>;
  onHide: (hidden: ReadonlySet<number>) => void;
  onFocus: (line: number | null) => void;
}

/** What the lines are, with their smallest, mean, largest and newest value; a click shows only that line. */
export function ChartLegend({ title, series, stats, scheme, hidden, onHide, onFocus }: LegendProps) {
  const { t } = useTranslation();
  const all = series.map((_, index) => index);
  const handleClick = (line: number, isToggle: boolean) => {
    if (isToggle) {
      const next = new Set(hidden);
      if (!next.delete(line)) next.add(line);
      return onHide(next);
    }
    const isAlone = !hidden.has(line) && hidden.size === series.length - 1;
    onHide(new Set(isAlone ? [] : all.filter((other) => other !== line)));
  };
  return (
    <section className={classes.legend} aria-label={t('chart.legendOf', { title })}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('chart.series')}</th>
            <th scope="col">{t('chart.last')}</th>
            <th scope="col" className={classes.wide}>
              {t('chart.min')}
            </th>
            <th scope="col" title={t('chart.avgHint')}>
              {t('chart.avg')}
            </th>
            <th scope="col">{t('chart.max')}</th>
          </tr>
        </thead>
        <tbody>
          {series.map((one, index) => (
            <tr
              key={one.id}
              data-hidden={hidden.has(index)}
              onMouseEnter={() => onFocus(index)}
              onMouseLeave={() => onFocus(null)}
            >
              <td>
                <button
                  type="button"
                  className={classes.entry}
                  aria-pressed={!hidden.has(index)}
                  title={t('chart.legendHint')}
                  onClick={(event) => handleClick(index, event.ctrlKey || event.metaKey || event.shiftKey)}
                >
                  <Stroke index={one.style ?? index} scheme={scheme} />
                  <span className={classes.entryName}>{one.label}</span>
                </button>
              </td>
              <td>{formatValue(stats[index]?.last, one.units)}</td>
              <td className={classes.wide}>{formatValue(stats[index]?.min, one.units)}</td>
              <td>{formatValue(stats[index]?.avg, one.units)}</td>
              <td>{formatValue(stats[index]?.max, one.units)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A piece of the line as it is drawn. */
function Stroke({ index, scheme }: { index: number; scheme: Scheme }) {
  const { colour, dash } = lineStyle(index, scheme);
  return (
    <svg width="18" height="6" aria-hidden="true">
      <line x1="0" y1="3" x2="18" y2="3" stroke={colour} strokeWidth="2.5" strokeDasharray={dash.join(' ')} />
    </svg>
  );
}
