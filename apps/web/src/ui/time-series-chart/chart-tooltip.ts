import { t } from 'i18next';
import type uPlot from 'uplot';
import { formatAlike } from '../units/units.ts';
import { type ChartMark, marksAt } from './chart-marks.ts';
import { avgColumn, type LineShape } from './chart-options.ts';
import type { PartialOf } from './chart-partial.ts';
import { lineStyle, type Scheme } from './palette.ts';
import { pointTime } from './time-axis.ts';

/** Lines that the tooltip names; with more of them it would hide the chart. */
const MOST_LINES = 12;
const MOST_MARKS = 4;

export interface TooltipContext {
  lines: readonly LineShape[];
  timeZone: string;
  scheme: Scheme;
  /** Distance of the points, ms; 0 where each stored event is a point. */
  stepMs: number;
  /** What is said of the place on the axis, where that is no time. */
  headOf?: (x: number) => string;
  /** What is known of instants and stretches of time. */
  marks?: () => readonly ChartMark[];
  /** The largest value of a unit, whose prefix all its values share. */
  reachOf?: (unit: string) => number | undefined;
  /** The incomplete intervals of a line. */
  partialOf?: PartialOf;
  classes: Readonly<Record<'tip' | 'time' | 'row' | 'swatch' | 'name' | 'value' | 'band', string>>;
}

/**
 * What is under the crosshair, beside the pointer. It is written into the page directly: a render of React for every
 * move of the pointer would be too slow.
 */
export class ChartTooltip {
  readonly #element: HTMLDivElement;
  #context: TooltipContext;

  constructor(context: TooltipContext) {
    this.#context = context;
    this.#element = document.createElement('div');
    this.#element.className = context.classes.tip;
    this.#element.hidden = true;
  }

  attach(chart: uPlot): void {
    chart.over.append(this.#element);
  }

  describe(context: TooltipContext): void {
    this.#context = context;
  }

  hide(): void {
    this.#element.hidden = true;
  }

  show(chart: uPlot): void {
    const { idx, left = -1, top = 0 } = chart.cursor;
    const time = idx === null || idx === undefined ? undefined : chart.data[0]?.[idx];
    const rows = left < 0 || typeof time !== 'number' ? [] : this.#rows(chart);
    if (rows.length === 0 || typeof time !== 'number') {
      this.hide();
      return;
    }
    this.#element.replaceChildren(this.#timeRow(time), ...rows, ...this.#markRows(chart, time));
    this.#element.hidden = false;
    this.#place(chart, left, Math.max(0, top));
  }

  #timeRow(time: number): HTMLElement {
    const { classes, stepMs, timeZone } = this.#context;
    const { headOf } = this.#context;
    return text('div', classes.time, headOf ? headOf(time) : pointTime(time, stepMs || 1, timeZone));
  }

  #markRows(chart: uPlot, at: number): HTMLElement[] {
    const { marks, classes } = this.#context;
    const under = marksAt(chart, marks?.() ?? [], at);
    const rows = under.slice(0, MOST_MARKS).map((mark) => text('div', classes.time, mark.text));
    if (under.length > MOST_MARKS)
      rows.push(text('div', classes.time, t('chart.more', { count: under.length - MOST_MARKS })));
    return rows;
  }

  #rows(chart: uPlot): HTMLElement[] {
    const { lines, classes, scheme, partialOf, reachOf } = this.#context;
    const shown: { value: number; row: HTMLElement }[] = [];
    for (const [index, line] of lines.entries()) {
      const column = avgColumn(index);
      const at = chart.cursor.idxs?.[column];
      const value = at === null || at === undefined ? null : chart.data[column]?.[at];
      if (typeof value !== 'number' || !chart.series[column]?.show) continue;
      const row = text('div', classes.row, '');
      const say = (value: number) => formatAlike([value], line.unit, reachOf?.(line.unit))[0] ?? '';
      const swatch = text('span', classes.swatch, '');
      swatch.style.background = lineStyle(line.style, scheme).colour;
      row.append(swatch, text('span', classes.name, line.label), text('span', classes.value, say(value)));
      if (partialOf?.(index).has(chart.data[0]?.[at ?? 0] as number))
        row.append(text('span', classes.band, t('chart.incomplete')));
      const low = chart.data[column + 1]?.[at ?? 0];
      const high = chart.data[column + 2]?.[at ?? 0];
      if (line.isBanded && typeof low === 'number' && typeof high === 'number' && low !== high) {
        row.append(text('span', classes.band, `${say(low)} … ${say(high)}`));
      }
      shown.push({ value, row });
    }
    if (shown.length <= MOST_LINES) return shown.map(({ row }) => row);
    const rest = shown.length - MOST_LINES;
    shown.sort((a, b) => b.value - a.value);
    return [
      ...shown.slice(0, MOST_LINES).map(({ row }) => row),
      text('div', classes.time, t('chart.more', { count: rest })),
    ];
  }

  /** Beside the pointer, on the side where there is room. */
  #place(chart: uPlot, left: number, top: number): void {
    const { offsetWidth: width, offsetHeight: height } = this.#element;
    const room = chart.over.clientWidth;
    const x = left + 14 + width <= room ? left + 14 : Math.max(0, left - 14 - width);
    const y = Math.min(top + 14, Math.max(0, chart.over.clientHeight - height));
    this.#element.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  }
}

function text(tag: 'div' | 'span', className: string, content: string): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = content;
  return element;
}
