import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useEffectEvent, useRef } from 'react';
import uPlot from 'uplot';
import { baseUnit } from '../units/units.ts';
import { avgColumn, chartOptions, type LineShape } from './chart-options.ts';
import { readTheme } from './chart-theme.ts';
import { ChartTooltip } from './chart-tooltip.ts';
import type { LiveBuffer } from './live-buffer.ts';
import type { Scheme } from './palette.ts';
import classes from './time-series-chart.module.css';
import { TOOLTIP_CLASSES } from './tooltip-classes.ts';

/** Between samples the chart moves on at this pace, ms; a new sample is painted in the next frame. */
const GLIDE_MS = 50;

export interface LiveChartProps {
  label: string;
  buffer: LiveBuffer;
  /** Units of the buffer's fields, in their order. */
  units: readonly (string | null)[];
  windowMs: number;
  isPaused: boolean;
  timeZone: string;
  height?: number;
}

/**
 * A chart at the rate of arrival: it reads the buffer once a frame and paints by itself, so that a sample costs no
 * render of React. While paused it stands still and the buffer goes on filling.
 */
export function LiveChart({
  label,
  buffer,
  units,
  windowMs,
  isPaused,
  timeZone,
  height = 320,
}: LiveChartProps) {
  const host = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light') as Scheme;
  const edge = useRef(buffer.edgeAt(Date.now()));
  const shape = JSON.stringify([buffer.fields, units, timeZone, scheme, height]);

  const span = useEffectEvent(() => ({ from: edge.current - windowMs, to: edge.current }));
  const build = useEffectEvent((element: HTMLDivElement): uPlot => {
    const lines: LineShape[] = buffer.fields.map((field, index) => ({
      label: field,
      unit: baseUnit(units[index]).unit,
      isBanded: false,
      style: index,
      isStepped: false,
    }));
    const tooltip = new ChartTooltip({ lines, timeZone, scheme, stepMs: 1, classes: TOOLTIP_CLASSES });
    const chart = new uPlot(
      chartOptions(
        {
          width: Math.max(120, element.clientWidth),
          height,
          lines,
          timeZone,
          theme: readTheme(element, scheme),
          isLive: true,
        },
        { setCursor: [(one) => tooltip.show(one)] },
        () => span(),
      ),
      toData(buffer, units),
      element,
    );
    tooltip.attach(chart);
    return chart;
  });
  const paint = useEffectEvent((chart: uPlot) => {
    edge.current = buffer.edgeAt(Date.now());
    chart.setData(toData(buffer, units), true);
  });
  const isStill = useEffectEvent(() => isPaused);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` stands for everything the chart is built from.
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const chart = build(element);
    let painted = -1;
    let paintedAt = 0;
    const draw = (now: number) => {
      frame = requestAnimationFrame(draw);
      if (isStill() || (buffer.version === painted && now - paintedAt < GLIDE_MS)) return;
      painted = buffer.version;
      paintedAt = now;
      paint(chart);
    };
    let frame = requestAnimationFrame(draw);
    const observer = new ResizeObserver(() => {
      if (element.clientWidth > 0) chart.setSize({ width: element.clientWidth, height });
    });
    observer.observe(element);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      chart.destroy();
    };
  }, [buffer, shape]);

  return (
    <div ref={host} className={classes.plot} style={{ minHeight: height }} role="img" aria-label={label} />
  );
}

/** The buffer's columns as the chart numbers them; the columns of the band stay empty. */
function toData(buffer: LiveBuffer, units: readonly (string | null)[]): uPlot.AlignedData {
  const data: uPlot.AlignedData = [buffer.times];
  for (const [index, column] of buffer.columns.entries()) {
    const { factor } = baseUnit(units[index]);
    data[avgColumn(index)] =
      factor === 1 ? column : column.map((value) => (value === null ? null : value * factor));
    data[avgColumn(index) + 1] = NOTHING;
    data[avgColumn(index) + 2] = NOTHING;
  }
  return data;
}

const NOTHING: null[] = [];
