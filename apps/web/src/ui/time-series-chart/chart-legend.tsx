import type { SeriesStats } from '@albedo/contract/telemetry/telemetry.schema';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { NO_VALUE } from '../units/numbers.ts';
import { baseUnit, formatAlike } from '../units/units.ts';
import { useHovered, useIsHovered } from './cursor-time.ts';
import { type Ghost, type Scheme, strokeOf } from './palette.ts';
import { type ChartSeries, reachesOf, valueAt } from './series-data.ts';
import classes from './time-series-chart.module.css';

interface LegendProps {
  title: string;
  /** px at most */
  height?: number | undefined;
  series: readonly ChartSeries[];
  stats: readonly SeriesStats[];
  scheme: Scheme;
  hidden: ReadonlySet<number>;
  onHide: (hidden: ReadonlySet<number>) => void;
  onFocus: (line: number | null) => void;
  /** The instant of the pinned crosshair; undefined where values under the crosshair are not listed. */
  pinned?: number | null | undefined;
}

/** What the lines are, with their smallest, mean, largest and newest value; a click shows only that line. */
export function ChartLegend(props: LegendProps) {
  const { title, series, stats, scheme, hidden, onHide, onFocus, pinned } = props;
  const { t } = useTranslation();
  const isHovered = useIsHovered();
  // Where there is no room for all columns, the value at the cursor takes the place of the mean while there is a cursor.
  const hasCursor = pinned !== undefined && (isHovered || pinned !== null);
  const atCursor = [classes.atCursor, hasCursor ? '' : classes.wide].join(' ');
  const mean = hasCursor ? classes.wide : undefined;
  const reaches = useMemo(() => reachesOf(series), [series]);
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
    <section
      className={classes.legend}
      style={props.height === undefined ? undefined : { maxHeight: props.height }}
      aria-label={t('chart.legendOf', { title })}
    >
      <table>
        <thead>
          <tr>
            <th scope="col">{t('chart.series')}</th>
            {pinned === undefined ? null : (
              <th scope="col" className={hasCursor ? undefined : classes.wide}>
                {t('chart.atCursor')}
              </th>
            )}
            <th scope="col">{t('chart.last')}</th>
            <th scope="col" className={classes.wide}>
              {t('chart.min')}
            </th>
            <th scope="col" title={t('chart.avgHint')} className={mean}>
              {t('chart.avg')}
            </th>
            <th scope="col">{t('chart.max')}</th>
          </tr>
        </thead>
        <tbody>
          {series.map((line, index) => {
            const { last, min, avg, max } = stats[index] ?? NO_STATS;
            const reach = reaches.get(baseUnit(line.units).unit);
            const [lastText, minText, avgText, maxText] = formatAlike(
              [last, min, avg, max],
              line.units,
              reach,
            );
            return (
              <tr
                key={line.id}
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
                    <Stroke index={line.style ?? index} scheme={scheme} ghost={line.ghost ?? null} />
                    <span className={classes.entryName}>{line.label}</span>
                  </button>
                </td>
                {pinned === undefined ? null : (
                  <td className={atCursor}>
                    <AtCursor series={line} pinned={pinned} reach={reach} />
                  </td>
                )}
                <td>
                  {lastText}
                  {isIncomplete(line) ? (
                    <span className={classes.incomplete} title={t('chart.incompleteHint')}>
                      {' '}
                      {t('chart.incomplete')}
                    </span>
                  ) : null}
                </td>
                <td className={classes.wide}>{minText}</td>
                <td className={mean}>{avgText}</td>
                <td>{maxText}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

const NO_STATS = { last: null, min: null, avg: null, max: null };

/** Whether the last value in the legend is of an unfinished interval, rather than the newest measurement. */
const isIncomplete = ({ points: { partial, times, avg, stats } }: ChartSeries): boolean =>
  (partial?.includes(times.at(-1) ?? Number.NaN) ?? false) && avg.at(-1) === stats.last;

/** The value under the crosshair, which is where the pointer is in any chart of the page, or else where it is pinned. */
function AtCursor({
  series,
  pinned,
  reach,
}: {
  series: ChartSeries;
  pinned: number | null;
  reach: number | undefined;
}) {
  const at = useHovered() ?? pinned;
  return at === null ? NO_VALUE : formatAlike([valueAt(series.points, at)], series.units, reach)[0];
}

/** A piece of the line as it is drawn. */
function Stroke({ index, scheme, ghost }: { index: number; scheme: Scheme; ghost: Ghost | null }) {
  const { colour, dash } = strokeOf(index, scheme, ghost);
  return (
    <svg width="18" height="6" aria-hidden="true">
      <line x1="0" y1="3" x2="18" y2="3" stroke={colour} strokeWidth="2.5" strokeDasharray={dash.join(' ')} />
    </svg>
  );
}
