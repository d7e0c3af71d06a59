import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';
import { Alert, Button } from '@mantine/core';
import { t } from 'i18next';
import { useTranslation } from 'react-i18next';
import { planCharts, titleOf } from '../../app/series/chart-layout.ts';
import {
  classesOf,
  distributionOf,
  durationOf,
  heatOf,
  heldOf,
  scatterOf,
} from '../../app/series/derived.ts';
import { ChartCard, ChartColumn } from '../../app/series/picked-charts.tsx';
import type { Zoom } from '../../app/series/use-span.ts';
import { HeatMap } from '../../ui/heat-map/heat-map.tsx';
import { ChartSkeleton } from '../../ui/skeletons.tsx';
import { EmptyState } from '../../ui/states.tsx';
import type { Span } from '../../ui/time-range/time-range.ts';
import type { ChartMark } from '../../ui/time-series-chart/chart-marks.ts';
import { NumberChart, type NumberSeries } from '../../ui/time-series-chart/number-chart.tsx';
import { type ChartSeries, extentsOf } from '../../ui/time-series-chart/series-data.ts';
import { TimeSeriesChart } from '../../ui/time-series-chart/time-series-chart.tsx';
import { formatWhole } from '../../ui/units/numbers.ts';
import { baseUnit } from '../../ui/units/units.ts';
import type { AnalysisAddress } from './analysis-address.ts';
import type { DrawnLine } from './drawn-lines.ts';
import type { ChangeAddress } from './use-analysis-address.ts';
import { devicesOf } from './use-marks.ts';

export interface AnalysisChartsProps extends Zoom {
  address: AnalysisAddress;
  change: ChangeAddress;
  lines: readonly DrawnLine[];
  /** Of each line: itself, and what it is compared with; undefined until they come. */
  series: readonly ChartSeries[][] | undefined;
  devices: readonly DeviceSummary[];
  span: Span;
  zoneOf: (line: DrawnLine) => string;
  marks: ReadonlyMap<string, ChartMark[]>;
  isRefreshing: boolean;
}

/** The chosen lines in the form that was asked for. */
export function AnalysisCharts(props: AnalysisChartsProps) {
  const { address, change, lines, series } = props;
  const { t } = useTranslation();
  if (!series) return lines.map(({ key }) => <ChartSkeleton key={key} height={300} />).slice(0, 2);
  const { view, interval } = address;
  const most = Math.max(0, ...series.map(([own]) => own?.points.stats.count ?? 0));
  const isThinned = series.some(([own]) => (own?.points.stepMs ?? 0) > 0);
  return (
    <ChartColumn>
      {interval === 'raw' && isThinned ? (
        <Alert color="gray" variant="light" fz={13}>
          {t('analysis.tooMany', { count: most, text: formatWhole(most) })}{' '}
          <Button size="compact-xs" variant="default" onClick={() => change({ interval: 'all' })}>
            {t('analysis.drawAll')}
          </Button>
        </Alert>
      ) : null}
      {view === 'line' || view === 'column' ? (
        <OverTime {...props} series={series} />
      ) : view === 'heat' ? (
        <Heat {...props} series={series} />
      ) : view === 'scatter' ? (
        <Scatter {...props} series={series} />
      ) : (
        <OverValues {...props} series={series} />
      )}
    </ChartColumn>
  );
}

type Drawn = Omit<AnalysisChartsProps, 'series'> & { series: readonly ChartSeries[][] };

function OverTime(props: Drawn) {
  const { address, change, lines, series, devices, span, zoneOf, marks } = props;
  const { layout, min, max, cursor, view } = address;
  const units = series.map(([own]) => own?.units ?? null);
  const charts = planCharts(lines, units, layout, (place) => zoneOf(lines[place] as DrawnLine));
  const extents = layout === 'each' ? extentsOf(series.flat()) : undefined;
  return charts.map((chart) => {
    const own = chart.lines.flatMap((place) => lines[place] ?? []);
    const [first] = own;
    if (!first) return null;
    const ids = devicesOf(own, devices);
    return (
      <ChartCard key={chart.key}>
        <TimeSeriesChart
          title={titled(own)}
          series={chart.lines.flatMap((place) => series[place] ?? [])}
          span={
            view === 'column'
              ? withLastColumn(
                  span,
                  chart.lines.flatMap((place) => series[place] ?? []),
                )
              : span
          }
          timeZone={zoneOf(first)}
          height={charts.length === 1 ? 420 : 240}
          style={view === 'column' ? 'column' : 'line'}
          {...(extents ? { extents } : {})}
          {...(min !== null || max !== null ? { clip: { min, max } } : {})}
          marks={ids.flatMap((id) => marks.get(id) ?? [])}
          pinned={cursor}
          onPin={(at) => change({ cursor: at })}
          isRefreshing={props.isRefreshing}
          canZoomOut={props.canZoomOut}
          onZoom={props.zoom}
          onZoomOut={props.zoomOut}
        />
      </ChartCard>
    );
  });
}

/** Until the end of the last column, which may lie in the future. */
function withLastColumn({ from, to }: Span, series: readonly ChartSeries[]): Span {
  const ends = series.map(({ points: { times, stepMs } }) => (times.at(-1) ?? 0) + stepMs);
  return { from, to: Math.max(to, ...ends) };
}

function Heat({ lines, series, zoneOf }: Drawn) {
  return lines.map((line, i) => {
    const own = series[i]?.[0];
    if (!own) return null;
    const { cells, days } = heatOf(own.points, zoneOf(line));
    return (
      <ChartCard key={line.key}>
        <HeatMap title={titled([line])} units={own.units} timeZone={zoneOf(line)} cells={cells} days={days} />
      </ChartCard>
    );
  });
}

function Scatter({ address, lines, series }: Drawn) {
  const { t } = useTranslation();
  const place = Math.max(
    0,
    lines.findIndex(({ key }) => key === address.x),
  );
  const [xLine, x] = [lines[place], series[place]?.[0]];
  if (!xLine || !x) return null;
  if (lines.length < 2) return <EmptyState title={t('analysis.scatterNeedsTwo')} />;
  const others = lines.flatMap((line, i): NumberSeries[] => {
    const y = series[i]?.[0];
    if (i === place || !y) return [];
    const { key: id, label } = line;
    return [{ id, label, units: y.units, style: i, ...scatterOf(x.points, y.points) }];
  });
  return (
    <ChartCard>
      <NumberChart
        title={t('analysis.over', {
          what: titled(lines.filter((_, i) => i !== place)),
          x: xLine.label,
        })}
        xLabel={xLine.label}
        xUnits={x.units}
        kind="points"
        series={others}
      />
    </ChartCard>
  );
}

/** Distributions and duration curves, a chart for each unit. */
function OverValues({ address, lines, series }: Drawn) {
  const { t } = useTranslation();
  const isDuration = address.view === 'duration';
  const units = series.map(([own]) => own?.units ?? null);
  const charts = planCharts(lines, units, address.layout === 'each' ? 'each' : 'unit');
  return charts.map((chart) => {
    const own = chart.lines.flatMap((place) => {
      const [line, one] = [lines[place], series[place]?.[0]];
      return line && one ? [{ line, one, place, factor: baseUnit(one.units).factor }] : [];
    });
    const unit = baseUnit(own[0]?.one.units).unit;
    const values = own.map(({ one, factor }) =>
      heldOf(one.points).map(({ value, ms }) => ({ value: value * factor, ms })),
    );
    const edges = isDuration ? [] : classesOf(values.flat().map(({ value }) => value));
    const drawn = own.map(({ line, place }, i): NumberSeries => {
      const mine = values[i] ?? [];
      const shape = isDuration ? durationOf(mine) : { x: edges, y: distributionOf(mine, edges) };
      return { id: line.key, label: line.label, style: place, units: isDuration ? unit : '%', ...shape };
    });
    return (
      <ChartCard key={chart.key}>
        <NumberChart
          title={titled(own.map(({ line }) => line))}
          note={t(isDuration ? 'analysis.durationNote' : 'analysis.distributionNote')}
          xLabel={t(isDuration ? 'analysis.shareOfTime' : 'analysis.value')}
          xUnits={isDuration ? '%' : unit}
          kind={isDuration ? 'line' : 'columns'}
          series={drawn}
        />
      </ChartCard>
    );
  });
}

/** What the lines have in common, with the device or the site where it is only one. */
function titled(lines: readonly DrawnLine[]): string {
  const [first, ...others] = new Set(lines.map(({ owner }) => owner));
  const fields = new Set(lines.map(({ field }) => field));
  const areEntities = lines.length > 1 && fields.size === 1 && lines.every(({ combine }) => combine !== null);
  const title = areEntities
    ? t('analysis.entities.fieldOf', { field: [...fields][0], count: lines.length })
    : titleOf(lines);
  return first && others.length === 0 ? `${first}: ${title}` : title;
}
