import { memo } from 'react';
import classes from './sparkline.module.css';

interface SparklineProps {
  /** Oldest first. Gaps: null. */
  values: readonly (number | null)[];
  /** What the line shows and over which time, for the pointer and for people who cannot see it. */
  label: string;
  /** px */
  width?: number;
  height?: number;
  /** Where the scale ends at least, in the unit of the values. */
  atLeast?: number;
  /** Indexes of values whose interval is incomplete: they are drawn dashed. */
  partial?: ReadonlySet<number>;
}

const NONE: ReadonlySet<number> = new Set();

/** A line without axes: how it went, not how much. It begins at zero, or at the lowest value where that is below. */
export const Sparkline = memo(DrawSparkline);

function DrawSparkline({
  values: all,
  label,
  width = 88,
  height = 22,
  atLeast = 0,
  partial = NONE,
}: SparklineProps) {
  const values = all.map((value, at) => (partial.has(at) ? null : value));
  const numbers = all.filter((value) => value !== null);
  const low = Math.min(0, ...numbers);
  const high = Math.max(atLeast, ...numbers, low + 1e-9);
  const x = (at: number) => (at / Math.max(1, values.length - 1)) * (width - 2) + 1;
  const y = (value: number) => height - 2 - ((value - low) / (high - low)) * (height - 4);
  const pieces = piecesOf(values).map((piece) =>
    piece.map(({ at, value }) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`),
  );
  const line = pieces.map((piece) => `M${piece.length === 1 ? `${piece[0]} h1` : piece.join('L')}`).join('');
  const area = piecesOf(values)
    .map(
      (piece, i) =>
        `M${x(piece[0]?.at ?? 0)},${y(low)}L${pieces[i]?.join('L')}L${x(piece.at(-1)?.at ?? 0)},${y(low)}Z`,
    )
    .join('');
  const pointAt = (at: number) => `${x(at).toFixed(1)},${y(all[at] as number).toFixed(1)}`;
  const dashes = [...partial]
    .filter((at) => typeof all[at] === 'number')
    .map((at) => {
      const beside = [at - 1, at + 1].find((place) => typeof all[place] === 'number' && !partial.has(place));
      return beside === undefined ? `M${pointAt(at)} h1` : `M${pointAt(beside)}L${pointAt(at)}`;
    })
    .join('');
  return (
    <svg
      className={classes.sparkline}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      <path className={classes.area} d={area} />
      <path className={classes.line} d={line} />
      {dashes === '' ? null : <path className={classes.part} d={dashes} />}
    </svg>
  );
}

/** The stretches between gaps. */
function piecesOf(values: readonly (number | null)[]): { at: number; value: number }[][] {
  const pieces: { at: number; value: number }[][] = [];
  values.forEach((value, at) => {
    if (value === null) return;
    const isNext = at > 0 && values[at - 1] !== null;
    if (isNext) pieces.at(-1)?.push({ at, value });
    else pieces.push([{ at, value }]);
  });
  return pieces;
}
