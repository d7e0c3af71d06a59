import type { Device, LatestSource } from '@albedo/contract/devices/devices.schema';
import { Button, Drawer, SegmentedControl, Skeleton } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconListCheck } from '@tabler/icons-react';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import {
  refreshIntervalMs,
  resolveRange,
  type Span,
  type TimeRangeChoice,
  untilNow,
} from '../../ui/time-range/time-range.ts';
import { TimeRangePicker } from '../../ui/time-range/time-range-picker.tsx';
import { resolveZone } from '../../ui/time-range/time-zone.ts';
import type { ChartSeries } from '../../ui/time-series-chart/series-data.ts';
import { TimeSeriesChart } from '../../ui/time-series-chart/time-series-chart.tsx';
import { latestQuery } from '../devices/devices.queries.ts';
import { planCharts } from './chart-layout.ts';
import { type ChartLine, lineLabel, lineToText } from './chart-lines.ts';
import classes from './data-explorer.module.css';
import { FieldPicker } from './field-picker.tsx';
import { isPlumbing, unitsOf } from './source-groups.ts';
import { seriesQuery, useTables } from './telemetry.queries.ts';
import { type Layout, MOST_LINES, useDataAddress } from './use-data-address.ts';

/** Widths are rounded up to this many pixels, so that a small change of the window asks for nothing new. */
const WIDTH_STEP = 200;

/** Any fields of any source of the device over any range. */
export function DataExplorer({ device }: { device: Device }) {
  const wg = useWorkgroup();
  const [address, change] = useDataAddress();
  const { data, isPending, isError, error, refetch } = useQuery(latestQuery(wg, device.id));
  const [isPicking, setPicking] = useState(false);
  const sources = data ?? NO_SOURCES;
  const tables = useTables(
    wg,
    useMemo(
      () => [...new Set([...sources, ...address.lines].map((one) => one.table))],
      [sources, address.lines],
    ),
  );

  if (isPending) return <ExplorerSkeleton />;
  if (isError) {
    return (
      <ErrorState title="The sources could not be loaded" error={error} onRetry={() => void refetch()} />
    );
  }
  if (sources.length === 0) {
    return (
      <EmptyState
        title="No data yet"
        text={
          device.facts.version === null
            ? 'The agent has not connected yet. Install it on the machine; what it captures can then be charted here.'
            : 'Nothing that the agent captures has arrived yet.'
        }
      />
    );
  }
  const picker = (
    <FieldPicker
      sources={sources}
      unitsOf={(table, field) => unitsOf(tables, table, field)}
      lines={address.lines}
      most={MOST_LINES}
      onChange={(lines) => change({ lines })}
    />
  );
  return (
    <div className={classes.explorer}>
      <aside className={classes.side} aria-label="Fields">
        {picker}
      </aside>
      <div className={classes.main}>
        <div className={classes.tools}>
          <Button
            variant="default"
            className={classes.pick}
            leftSection={<IconListCheck size={16} />}
            onClick={() => setPicking(true)}
          >
            Fields ({address.lines.length})
          </Button>
          <SegmentedControl
            size="xs"
            value={address.layout}
            onChange={(layout) => change({ layout: layout as Layout })}
            data={[
              { value: 'unit', label: 'By unit' },
              { value: 'one', label: 'One chart' },
              { value: 'each', label: 'Each' },
            ]}
            aria-label="Layout of the charts"
          />
          <RangeTools device={device} time={address.time} onChange={(time) => change({ time }, true)} />
        </div>
        {address.lines.length === 0 ? (
          <Suggestions sources={sources} onChoose={(lines) => change({ lines }, true)} />
        ) : (
          <Charts
            device={device}
            lines={address.lines}
            layout={address.layout}
            time={address.time}
            tables={tables}
            onTime={(time) => change({ time }, true)}
          />
        )}
      </div>
      <Drawer opened={isPicking} onClose={() => setPicking(false)} title="Fields" size="min(92vw, 400px)">
        {picker}
      </Drawer>
    </div>
  );
}

const NO_SOURCES: LatestSource[] = [];

interface RangeToolsProps {
  device: Device;
  time: TimeRangeChoice;
  onChange: (time: TimeRangeChoice) => void;
}

function RangeTools({ device, time, onChange }: RangeToolsProps) {
  const client = useQueryClient();
  return (
    <div className={classes.range}>
      <TimeRangePicker
        value={time}
        onChange={onChange}
        deviceZone={device.meta.timezone ?? null}
        onRefresh={() => void client.invalidateQueries({ queryKey: ['series'] })}
      />
    </div>
  );
}

interface ChartsProps {
  device: Device;
  lines: ChartLine[];
  layout: Layout;
  time: TimeRangeChoice;
  tables: Parameters<typeof unitsOf>[0];
  onTime: (time: TimeRangeChoice) => void;
}

function Charts({ device, lines, layout, time, tables, onTime }: ChartsProps) {
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
  // While new lines load, the answer still has those of before, in another order.
  const answered = query.data?.length === lines.length ? query.data : undefined;
  const series = useMemo(
    () =>
      answered &&
      lines.map(
        (line, place): ChartSeries => ({
          id: lineToText(line),
          label: lineLabel(line, lines),
          units: units[place] ?? null,
          points: answered[place] ?? NO_POINTS,
        }),
      ),
    [lines, units, answered],
  );
  const charts = useMemo(() => planCharts(lines, units, layout), [lines, units, layout]);
  const chartSeries = useMemo(
    () => charts.map((chart) => (series ? chart.lines.flatMap((place) => series[place] ?? []) : [])),
    [charts, series],
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
          title="The points could not be loaded"
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      ) : null}
      {charts.map((chart, index) => (
        <div key={chart.key} className={classes.card}>
          {series ? (
            <TimeSeriesChart
              title={chart.title}
              series={chartSeries[index] ?? []}
              span={span}
              timeZone={zone}
              height={charts.length === 1 ? 380 : 240}
              isRefreshing={query.isFetching && query.isPlaceholderData}
              canZoomOut={history.length > 0 || time.range.kind === 'absolute'}
              onZoom={zoom}
              onZoomOut={zoomOut}
            />
          ) : query.isError ? null : (
            <Skeleton height={charts.length === 1 ? 460 : 320} />
          )}
        </div>
      ))}
    </div>
  );
}

const NO_POINTS = { stepMs: 0, times: [], min: [], avg: [], max: [] };

/** The instants of the range; one that follows the clock is cut anew at its own pace, any other only when it changes. */
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

interface SuggestionsProps {
  sources: readonly LatestSource[];
  onChoose: (lines: ChartLine[]) => void;
}

/** Nothing is chosen yet: the fields that most sources have, ready to draw. */
function Suggestions({ sources, onChoose }: SuggestionsProps) {
  const offers = useMemo(() => suggest(sources), [sources]);
  return (
    <EmptyState title="Choose what to chart" text="Tick fields at the left, or begin with one of these.">
      <div className={classes.offers}>
        {offers.map((offer) => (
          <Button key={offer.label} variant="default" size="sm" onClick={() => onChoose(offer.lines)}>
            {offer.label}
          </Button>
        ))}
      </div>
    </EmptyState>
  );
}

const OFFERS = 6;

/** For each table its first numeric fields, of all sources that have them. */
export function suggest(sources: readonly LatestSource[]): { label: string; lines: ChartLine[] }[] {
  const tables = Map.groupBy(
    sources.filter((one) => !isPlumbing(one)),
    (one) => one.table,
  );
  const offers = [...tables].flatMap(([table, members]) => {
    const fields = new Set(
      members.flatMap((one) =>
        Object.entries(one.values).flatMap(([field, value]) => (typeof value === 'number' ? [field] : [])),
      ),
    );
    return [...fields].slice(0, 3).map((field) => {
      const lines = members
        .filter((one) => field in one.values)
        .map((one) => ({ table, source: one.source, field }))
        .slice(0, 12);
      return {
        label: lines.length > 1 ? `${field} of ${lines.length} sources` : `${lines[0]?.source} / ${field}`,
        lines,
      };
    });
  });
  return offers.toSorted((a, b) => b.lines.length - a.lines.length).slice(0, OFFERS);
}

function ExplorerSkeleton() {
  return (
    <div className={classes.explorer}>
      <aside className={classes.side}>
        {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((key) => (
          <Skeleton key={key} height={14} mb={14} />
        ))}
      </aside>
      <div className={classes.main}>
        <Skeleton height={36} />
        <Skeleton height={460} />
      </div>
    </div>
  );
}
