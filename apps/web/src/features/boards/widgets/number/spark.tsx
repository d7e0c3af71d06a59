import type { SeriesPoints } from '@albedo/contract/telemetry/telemetry.schema';
import { memo } from 'react';
import classes from './number.module.css';

const [WIDTH, HEIGHT] = [200, 40];

/** How it went, across the whole card. Gaps stay gaps; the scale begins at zero where the values are near it. */
export const Spark = memo(function DrawSpark({
  points,
  label,
}: {
  points: Pick<SeriesPoints, 'times' | 'avg'>;
  label: string;
}) {
  const { times, avg } = points;
  const known = avg.filter((value) => value !== null);
  const [first = 0, last = 1] = [times[0], times.at(-1)];
  if (known.length < 2) return <div className={classes.spark} />;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const base = low >= 0 && low < high * 0.6 ? 0 : low - (high - low) * 0.1;
  const top = high > base ? high : base + 1;
  const x = (at: number) => ((at - first) / Math.max(1, last - first)) * WIDTH;
  const y = (value: number) => HEIGHT - 1.5 - ((value - base) / (top - base)) * (HEIGHT - 3);
  const pieces: string[][] = [];
  avg.forEach((value, i) => {
    if (value === null) return;
    if (i === 0 || avg[i - 1] === null || pieces.length === 0) pieces.push([]);
    pieces.at(-1)?.push(`${x(times[i] ?? 0).toFixed(1)},${y(value).toFixed(1)}`);
  });
  const line = pieces.map((piece) => `M${piece.join('L')}`).join('');
  const area = pieces
    .map((piece) => {
      const [start = '0,0'] = piece;
      const end = piece.at(-1) ?? start;
      return `M${start.split(',')[0]},${HEIGHT}L${piece.join('L')}L${end.split(',')[0]},${HEIGHT}Z`;
    })
    .join('');
  return (
    <svg
      className={classes.spark}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path d={area} className={classes.area} />
      <path d={line} className={classes.line} vectorEffect="non-scaling-stroke" />
    </svg>
  );
});
