import { memo } from 'react';
import classes from './day-bars.module.css';

interface DayBarsProps {
  /** How many on each day, oldest first. */
  days: readonly number[];
  /** What the bars show, for people who cannot see them. */
  label: string;
  /** px; the full width of the container without it. */
  width?: number;
  height?: number;
}

/** Counts per day, without axes. A day with a single one is visible beside a day with thousands. */
export const DayBars = memo(DrawDayBars);

function DrawDayBars({ days, label, width, height = 22 }: DayBarsProps) {
  const high = Math.max(1, ...days);
  const step = 10;
  return (
    <svg
      className={classes.bars}
      width={width ?? '100%'}
      height={height}
      viewBox={`0 0 ${days.length * step} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {days.map((count, at) => {
        const tall = count === 0 ? 1 : Math.max(3, (count / high) * height);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a day is known by its place alone.
            key={at}
            className={count === 0 ? classes.none : classes.some}
            x={at * step}
            y={height - tall}
            width={step - 2.5}
            height={tall}
          />
        );
      })}
    </svg>
  );
}
