import type { KpiResult } from '@albedo/contract/kpis/kpis.schema';
import { useTranslation } from 'react-i18next';
import { formatClock, formatDay } from '../../ui/time-range/zoned-time.ts';
import { formatAlike } from '../../ui/units/units.ts';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { labelledColumns } from './column-labels.ts';
import classes from './figures.module.css';

/** Days that have room below the columns of a wide and of a narrow screen. */
const [MOST_DAYS, MOST_NARROW_DAYS] = [12, 6];
/** More columns than that stand close together. */
const DENSE = 40;

interface ColumnsProps {
  title: string;
  result: Pick<KpiResult, 'series' | 'coverageSeries' | 'units'>;
  starts: readonly number[];
  zone: string;
  /** Indexes of the columns whose interval is incomplete. */
  partial?: ReadonlySet<number>;
  /** The interval is shorter than a day. */
  hasTimes?: boolean;
  /** Opens what an interval comes from. */
  onOpen?: (at: number) => void;
}

/** One column for each interval; what cannot be computed has none. */
export function Columns(props: ColumnsProps) {
  const { title, result, starts, zone, partial, hasTimes = false, onOpen } = props;
  const { t } = useTranslation();
  const isNarrow = useIsNarrow();
  const values = result.series ?? [];
  const known = values.filter((one) => one !== null);
  const high = Math.max(0, ...known);
  const low = Math.min(0, ...known);
  const span = high - low || 1;
  const texts = formatAlike(values, result.units);
  const days = values.map((_, i) => formatDay(starts[i] as number, zone, 'dayOfYear'));
  const labelled = labelledColumns(days, isNarrow ? MOST_NARROW_DAYS : MOST_DAYS);
  return (
    <ul
      className={classes.columns}
      data-dense={values.length > DENSE}
      aria-label={t('kpis.course', { name: title })}
    >
      {values.map((value, i) => {
        const start = starts[i] as number;
        const day = days[i] as string;
        const when = hasTimes ? `${day} ${formatClock(start, zone)}` : day;
        const isPart = partial?.has(i) ?? false;
        const text = `${when}: ${texts[i]}${isPart ? ` (${t('chart.incomplete')})` : ''}`;
        const height = value === null ? 0 : (Math.abs(value) / span) * 100;
        const bar = (
          <div
            className={classes.bar}
            data-is-part={isPart || undefined}
            style={{
              blockSize: `${height}%`,
              opacity: 0.35 + 0.65 * (result.coverageSeries?.[i] ?? 1),
            }}
          />
        );
        return (
          <li key={start} className={classes.column} title={text}>
            {onOpen && value !== null ? null : <span className={classes.hidden}>{text}</span>}
            {onOpen && value !== null ? (
              <button
                type="button"
                className={classes.columnArea}
                aria-label={text}
                onClick={() => onOpen(start)}
              >
                {bar}
              </button>
            ) : (
              <div className={classes.columnArea}>{bar}</div>
            )}
            <span className={classes.columnLabel} aria-hidden>
              {labelled.has(i) ? day : null}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
