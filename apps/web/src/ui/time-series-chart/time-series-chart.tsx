import 'uplot/dist/uPlot.min.css';
import type { SeriesStats } from '@albedo/contract/telemetry/telemetry.schema';
import { ActionIcon, Menu, Tooltip, useComputedColorScheme } from '@mantine/core';
import { IconDots, IconFileTypeCsv, IconPhoto, IconTable, IconZoomOut } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { type ReactNode, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Span } from '../time-range/time-range.ts';
import { formatInstant, zoneLabel } from '../time-range/zoned-time.ts';
import { baseUnit, formatValue } from '../units/units.ts';
import { chartToPicture, fileName, saveFile, seriesToCsv } from './chart-export.ts';
import { ChartLegend } from './chart-legend.tsx';
import { ChartTable } from './chart-table.tsx';
import { readTheme } from './chart-theme.ts';
import { lineStyle, type Scheme } from './palette.ts';
import { buildFrame, type ChartSeries, type Extent } from './series-data.ts';
import classes from './time-series-chart.module.css';
import { TOOLTIP_CLASSES } from './tooltip-classes.ts';
import { useUplot } from './use-uplot.ts';

const NO_LINES: ReadonlySet<number> = new Set();
const OWN_EXTENTS: ReadonlyMap<string, Extent> = new Map();

export interface TimeSeriesChartProps {
  title: string;
  series: readonly ChartSeries[];
  /** What the time axis covers, whether there are points or not. */
  span: Span;
  timeZone: string;
  height?: number;
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
  const lines = useMemo(
    () =>
      series.map((one, index) => ({
        label: one.label,
        unit: baseUnit(one.units).unit,
        isBanded: frame.columns[index]?.isBanded ?? false,
        style: one.style ?? index,
        isStepped: one.isStepped ?? false,
      })),
    [series, frame],
  );
  const steps = series.map((one) => one.points.stepMs).filter((step) => step > 0);
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
    focused,
    classes: TOOLTIP_CLASSES,
    onZoom,
    onZoomOut,
  });

  const isEmpty = stats.every((one) => one.last === null);
  const saveCsv = () =>
    saveFile(
      new Blob([seriesToCsv(series, timeZone)], { type: 'text/csv;charset=utf-8' }),
      fileName(title, 'csv'),
    );
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
      <div className={classes.head}>
        <h2 className={classes.title}>{title}</h2>
        <span className={classes.zone}>{zoneLabel(timeZone, span.to)}</span>
        {props.tools}
        {props.canZoomOut ? (
          <Tooltip label={t('chart.zoomOutHint')}>
            <ActionIcon variant="subtle" color="gray" onClick={onZoomOut} aria-label={t('chart.zoomOut')}>
              <IconZoomOut size={18} />
            </ActionIcon>
          </Tooltip>
        ) : null}
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={t('chart.menuOf', { title })}>
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconTable size={16} />} onClick={() => setIsTable(!isTable)}>
              {t(isTable ? 'chart.hideTable' : 'chart.showTable')}
            </Menu.Item>
            <Menu.Item leftSection={<IconFileTypeCsv size={16} />} onClick={saveCsv} disabled={isEmpty}>
              {t('chart.saveCsv')}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconPhoto size={16} />}
              onClick={() => void savePicture()}
              disabled={isEmpty}
            >
              {t('chart.savePicture')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
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
      {series.length > 0 ? (
        <ChartLegend
          title={title}
          series={series}
          stats={stats}
          scheme={scheme}
          hidden={hidden}
          onHide={setHidden}
          onFocus={setFocused}
        />
      ) : null}
      {isTable ? <ChartTable label={title} series={series} timeZone={timeZone} /> : null}
    </figure>
  );
}

function statsText(t: TFunction, stats: SeriesStats | undefined, units: string | null): string {
  if (!stats || stats.last === null) return t('chart.noValues');
  const text = (value: number | null) => formatValue(value, units);
  return t('chart.stats', {
    last: text(stats.last),
    min: text(stats.min),
    avg: text(stats.avg),
    max: text(stats.max),
  });
}
