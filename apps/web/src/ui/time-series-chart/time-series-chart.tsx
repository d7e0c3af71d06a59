import 'uplot/dist/uPlot.min.css';
import type { SeriesStats } from '@albedo/contract/telemetry/telemetry.schema';
import { ActionIcon, Menu, Tooltip, useComputedColorScheme } from '@mantine/core';
import { IconTable, IconZoomOut } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { type ReactNode, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { askCsv } from '../csv/csv-ask.ts';
import type { Span } from '../time-range/time-range.ts';
import { formatInstant, zoneLabel } from '../time-range/zoned-time.ts';
import { baseUnit, formatAlike } from '../units/units.ts';
import { chartToPicture, fileName, saveFile, seriesTable } from './chart-export.ts';
import { ChartHead } from './chart-head.tsx';
import { ChartLegend } from './chart-legend.tsx';
import type { ChartMark } from './chart-marks.ts';
import type { Clip } from './chart-options.ts';
import { ChartTable } from './chart-table.tsx';
import { readTheme } from './chart-theme.ts';
import { lineStyle, type Scheme } from './palette.ts';
import { buildFrame, type ChartSeries, type Extent, reachesOf } from './series-data.ts';
import classes from './time-series-chart.module.css';
import { TOOLTIP_CLASSES } from './tooltip-classes.ts';
import { useUplot } from './use-uplot.ts';

const NO_LINES: ReadonlySet<number> = new Set();
const NO_MARKS: readonly ChartMark[] = [];
const OWN_EXTENTS: ReadonlyMap<string, Extent> = new Map();

export interface TimeSeriesChartProps {
  title: string;
  series: readonly ChartSeries[];
  /** What the time axis covers, whether there are points or not. */
  span: Span;
  timeZone: string;
  /** Whose clocks the axis goes by, where that is not the zone alone. */
  zoneName?: string | undefined;
  /** The name of the range, where it is not that of the page. */
  rangeName?: string | undefined;
  height?: number;
  /** What the legend takes at most, px; 0 leaves it out. */
  legendHeight?: number;
  /** New points are on their way; the old ones stay. */
  isRefreshing?: boolean;
  /** By base unit: what its axis covers besides its own lines, so that charts beside each other compare. */
  extents?: ReadonlyMap<string, Extent>;
  /** Said in place of the lines when there are none. */
  emptyText?: string;
  onZoom: (span: Span) => void;
  onZoomOut: () => void;
  canZoomOut?: boolean;
  /** More tools in the head of the chart. */
  tools?: ReactNode;
  /** Lines, or columns beside each other. */
  style?: 'line' | 'column';
  clip?: Clip;
  marks?: readonly ChartMark[];
  /** Where the crosshair is pinned; with it the legend lists the values there. */
  pinned?: number | null;
  onPin?: (at: number | null) => void;
}

/**
 * Time series with a crosshair shared by the charts of the page, zoom by dragging, one axis for each unit, and the band
 * between smallest and largest value where points were thinned. The parent asks for new points when it is zoomed.
 */
export function TimeSeriesChart(props: TimeSeriesChartProps) {
  const { title, series, span, timeZone, height = 280, isRefreshing = false, onZoom, onZoomOut } = props;
  const { t } = useTranslation();
  const scheme = useComputedColorScheme('light') as Scheme;
  const host = useRef<HTMLDivElement>(null);
  const [hidden, setHidden] = useState<ReadonlySet<number>>(NO_LINES);
  const [focused, setFocused] = useState<number | null>(null);
  const [isTable, setIsTable] = useState(false);
  const summaryId = useId();

  const frame = useMemo(() => buildFrame(series), [series]);
  const stats = useMemo(() => series.map((one) => one.points.stats), [series]);
  const reaches = useMemo(() => reachesOf(series), [series]);
  const steps = series.map((one) => one.points.stepMs).filter((step) => step > 0);
  const columnMs = props.style === 'column' ? pitchOf(frame.times, steps) : 0;
  const lines = useMemo(
    () =>
      series.map((one, index) => ({
        label: one.label,
        unit: baseUnit(one.units).unit,
        isBanded: columnMs === 0 && !one.ghost && (frame.columns[index]?.isBanded ?? false),
        style: one.style ?? index,
        isStepped: one.isStepped ?? false,
        ghost: one.ghost ?? null,
        column: columnMs > 0 ? columnOf(index, series.length, columnMs) : null,
      })),
    [series, frame, columnMs],
  );
  useUplot(host, {
    frame,
    lines,
    span,
    height,
    timeZone,
    scheme,
    stepMs: steps.length > 0 ? Math.min(...steps) : 0,
    hidden,
    extents: props.extents ?? OWN_EXTENTS,
    reaches,
    focused,
    clip: props.clip,
    marks: props.marks ?? NO_MARKS,
    pinned: props.pinned,
    onPin: props.onPin,
    classes: TOOLTIP_CLASSES,
    onZoom,
    onZoomOut,
  });

  const isEmpty = stats.every((one) => one.last === null);
  const saveCsv = () => askCsv({ title, zone: timeZone, table: () => seriesTable(series) });
  const savePicture = async () => {
    const canvas = host.current?.querySelector('canvas');
    if (!canvas || !host.current) return;
    const theme = readTheme(host.current, scheme);
    const legend = series.flatMap((one, index) => {
      if (hidden.has(index)) return [];
      const { colour } = lineStyle(one.style ?? index, scheme);
      return [{ label: one.label, colour, text: statsText(t, stats[index], one.units) }];
    });
    const picture = await chartToPicture(canvas, title, legend, {
      ground: theme.surface,
      text: theme.text,
      dimmed: theme.dimmed,
      font: theme.fontFamily,
    });
    if (picture) saveFile(picture, fileName(title, 'png'));
  };

  return (
    <figure className={classes.chart} style={{ margin: 0 }} aria-label={title}>
      <ChartHead
        title={title}
        note={[props.rangeName, props.zoneName ?? zoneLabel(timeZone, span.to)].filter(Boolean).join(' · ')}
        isEmpty={isEmpty}
        onCsv={saveCsv}
        onPicture={savePicture}
        tools={
          <>
            {props.tools}
            {props.canZoomOut ? (
              <Tooltip label={t('chart.zoomOutHint')}>
                <ActionIcon variant="subtle" color="gray" onClick={onZoomOut} aria-label={t('chart.zoomOut')}>
                  <IconZoomOut size={18} />
                </ActionIcon>
              </Tooltip>
            ) : null}
          </>
        }
        items={
          <Menu.Item leftSection={<IconTable size={16} />} onClick={() => setIsTable(!isTable)}>
            {t(isTable ? 'chart.hideTable' : 'chart.showTable')}
          </Menu.Item>
        }
      />
      {/* biome-ignore lint/a11y/useSemanticElements: a canvas with gestures has no element of its own. */}
      <div
        ref={host}
        className={classes.plot}
        style={{ minHeight: height }}
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the crosshair.
        tabIndex={0}
        aria-label={t('chart.of', { title })}
        aria-describedby={summaryId}
      >
        {isRefreshing ? <div className={classes.busy} /> : null}
        {isEmpty ? <div className={classes.empty}>{props.emptyText ?? t('chart.empty')}</div> : null}
      </div>
      <p id={summaryId} hidden>
        {t('chart.span', { from: formatInstant(span.from, timeZone), to: formatInstant(span.to, timeZone) })}{' '}
        {series.map((one, index) => `${one.label}: ${statsText(t, stats[index], one.units)}. `).join('')}
        {t('chart.keys')}
      </p>
      {series.length > 0 && props.legendHeight !== 0 ? (
        <ChartLegend
          title={title}
          height={props.legendHeight}
          series={series}
          stats={stats}
          scheme={scheme}
          hidden={hidden}
          onHide={setHidden}
          onFocus={setFocused}
          pinned={props.pinned}
        />
      ) : null}
      {isTable ? <ChartTable label={title} series={series} timeZone={timeZone} /> : null}
    </figure>
  );
}

/** The distance of columns, ms. */
function pitchOf(times: readonly number[], steps: readonly number[]): number {
  if (steps.length > 0) return Math.min(...steps);
  const least = times.reduce(
    (pause, at, i) => (i === 0 ? pause : Math.min(pause, at - (times[i - 1] ?? at))),
    Number.POSITIVE_INFINITY,
  );
  return Number.isFinite(least) ? least : 3_600_000;
}

/** Columns of one instant share four fifths of the room until the next. */
const columnOf = (index: number, count: number, pitchMs: number) => ({
  offsetMs: pitchMs * (0.1 + (0.8 * index) / count),
  widthMs: (0.8 * pitchMs) / count,
});

function statsText(t: TFunction, stats: SeriesStats | undefined, units: string | null): string {
  if (!stats || stats.last === null) return t('chart.noValues');
  const { last, min, avg, max } = stats;
  const texts = formatAlike([last, min, avg, max], units);
  return t('chart.stats', { last: texts[0], min: texts[1], avg: texts[2], max: texts[3] });
}
