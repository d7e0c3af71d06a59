import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import uPlot from 'uplot';
import type { Span } from '../time-range/time-range.ts';
import { listenToGestures } from './chart-gestures.ts';
import { type ChartMark, paintMarks } from './chart-marks.ts';
import { avgColumn, type Clip, COLUMNS, chartOptions, type LineShape, scaleOf } from './chart-options.ts';
import { paintPartial, paintZero } from './chart-partial.ts';
import { type ChartTheme, readTheme } from './chart-theme.ts';
import { ChartTooltip, type TooltipContext } from './chart-tooltip.ts';
import { setHovered } from './cursor-time.ts';
import { glide, isZoom } from './glide.ts';
import type { Scheme } from './palette.ts';
import type { ChartFrame, Extent } from './series-data.ts';

export interface PlotProps {
  frame: ChartFrame;
  lines: readonly LineShape[];
  span: Span;
  height: number;
  timeZone: string;
  scheme: Scheme;
  stepMs: number;
  /** Lines that are not drawn, by their place. */
  hidden: ReadonlySet<number>;
  /** By base unit: what axes cover besides these lines. */
  extents: ReadonlyMap<string, Extent>;
  /** The largest value by base unit, whose prefix all its values share. */
  reaches: ReadonlyMap<string, number>;
  /** The line that stands out while the others fade; null for none. */
  focused: number | null;
  classes: TooltipContext['classes'];
  clip: Clip | undefined;
  marks: readonly ChartMark[];
  /** The instant that the crosshair is pinned to; undefined where it cannot be. */
  pinned: number | null | undefined;
  onPin: ((at: number | null) => void) | undefined;
  onZoom: (span: Span) => void;
  onZoomOut: () => void;
}

/**
 * Draws the frame into `host` and keeps the drawing in step with the properties. Only what changes the shape of the
 * chart (its lines, scheme, zone) builds a new one; data, span and size are handed over to the existing one.
 */
export function useUplot(host: RefObject<HTMLDivElement | null>, props: PlotProps): RefObject<uPlot | null> {
  const plot = useRef<uPlot | null>(null);
  const shown = useRef<Span>(props.span);
  const shape = JSON.stringify([props.lines, props.timeZone, props.scheme, props.height, props.clip]);

  const preview = useEffectEvent((span: Span) => {
    shown.current = span;
    plot.current?.setScale('x', { min: span.from, max: span.to });
  });
  const stopGlide = useRef(() => {});
  /** As `preview`, on the way that leads there. */
  const move = useEffectEvent((span: Span) => {
    stopGlide.current();
    if (isZoom(shown.current, span)) stopGlide.current = glide(shown.current, span, preview);
    else preview(span);
  });
  const zoom = useEffectEvent((span: Span) => {
    if (!(span.to - span.from >= 1)) return;
    move(span);
    props.onZoom(span);
  });
  const zoomOut = useEffectEvent(() => props.onZoomOut());
  const extentOf = useEffectEvent((unit: string) => props.extents.get(unit));
  const marks = useEffectEvent(() => props.marks);
  const reachOf = useEffectEvent((unit: string) => props.reaches.get(unit));
  const partialOf = useEffectEvent((line: number) => props.frame.columns[line]?.partial ?? NONE);
  const paint = useEffectEvent((chart: uPlot, theme: ChartTheme) => {
    const lines = props.lines.map((line, i) => ({
      ...line,
      at: avgColumn(i),
      scale: scaleOf(line.unit),
      partial: props.frame.columns[i]?.partial ?? NONE,
    }));
    paintPartial(chart, lines, theme);
    paintMarks(chart, props.marks, props.pinned ?? null, theme);
  });
  const pin = useEffectEvent((at: number | null) => {
    if (at !== null) props.onPin?.(at === props.pinned ? null : at);
  });
  const build = useEffectEvent((element: HTMLDivElement) => {
    const tooltip = new ChartTooltip({
      ...props,
      marks: () => marks(),
      reachOf: (unit) => reachOf(unit),
      partialOf: (line) => partialOf(line),
    });
    const theme = readTheme(element, props.scheme);
    const select = (chart: uPlot) => {
      const { left, width } = chart.select;
      if (width < 4) return;
      chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
      tooltip.hide();
      zoom({
        from: Math.round(chart.posToVal(left, 'x')),
        to: Math.round(chart.posToVal(left + width, 'x')),
      });
    };
    const hooks: uPlot.Hooks.Arrays = {
      setSelect: [select],
      setCursor: [
        (chart) => {
          if (!isUnderPointer(chart)) return tooltip.hide();
          tooltip.show(chart);
          setHovered(timeAt(chart));
        },
      ],
      drawAxes: [(chart) => paintZero(chart, theme)],
      draw: [(chart) => paint(chart, theme)],
    };
    const options = chartOptions(
      {
        width: Math.max(120, element.clientWidth),
        height: props.height,
        lines: props.lines,
        timeZone: props.timeZone,
        theme,
        isLive: false,
        extentOf: (unit) => extentOf(unit),
        clip: props.clip,
        partialOf: (line) => partialOf(line),
      },
      hooks,
      () => shown.current,
    );
    const chart = new uPlot(options, toData(props.frame), element);
    tooltip.attach(chart);
    chart.over.addEventListener('click', () => pin(timeAt(chart)));
    chart.over.addEventListener('mouseleave', () => setHovered(null));
    return { chart, tooltip };
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` stands for everything the chart is built from.
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const { chart, tooltip } = build(element);
    plot.current = chart;
    const stopGestures = listenToGestures(chart, element, {
      span: () => shown.current,
      onPreview: preview,
      onZoom: zoom,
      onZoomOut: () => zoomOut(),
      onPin: () => pin(timeAt(chart)),
    });
    const observer = new ResizeObserver(() => {
      const width = element.clientWidth;
      if (width > 0 && width !== chart.width) chart.setSize({ width, height: chart.height });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      stopGestures();
      tooltip.hide();
      chart.destroy();
      plot.current = null;
    };
  }, [host, shape]);

  useEffect(() => {
    const span = { from: props.span.from, to: props.span.to };
    const chart = plot.current;
    if (!chart) {
      shown.current = span;
      return;
    }
    if (chart.data[0] !== props.frame.times) chart.setData(toData(props.frame), true);
    move(span);
  }, [props.frame, props.span.from, props.span.to]);
  useEffect(() => () => stopGlide.current(), []);

  const { marks: shownMarks, pinned } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is painted over the lines changed.
  useEffect(() => plot.current?.redraw(false), [shownMarks, pinned]);

  const { hidden, focused, lines } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a chart built anew shows all its lines again.
  useEffect(() => {
    const chart = plot.current;
    if (!chart) return;
    for (let line = 0; line < lines.length; line++) {
      const isShown = !hidden.has(line);
      const column = avgColumn(line);
      if (chart.series[column]?.show === isShown) continue;
      for (let i = 0; i < COLUMNS; i++) chart.setSeries(column + i, { show: isShown });
    }
  }, [hidden, lines.length, shape]);
  useEffect(() => {
    plot.current?.setSeries(focused === null ? null : avgColumn(focused), { focus: true });
  }, [focused]);
  return plot;
}

const NONE: ReadonlySet<number> = new Set();

/** The time of the point under the crosshair. */
function timeAt(chart: uPlot): number | null {
  const { idx, left = -1 } = chart.cursor;
  const at = idx === null || idx === undefined || left < 0 ? undefined : chart.data[0][idx];
  return typeof at === 'number' ? at : null;
}

/** Columns in the order of `chartOptions`. */
function toData(frame: ChartFrame): uPlot.AlignedData {
  return [frame.times, ...frame.columns.flatMap(({ avg, min, max }) => [avg, min, max])];
}

/** Charts that only share the crosshair of another one show no tooltip; one that the keyboard moves does. */
function isUnderPointer(chart: uPlot): boolean {
  return chart.over.matches(':hover') || chart.root.parentElement === document.activeElement;
}
