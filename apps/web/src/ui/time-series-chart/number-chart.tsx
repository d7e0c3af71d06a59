import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useEffectEvent, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import uPlot from 'uplot';
import { askCsv, type CsvTable } from '../csv/csv-ask.ts';
import { baseUnit, formatAxis, formatValue } from '../units/units.ts';
import { chartToPicture, fileName, saveFile } from './chart-export.ts';
import { ChartHead } from './chart-head.tsx';
import { avgColumn, chartOptions, type LineShape } from './chart-options.ts';
import { readTheme } from './chart-theme.ts';
import { ChartTooltip } from './chart-tooltip.ts';
import { lineStyle, type Scheme, withOpacity } from './palette.ts';
import classes from './time-series-chart.module.css';
import { TOOLTIP_CLASSES } from './tooltip-classes.ts';

/** Pairs of numbers, `x` rising. Units: those of `units`, and of the chart's horizontal axis. */
export interface NumberSeries {
  id: string;
  label: string;
  units: string | null;
  /** Its place among the colours. */
  style: number;
  x: readonly number[];
  y: readonly number[];
}

export interface NumberChartProps {
  title: string;
  /** What stands right of the title. */
  note?: string;
  xLabel: string;
  xUnits: string | null;
  kind: 'points' | 'columns' | 'line';
  series: readonly NumberSeries[];
  height?: number;
}

/** Numbers over numbers: points, columns or lines. */
export function NumberChart(props: NumberChartProps) {
  const { title, note, xLabel, xUnits, kind, series, height = 380 } = props;
  const { t } = useTranslation();
  const host = useRef<HTMLDivElement>(null);
  const summaryId = useId();
  const scheme = useComputedColorScheme('light') as Scheme;
  const isEmpty = series.every(({ x }) => x.length === 0);
  const build = useEffectEvent((element: HTMLDivElement) => plot(element, props, scheme));

  // biome-ignore lint/correctness/useExhaustiveDependencies: what the chart is built from.
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const chart = build(element);
    const observer = new ResizeObserver(() => {
      const width = element.clientWidth;
      if (width > 0 && width !== chart.width) chart.setSize({ width, height: chart.height });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [series, kind, xUnits, scheme, height]);

  const saveCsv = () => askCsv({ title, table: () => numbersTable(props) });
  const savePicture = async () => {
    const canvas = host.current?.querySelector('canvas');
    if (!canvas || !host.current) return;
    const theme = readTheme(host.current, scheme);
    const legend = series.map((one) => ({
      label: one.label,
      colour: lineStyle(one.style, scheme).colour,
      text: '',
    }));
    const { surface: ground, text, dimmed, fontFamily: font } = theme;
    const picture = await chartToPicture(canvas, title, legend, { ground, text, dimmed, font });
    if (picture) saveFile(picture, fileName(title, 'png'));
  };
  return (
    <figure className={classes.chart} style={{ margin: 0 }} aria-label={title}>
      <ChartHead title={title} note={note} isEmpty={isEmpty} onCsv={saveCsv} onPicture={savePicture} />
      <div
        ref={host}
        className={classes.plot}
        style={{ minHeight: height }}
        role="img"
        aria-label={t('chart.of', { title })}
        aria-describedby={summaryId}
      >
        {isEmpty ? <div className={classes.empty}>{t('chart.empty')}</div> : null}
      </div>
      <p id={summaryId} className={classes.axis}>
        {xLabel}
      </p>
      <ul className={classes.names}>
        {series.map((one) => (
          <li key={one.id}>
            <span style={{ background: lineStyle(one.style, scheme).colour }} aria-hidden />
            {one.label}
          </li>
        ))}
      </ul>
    </figure>
  );
}

const NO_SPAN = { from: 0, to: 1 };

function plot(element: HTMLDivElement, props: NumberChartProps, scheme: Scheme): uPlot {
  const { kind, series, xUnits, height = 380 } = props;
  const theme = readTheme(element, scheme);
  const x = baseUnit(xUnits);
  const all = rows(series, x.factor);
  const pitch = pitchOf(series[0]?.x ?? []) * x.factor;
  const lines = series.map(({ label, units, style }, i): LineShape => {
    const width = (0.9 * pitch) / series.length;
    const column = kind === 'columns' ? { offsetMs: i * width, widthMs: width } : null;
    return { label, unit: baseUnit(units).unit, isBanded: false, style, isStepped: false, column };
  });
  const tooltip = new ChartTooltip({
    lines,
    timeZone: 'UTC',
    scheme,
    stepMs: 1,
    headOf: (value) => formatValue(value, x.unit),
    classes: TOOLTIP_CLASSES,
  });
  const options = chartOptions(
    { width: Math.max(120, element.clientWidth), height, lines, timeZone: 'UTC', theme, isLive: true },
    { setCursor: [(chart) => tooltip.show(chart)] },
    () => NO_SPAN,
  );
  const xs = all[0] as number[];
  const [low, high] = [xs[0] ?? 0, (xs.at(-1) ?? 1) + (kind === 'columns' ? pitch : 0)];
  const room = kind === 'points' ? (high - low || 1) * 0.03 : 0;
  const chart = new uPlot(
    {
      ...options,
      cursor: { x: true, y: false, drag: { x: false, y: false }, points: { size: 7, width: 2 } },
      scales: { ...options.scales, x: { time: false, range: () => [low - room, high + room || 1] } },
      axes: (options.axes ?? []).map((axis, i) =>
        i === 0 ? { ...axis, size: 30, values: (_, ticks) => formatAxis(ticks, x.unit) } : axis,
      ),
      series: (options.series ?? []).map((one, column) =>
        kind === 'points' && column % 3 === 1 ? { ...one, ...dotsOf(column, lines, scheme) } : one,
      ),
    },
    all,
    element,
  );
  tooltip.attach(chart);
  return chart;
}

function dotsOf(column: number, lines: readonly LineShape[], scheme: Scheme): Partial<uPlot.Series> {
  const line = lines.findIndex((_, i) => avgColumn(i) === column);
  const { colour } = lineStyle(lines[line]?.style ?? 0, scheme);
  return {
    paths: () => null,
    points: { show: true, size: 5, width: 0, stroke: colour, fill: withOpacity(colour, 0.55) },
  };
}

/** All pairs in the base units, in the order of `x`; a series has nothing where another one has its pairs. */
function rows(series: readonly NumberSeries[], xFactor: number): uPlot.AlignedData {
  const pairs = series.flatMap(({ x, y, units }, i) => {
    const { factor } = baseUnit(units);
    return x.map((at, n) => ({ at: at * xFactor, i, value: (y[n] ?? Number.NaN) * factor }));
  });
  pairs.sort((a, b) => a.at - b.at);
  const nothing = pairs.map(() => undefined);
  return [
    pairs.map(({ at }) => at),
    ...series.flatMap((_, i) => [
      pairs.map((pair) => (pair.i === i && Number.isFinite(pair.value) ? pair.value : undefined)),
      nothing,
      nothing,
    ]),
  ] as uPlot.AlignedData;
}

const pitchOf = (x: readonly number[]): number => (x.length > 1 ? (x[1] ?? 0) - (x[0] ?? 0) : 1);

function numbersTable({ xLabel, xUnits, series }: NumberChartProps): CsvTable {
  // Lines of several units stand below one another.
  const units = new Set(series.map((one) => one.units));
  const [shared = null] = units.size === 1 ? units : [];
  const named = (label: string, own: string | null) => (own && !shared ? `${label} [${own}]` : label);
  return {
    columns: [{ title: 'series' }, { title: xLabel, units: xUnits }, { title: 'value', units: shared }],
    rows: series.flatMap((one) => one.x.map((at, i) => [named(one.label, one.units), at, one.y[i] ?? null])),
  };
}
