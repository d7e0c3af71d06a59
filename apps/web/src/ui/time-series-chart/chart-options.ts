import uPlot from 'uplot';
import type { Span } from '../time-range/time-range.ts';
import { formatAxis } from '../units/units.ts';
import { type PartialOf, wholePaths } from './chart-partial.ts';
import type { ChartTheme } from './chart-theme.ts';
import { type Ghost, lineStyle, strokeOf, withOpacity } from './palette.ts';
import type { Extent } from './series-data.ts';
import { dateInZone, timeAxisLabels } from './time-axis.ts';

/** Charts of a page share their crosshair through this key. */
export const CROSSHAIR = 'page';

/** Uplot columns that one series takes: mean, smallest, largest. */
export const COLUMNS = 3;

export interface LineShape {
  label: string;
  /** Base unit: its axis. */
  unit: string;
  isBanded: boolean;
  /** Its place among the colours. */
  style: number;
  isStepped: boolean;
  ghost?: Ghost | null;
  /** Drawn as columns: where they begin after their time, and how wide they are, ms. */
  column?: { offsetMs: number; widthMs: number } | null;
}

/** What axes show at most, in base units; what lies beyond is cut off. */
export interface Clip {
  min: number | null;
  max: number | null;
}

export interface ChartShape {
  width: number;
  height: number;
  lines: readonly LineShape[];
  timeZone: string;
  theme: ChartTheme;
  /** Live charts follow the clock: no zoom, no animation of the crosshair between charts. */
  isLive: boolean;
  /** What the axis of a unit covers besides the lines of this chart. */
  extentOf?: (unit: string) => Extent | undefined;
  clip?: Clip | undefined;
  /** Incomplete intervals, which are drawn differently. */
  partialOf?: PartialOf;
}

export const avgColumn = (line: number): number => 1 + line * COLUMNS;

/** The scale of a unit; a series without one has a scale of its own kind. */
export const scaleOf = (unit: string): string => (unit === '' ? 'none' : unit);

/** What uPlot draws; data and the x scale are set apart. */
export function chartOptions(shape: ChartShape, hooks: uPlot.Hooks.Arrays, span: () => Span): uPlot.Options {
  const units = [...new Set(shape.lines.map((line) => line.unit))];
  return {
    width: shape.width,
    height: shape.height,
    ms: 1,
    pxAlign: false,
    // The last label of the time axis stands half outside.
    padding: [10, units.length > 1 ? null : 24, 0, null],
    legend: { show: false },
    tzDate: (at) => dateInZone(at, shape.timeZone),
    focus: { alpha: 0.2 },
    cursor: {
      x: true,
      y: false,
      drag: { x: !shape.isLive, y: false, setScale: false, dist: 4 },
      points: { size: 7, width: 2 },
      sync: shape.isLive
        ? { key: `${CROSSHAIR}-live` }
        : {
            key: CROSSHAIR,
            setSeries: false,
            scales: ['x', null],
            filters: { pub: (type) => type === 'mousemove' || type === 'mouseleave' },
          },
      bind: { dblclick: () => null },
    },
    scales: {
      x: { time: true, range: () => [span().from, span().to] },
      ...Object.fromEntries(units.map((unit) => [scaleOf(unit), { range: rangeOf(unit, shape) }])),
    },
    axes: [timeAxis(shape), ...units.map((unit, index) => valueAxis(unit, index, shape))],
    series: [{}, ...shape.lines.flatMap((line, index) => columnsOf(line, index, shape))],
    bands: shape.lines.flatMap((line, index) => (line.isBanded ? [bandOf(line, index, shape.theme)] : [])),
    hooks,
  };
}

/** An axis covers at least this much of its unit, so that the noise of a quiet value does not fill the chart. */
const LEAST_SPAN: Readonly<Record<string, number>> = { '%': 5, '°C': 2, Hz: 0.5 };
/** Without such a span: this part of the largest value. */
const LEAST_PART = 0.02;

const rangeOf =
  (unit: string, { extentOf, clip, lines }: ChartShape) =>
  (_: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax => {
    const others = extentOf?.(unit);
    if (min === null || max === null) return others ? clipped(valueRange(others, unit), clip) : [0, 1];
    // Columns stand on zero.
    const zero = lines.some((line) => line.column && line.unit === unit) ? 0 : min;
    const extent = {
      min: Math.min(min, zero, others?.min ?? min),
      max: Math.max(max, zero, others?.max ?? max),
    };
    return clipped(valueRange(extent, unit), clip);
  };

function clipped([low, high]: uPlot.Range.MinMax, clip: Clip | undefined): uPlot.Range.MinMax {
  const [min, max] = [clip?.min ?? low ?? 0, clip?.max ?? high ?? 1];
  return min < max ? [min, max] : [low, high];
}

/** Room above and below; zero is shown where it is near, and a flat line lies in the middle. */
export function valueRange({ min, max }: Extent, unit: string): uPlot.Range.MinMax {
  const least = LEAST_SPAN[unit] ?? (Math.max(Math.abs(min), Math.abs(max)) * LEAST_PART || 2);
  if (max - min < least) {
    const middle = (min + max) / 2;
    // What cannot be negative does not get an axis that is.
    const low = min >= 0 ? Math.max(0, middle - least / 2) : middle - least / 2;
    return [low, Math.max(low + least, max)];
  }
  return uPlot.rangeNum(min, max, {
    min: { pad: 0.08, soft: 0, mode: 3 },
    max: { pad: 0.08, soft: 0, mode: 3 },
  });
}

function timeAxis({ theme, timeZone }: ChartShape): uPlot.Axis {
  return {
    ...axisLook(theme),
    space: 72,
    size: 44,
    values: (_, ticks, __, ___, stepMs) => timeAxisLabels(ticks, stepMs, timeZone),
  };
}

function valueAxis(unit: string, index: number, { theme, lines }: ChartShape): uPlot.Axis {
  const isStepped = lines.every((line) => line.unit !== unit || line.isStepped);
  return {
    ...axisLook(theme),
    // Between whole steps there is nothing to read.
    ...(isStepped ? { incrs: WHOLE_STEPS } : {}),
    scale: scaleOf(unit),
    side: index === 0 ? 3 : 1,
    space: 36,
    values: (_, ticks) => formatAxis(ticks, unit),
    size: (chart, labels) => {
      const own = labels ?? [];
      chart.ctx.font = `${12 * uPlot.pxRatio}px ${theme.fontFamily}`;
      const widest = Math.max(0, ...own.map((label) => chart.ctx.measureText(label).width));
      // Charts below one another share their left edge as long as their labels fit.
      return Math.max(index === 0 ? 64 : 0, Math.ceil(widest / uPlot.pxRatio) + 16);
    },
    ...(index === 0 ? {} : { grid: { show: false } }),
  };
}

const WHOLE_STEPS = Array.from({ length: 16 }, (_, power) => [1, 2, 5].map((n) => n * 10 ** power)).flat();

function axisLook(theme: ChartTheme): uPlot.Axis {
  return {
    stroke: theme.dimmed,
    font: `12px ${theme.fontFamily}`,
    grid: { stroke: theme.grid, width: 1 },
    ticks: { stroke: theme.grid, width: 1, size: 4 },
    gap: 6,
  };
}

/** A value holds until the next one. */
const STEPS = uPlot.paths.stepped?.({ align: 1 });
const STRAIGHT = uPlot.paths.linear?.();

function columnsOf(line: LineShape, index: number, shape: ChartShape): uPlot.Series[] {
  const { theme, isLive, partialOf } = shape;
  const ghost = line.ghost ?? null;
  const { colour, dash } = strokeOf(line.style, theme.scheme, ghost);
  const scale = scaleOf(line.unit);
  const edge: uPlot.Series = {
    scale,
    points: { show: false },
    width: 0,
    stroke: 'transparent',
    auto: line.isBanded,
  };
  const drawn = line.isStepped ? STEPS : STRAIGHT;
  const bars = line.column ? barsOf(line.column, colour, ghost ? GHOST_FILL : FILL) : {};
  const paths = bars.paths ?? drawn;
  return [
    {
      label: line.label,
      scale,
      stroke: colour,
      width: 1.5,
      dash: [...dash],
      ...bars,
      ...(paths ? { paths: partialOf ? wholePaths(paths, () => partialOf(index)) : paths } : {}),
      points: {
        size: 5,
        width: 0,
        stroke: colour,
        fill: colour,
        filter: isolatedPoints,
        ...(isLive || line.column ? { show: () => false } : {}),
      },
    },
    edge,
    edge,
  ];
}

/** How opaque columns are. Those to compare with are so pale that nobody takes them for the others. */
const FILL = 0.8;
const GHOST_FILL = 0.3;

/** Columns of several lines stand beside each other. */
function barsOf(
  { offsetMs, widthMs }: NonNullable<LineShape['column']>,
  colour: string,
  opacity: number,
): Partial<uPlot.Series> {
  const paths = uPlot.paths.bars?.({
    disp: {
      x0: { unit: 1, values: (chart) => Array.from(chart.data[0], (at) => at + offsetMs) },
      size: { unit: 1, values: () => [widthMs] },
    },
  });
  return paths ? { paths, fill: withOpacity(colour.slice(0, 7), opacity), width: 0, dash: [] } : {};
}

function bandOf(line: LineShape, index: number, theme: ChartTheme): uPlot.Band {
  const { colour } = lineStyle(line.style, theme.scheme);
  const column = avgColumn(index);
  return {
    series: [column + 2, column + 1],
    fill: withOpacity(colour, theme.scheme === 'dark' ? 0.24 : 0.18),
  };
}

/** A point between two gaps has no line to either side; without a dot it would not be seen at all. */
const isolatedPoints: uPlot.Series.Points.Filter = (chart, column, show, gaps) => {
  const values = chart.data[column];
  const drawn = chart.series[column]?.idxs;
  if (show || !gaps?.length || !values || !drawn) return null;
  const isPresent = (index: number): boolean => values[index] !== null && values[index] !== undefined;
  const found: number[] = [];
  for (let i = drawn[0]; i <= drawn[1]; i++) {
    if (isPresent(i) && !neighbour(values, i, -1) && !neighbour(values, i, 1)) found.push(i);
  }
  return found;
};

/** True when the line goes on from the point to this side: the next column entry that is not undefined has a value. */
function neighbour(values: ArrayLike<number | null | undefined>, index: number, step: 1 | -1): boolean {
  let next = index + step;
  while (next >= 0 && next < values.length && values[next] === undefined) next += step;
  return typeof values[next] === 'number';
}
