import type { Device } from '@albedo/contract/devices/devices.schema';
import { Skeleton } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { ErrorState } from '../../ui/states.tsx';
import {
  refreshIntervalMs,
  resolveRange,
  type Span,
  type TimeRangeChoice,
  untilNow,
} from '../../ui/time-range/time-range.ts';
import { resolveZone } from '../../ui/time-range/time-zone.ts';
import { type ChartSeries, extentsOf } from '../../ui/time-series-chart/series-data.ts';
import { TimeSeriesChart } from '../../ui/time-series-chart/time-series-chart.tsx';
import { planCharts } from './chart-layout.ts';
import { type ChartLine, lineLabel, lineToText } from './chart-lines.ts';
import classes from './data-explorer.module.css';
import { isStepped, unitsOf } from './source-groups.ts';
import { seriesQuery } from './telemetry.queries.ts';
import type { Layout } from './use-data-address.ts';

/** Widths are rounded up to this many pixels, so that a small change of the window asks for nothing new. */
const WIDTH_STEP = 200;

interface ChartsProps {
  device: Device;
  lines: ChartLine[];
  layout: Layout;
  time: TimeRangeChoice;
  tables: Parameters<typeof unitsOf>[0];
  onTime: (time: TimeRangeChoice) => void;
}

/** The chosen lines in their charts; a zoom asks for the points of the new range at its own resolution. */
export function DataCharts({ device, lines, layout, time, tables, onTime }: ChartsProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { ref, width } = useElementSize();
  const zone = resolveZone(time.zone, device.meta.timezone ?? null);
  const span = useSpan(time, zone);
  const [history, setHistory] = useState<TimeRangeChoice[]>([]);
  const maxPoints = Math.min(10_000, Math.max(400, Math.ceil(width / WIDTH_STEP) * WIDTH_STEP));
  const query = useQuery({
    ...seriesQuery({
      wg,
      series: lines.map((line) => ({ device: device.id, ...line })),
      from: span.from,
      to: span.to,
      maxPoints,
    }),
    enabled: width > 0,
    // The points of the last range stay while new ones come.
    placeholderData: keepPreviousData,
  });

  const units = useMemo(() => lines.map((line) => unitsOf(tables, line.table, line.field)), [lines, tables]);
  const steps = useMemo(
    () => lines.map((line) => isStepped(tables, line.table, line.field)),
    [lines, tables],
  );
  const answer = query.data;
  const series = useMemo(() => {
    if (!answer) return undefined;
    // While new lines load, the answer still has those of before, in another order.
    const known = new Map(answer.series.map((key, place) => [lineToText(key), answer.points[place]]));
    return lines.map(
      (line, place): ChartSeries => ({
        id: lineToText(line),
        label: lineLabel(line, lines),
        units: units[place] ?? null,
        style: place,
        isStepped: steps[place] ?? false,
        points: known.get(lineToText(line)) ?? NO_POINTS,
      }),
    );
  }, [lines, units, steps, answer]);
  const charts = useMemo(() => planCharts(lines, units, layout), [lines, units, layout]);
  const chartSeries = useMemo(
    () => charts.map((chart) => (series ? chart.lines.flatMap((place) => series[place] ?? []) : [])),
    [charts, series],
  );

  // Charts of one line each are read beside each other.
  const extents = useMemo(
    () => (layout === 'each' && series ? extentsOf(series) : undefined),
    [layout, series],
  );

  const zoom = (to: Span) => {
    setHistory([...history, time]);
    onTime({ ...time, range: { kind: 'absolute', ...to }, isRefreshing: false });
  };
  const zoomOut = () => {
    const before = history.at(-1);
    if (before) {
      setHistory(history.slice(0, -1));
      return onTime(before);
    }
    const length = span.to - span.from;
    onTime({
      ...time,
      range: {
        kind: 'absolute',
        from: span.from - length / 2,
        to: Math.min(span.to + length / 2, Date.now()),
      },
      isRefreshing: false,
    });
  };

  return (
    <div ref={ref} className={classes.charts}>
      {query.isError ? (
        <ErrorState
          title={t('telemetry.data.failed')}
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      ) : null}
      {charts.map((chart, index) =>
        series ? (
          <div key={chart.key} className={classes.card}>
            <TimeSeriesChart
              title={chart.title}
              series={chartSeries[index] ?? []}
              span={span}
              timeZone={zone}
              height={charts.length === 1 ? 380 : 240}
              {...(extents ? { extents } : {})}
              isRefreshing={query.isFetching && query.isPlaceholderData}
              {...(query.isPlaceholderData ? { emptyText: t('telemetry.data.loading') } : {})}
              canZoomOut={history.length > 0 || time.range.kind === 'absolute'}
              onZoom={zoom}
              onZoomOut={zoomOut}
            />
          </div>
        ) : query.isError ? null : (
          <Skeleton key={chart.key} height={charts.length === 1 ? 500 : 360} radius={8} />
        ),
      )}
    </div>
  );
}

const NO_STATS = { count: 0, min: null, avg: null, max: null, last: null };
const NO_POINTS = { stepMs: 0, times: [], min: [], avg: [], max: [], stats: NO_STATS };

/** The instants of the range; one that follows the clock is recomputed at its own pace, others when they change. */
function useSpan(time: TimeRangeChoice, zone: string): Span {
  const length = useMemo(() => resolveRange(time.range, Date.now(), zone), [time.range, zone]);
  const tick = useNow(time.isRefreshing ? refreshIntervalMs(length) : 3_600_000);
  const anchor = time.isRefreshing ? tick : 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the clock counts only while the range follows it.
  return useMemo(() => {
    const now = Date.now();
    return untilNow(resolveRange(time.range, now, zone), now);
  }, [time.range, zone, anchor]);
}
