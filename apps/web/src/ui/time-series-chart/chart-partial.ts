import type uPlot from 'uplot';
import type { ChartTheme } from './chart-theme.ts';
import { strokeOf, withOpacity } from './palette.ts';

/** The incomplete intervals of each line, by their start. */
export type PartialOf = (line: number) => ReadonlySet<number>;

const DASH = [3, 3];
/** Distance of the strokes of a hatched column, CSS pixels. */
const HATCH = 5;

/** The parts of a drawn line that matter here. */
interface Drawn {
  style: number;
  ghost?: 'earlier' | 'model' | null;
  isStepped: boolean;
  column?: { offsetMs: number; widthMs: number } | null;
}

/** First and last index of the complete intervals; the first is greater if there is none. */
export function wholeOf(
  times: ArrayLike<number>,
  values: ArrayLike<number | null | undefined>,
  partial: ReadonlySet<number>,
  [from, to]: readonly [from: number, to: number],
): [from: number, to: number] {
  let [first, last] = [from, to];
  const isLeftOut = (at: number) => (values[at] ?? null) === null || partial.has(times[at] as number);
  if (partial.size === 0) return [from, to];
  while (last >= first && isLeftOut(last)) last--;
  while (first <= last && isLeftOut(first)) first++;
  return [first, last];
}

/** Builds the paths of a line or of columns without its incomplete ends. */
export function wholePaths(paths: uPlot.Series.PathBuilder, partial: () => ReadonlySet<number>) {
  const build: uPlot.Series.PathBuilder = (chart, column, from, to) => {
    const times = chart.data[0];
    // From all data: the edge of the view may be in the middle of the data.
    const whole = wholeOf(times, chart.data[column] ?? [], partial(), [0, times.length - 1]);
    const [first, last] = [Math.max(from, whole[0]), Math.min(to, whole[1])];
    return last < first ? null : paths(chart, column, first, last);
  };
  return build;
}

/** Draws the incomplete ends: a dashed line to the value, or a hatched column. Intervals in between look like the others. */
export function paintPartial(
  chart: uPlot,
  lines: readonly (Drawn & { at: number; scale: string; partial: ReadonlySet<number> })[],
  theme: ChartTheme,
): void {
  const { ctx } = chart;
  const { left, top, width, height } = chart.bbox;
  const ratio = height / Math.max(1, chart.over.clientHeight || 1);
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  for (const line of lines) {
    const series = chart.series[line.at];
    if (!series?.show || line.partial.size === 0) continue;
    const colour = strokeOf(line.style, theme.scheme, line.ghost ?? null).colour;
    ctx.globalAlpha = series.alpha ?? 1;
    ctx.strokeStyle = colour;
    ctx.lineWidth = 1.5 * ratio;
    const times = chart.data[0];
    const values = chart.data[line.at] ?? [];
    const [from, to] = [0, times.length - 1];
    const [first, last] = wholeOf(times, values, line.partial, [from, to]);
    const x = (at: number) => chart.valToPos(at, 'x', true);
    const y = (value: number) => chart.valToPos(value, line.scale, true);
    for (let i = from; i <= to; i++) {
      const value = values[i];
      if (typeof value !== 'number' || !line.partial.has(times[i] as number)) continue;
      if (i > first && i < last) continue;
      if (line.column) {
        const begin = (times[i] as number) + line.column.offsetMs;
        paintHatched(
          ctx,
          { left: x(begin), right: x(begin + line.column.widthMs), top: y(value), bottom: y(0) },
          colour,
          ratio,
        );
        continue;
      }
      const beside = i < first ? first : last;
      const other = values[beside];
      ctx.setLineDash(DASH.map((length) => length * ratio));
      ctx.beginPath();
      if (typeof other === 'number' && last >= first && !hasGap(values, i, beside)) {
        const [start, end] = i < first ? [i, beside] : [beside, i];
        const [startY, endY] = [y(values[start] as number), y(values[end] as number)];
        ctx.moveTo(x(times[start] as number), startY);
        if (line.isStepped) ctx.lineTo(x(times[end] as number), startY);
        ctx.lineTo(x(times[end] as number), endY);
      } else ctx.arc(x(times[i] as number), y(value), 3 * ratio, 0, 2 * Math.PI);
      ctx.stroke();
    }
  }
  ctx.restore();
}

/** Whether the line has a gap between two indexes. */
function hasGap(values: ArrayLike<number | null | undefined>, from: number, to: number): boolean {
  for (let i = Math.min(from, to); i < Math.max(from, to); i++) if (values[i] === null) return true;
  return false;
}

function paintHatched(
  ctx: CanvasRenderingContext2D,
  { left, right, top, bottom }: { left: number; right: number; top: number; bottom: number },
  colour: string,
  ratio: number,
): void {
  const [high, low] = [Math.min(top, bottom), Math.max(top, bottom)];
  if (low - high < ratio / 2) return;
  ctx.save();
  ctx.setLineDash([]);
  ctx.beginPath();
  ctx.rect(left, high, right - left, low - high);
  ctx.fillStyle = withOpacity(colour.slice(0, 7), 0.12);
  ctx.fill();
  ctx.clip();
  ctx.lineWidth = ratio;
  ctx.beginPath();
  for (let x = left - (low - high); x < right; x += HATCH * ratio) {
    ctx.moveTo(x, low);
    ctx.lineTo(x + (low - high), high);
  }
  ctx.stroke();
  ctx.restore();
  ctx.setLineDash(DASH.map((length) => length * ratio));
  ctx.strokeRect(left, high, right - left, low - high);
}

/** Draws a line at zero if an axis goes below it: it separates the two directions of flow. */
export function paintZero(chart: uPlot, theme: ChartTheme): void {
  const { ctx } = chart;
  const { left, top, width, height } = chart.bbox;
  const ratio = height / Math.max(1, chart.over.clientHeight || 1);
  const places = new Set<number>();
  for (const [name, { min, max }] of Object.entries(chart.scales)) {
    if (name === 'x' || typeof min !== 'number' || typeof max !== 'number' || min >= 0 || max <= 0) continue;
    places.add(Math.round(chart.valToPos(0, name, true)));
  }
  // Axes of different units may have their zeros at different heights: a line would only fit one of them.
  const [place] = places;
  if (place === undefined || places.size > 1 || place < top || place > top + height) return;
  ctx.save();
  ctx.strokeStyle = theme.dimmed;
  ctx.lineWidth = ratio;
  ctx.beginPath();
  ctx.moveTo(left, place);
  ctx.lineTo(left + width, place);
  ctx.stroke();
  ctx.restore();
}
