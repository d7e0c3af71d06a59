import type { SeriesPoints } from '@albedo/contract/telemetry/telemetry.schema';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { rangeLabel } from '../../../../ui/time-range/time-range.ts';
import classes from './number.module.css';

const [WIDTH, HEIGHT] = [200, 40];

/** How it went, across the whole card. Gaps stay gaps; the scale begins at zero where the values are near it. */
export const Spark = memo(function DrawSpark({
  points,
  title,
  zone,
  grows = false,
}: {
  points: Pick<SeriesPoints, 'times' | 'avg' | 'partial'> & { stepMs?: number };
  title: string;
  zone: string;
  /** The values are sums, such as energy: an incomplete interval would look like a drop, so it is left out. */
  grows?: boolean;
}) {
  const { t } = useTranslation();
  const { times, partial = [], stepMs = 0 } = points;
  const isPart = (i: number) => partial.includes(times[i] ?? Number.NaN);
  const all = points.avg.map((value, i) => (grows && isPart(i) ? null : value));
  const avg = all.map((value, i) => (isPart(i) ? null : value));
  const numbers = all.filter((value) => value !== null);
  const [first = 0, last = 1] = [times[0], times.at(-1)];
  if (numbers.length < 2) return <div className={classes.spark} />;
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
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
  const pointAt = (i: number) => `${x(times[i] ?? 0).toFixed(1)},${y(all[i] as number).toFixed(1)}`;
  const dashes = all
    .flatMap((value, i) => {
      const beside = [i - 1, i + 1].find((place) => typeof avg[place] === 'number');
      return value === null || !isPart(i) || beside === undefined
        ? []
        : [`M${pointAt(beside)}L${pointAt(i)}`];
    })
    .join('');
  const span = rangeLabel({ kind: 'absolute', from: first, to: last + stepMs }, zone);
  const label = t('boards.trendOf', { title, span });
  return (
    <svg
      className={classes.spark}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      <path d={area} className={classes.area} />
      <path d={line} className={classes.line} vectorEffect="non-scaling-stroke" />
      {dashes === '' ? null : <path d={dashes} className={classes.part} vectorEffect="non-scaling-stroke" />}
    </svg>
  );
});
