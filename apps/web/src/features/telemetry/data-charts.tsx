import type { Device } from '@albedo/contract/devices/devices.schema';
import { Skeleton } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceZone } from '../../app/device-zone.ts';
import { type Layout, planCharts } from '../../app/series/chart-layout.ts';
import { type ChartLine, lineLabel, lineToText } from '../../app/series/chart-lines.ts';
import { ChartCard, ChartColumn } from '../../app/series/picked-charts.tsx';
import { isStepped, unitsOf } from '../../app/series/source-groups.ts';
import { useSpan, useZoom } from '../../app/series/use-span.ts';
import { useWorkgroup } from '../../app/session.ts';
import { ErrorState } from '../../ui/states.tsx';
import type { TimeRangeChoice } from '../../ui/time-range/time-range.ts';
import { resolveZone } from '../../ui/time-range/time-zone.ts';
import { type ChartSeries, extentsOf } from '../../ui/time-series-chart/series-data.ts';
import { TimeSeriesChart } from '../../ui/time-series-chart/time-series-chart.tsx';
import { seriesQuery } from './telemetry.queries.ts';

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
  const zone = resolveZone(time.zone, deviceZone(device));
  const span = useSpan(time, zone);
  const { zoom, zoomOut, canZoomOut } = useZoom(time, span, onTime);
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

  return (
    <ChartColumn ref={ref}>
      {query.isError ? (
        <ErrorState
          title={t('telemetry.data.failed')}
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      ) : null}
      {charts.map((chart, index) =>
        series ? (
          <ChartCard key={chart.key}>
            <TimeSeriesChart
              title={chart.title}
              series={chartSeries[index] ?? []}
              span={span}
              timeZone={zone}
              height={charts.length === 1 ? 380 : 240}
              {...(extents ? { extents } : {})}
              isRefreshing={query.isFetching && query.isPlaceholderData}
              {...(query.isPlaceholderData ? { emptyText: t('telemetry.data.loading') } : {})}
              canZoomOut={canZoomOut}
              onZoom={zoom}
              onZoomOut={zoomOut}
            />
          </ChartCard>
        ) : query.isError ? null : (
          <Skeleton key={chart.key} height={charts.length === 1 ? 500 : 360} radius={8} />
        ),
      )}
    </ChartColumn>
  );
}

const NO_STATS = { count: 0, min: null, avg: null, max: null, last: null };
const NO_POINTS = { stepMs: 0, times: [], min: [], avg: [], max: [], stats: NO_STATS };
