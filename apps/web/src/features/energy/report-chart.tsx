import type { EnergyReportName } from '@albedo/contract/energy/energy.names';
import type { EnergyReport, ReportColumn } from '@albedo/contract/energy/energy.schema';
import type { SeriesPoints } from '@albedo/contract/telemetry/telemetry.schema';
import { SegmentedControl, useComputedColorScheme } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { lineStyle, type Scheme } from '../../ui/time-series-chart/palette.ts';
import type { ChartSeries } from '../../ui/time-series-chart/series-data.ts';
import { TimeSeriesChart } from '../../ui/time-series-chart/time-series-chart.tsx';
import { atOf, dayOf } from './day-range.ts';
import classes from './energy.module.css';
import { columnTitle, numberOf, unitsOf } from './figures.tsx';
import { CHART_STYLES, type ChangeAddress, type ChartStyle, type ReportAddress } from './report-address.ts';

const DAY_MS = 86_400_000;
/** What is drawn before somebody chooses; of energy as specification 2, section 14, says. */
const FIRST_DRAWN: Partial<Record<EnergyReportName, readonly string[]>> = {
  energy: ['production', 'estimate'],
  'daily-energy': ['production', 'expected'],
  'performance-ratio': ['production', 'meter'],
  'capacity-factor': ['capacityFactor'],
  'inverter-performance': ['production', 'expected'],
  'iec-performance-ratio': ['performanceRatio', 'performanceRatio25'],
};

interface ReportChartProps {
  report: EnergyReport;
  address: ReportAddress;
  isRefreshing: boolean;
  onChange: ChangeAddress;
}

/** The course of the totals over the periods. */
export function ReportChart({ report, address, isRefreshing, onChange }: ReportChartProps) {
  const { t } = useTranslation();
  const today = dayOf(useNow(60_000));
  const offered = useMemo(() => seriesOf(report, today), [report, today]);
  const drawn = address.drawn ?? firstDrawn(report, offered);
  const shown = useMemo(() => offered.filter(({ id }) => drawn.includes(id)), [offered, drawn]);
  const span = useMemo(() => ({ from: atOf(report.from), to: atOf(report.to) + DAY_MS }), [report]);
  if (offered.length === 0) return null;
  return (
    <section className={classes.card} aria-label={t('energy.course')}>
      <div className={classes.drawing}>
        {offered.length > 1 || drawn.length === 0
          ? offered.map((one) => (
              <SeriesToggle
                key={one.id}
                series={one}
                isOn={drawn.includes(one.id)}
                onToggle={(isOn) =>
                  onChange({
                    drawn: isOn ? [...drawn, one.id] : drawn.filter((id) => id !== one.id),
                  })
                }
              />
            ))
          : null}
        <SegmentedControl
          size="xs"
          aria-label={t('energy.chartStyle')}
          value={address.style}
          data={CHART_STYLES.map((value) => ({ value, label: t(`energy.styles.${value}`) }))}
          onChange={(style) => onChange({ style: style as ChartStyle })}
        />
      </div>
      <div className={classes.chart}>
        <TimeSeriesChart
          title={t('energy.courseOf', { name: report.path.at(-1)?.name || t('energy.portfolio') })}
          series={shown}
          span={span}
          timeZone="UTC"
          zoneName={clockText(t, report.timezone)}
          height={260}
          style={address.style}
          isRefreshing={isRefreshing}
          emptyText={t(shown.length === 0 ? 'energy.nothingDrawn' : 'energy.nothingInTime')}
          onZoom={({ from, to }) => {
            const days = { from: dayOf(from), to: dayOf(Math.max(from, to - 1)) };
            onChange({ range: { kind: 'days', ...days } });
          }}
          onZoomOut={() => onChange({ range: { kind: 'preset', preset: 'last-month' } })}
        />
      </div>
    </section>
  );
}

interface SeriesToggleProps {
  series: ChartSeries;
  isOn: boolean;
  onToggle: (isOn: boolean) => void;
}

/** Draws a series or leaves it out; it has the colour of its line. */
function SeriesToggle({ series, isOn, onToggle }: SeriesToggleProps) {
  const scheme = useComputedColorScheme('light') as Scheme;
  return (
    <button type="button" className={classes.toggle} aria-pressed={isOn} onClick={() => onToggle(!isOn)}>
      <span style={{ background: lineStyle(series.style ?? 0, scheme).colour }} aria-hidden />
      {series.label}
    </button>
  );
}

type Translate = ReturnType<typeof useTranslation>['t'];

/** By whose clocks the days are counted. */
const clockText = (t: Translate, timezone: string): string =>
  timezone === 'device' ? t('energy.deviceClock') : timezone;

function firstDrawn({ report }: EnergyReport, offered: readonly ChartSeries[]): string[] {
  const wanted = FIRST_DRAWN[report] ?? [];
  const found = offered.flatMap(({ id }) => (wanted.includes(id) ? [id] : []));
  const [first] = offered;
  return found.length > 0 ? found : offered.flatMap(({ id, units }) => (units === first?.units ? [id] : []));
}

function seriesOf({ columns, series, periods, to }: EnergyReport, today: string): ChartSeries[] {
  const byKey = new Map(columns.map((column) => [column.key, column]));
  const times = periods.map(atOf);
  return series.flatMap(({ key, values }, at) => {
    const column = byKey.get(key);
    if (!column) return [];
    // If the report includes today, its last period is incomplete.
    const points = pointsOf(column, values, times, to >= today);
    return [{ id: key, label: columnTitle(key), units: unitsOf(column), points, style: at }];
  });
}

function pointsOf(
  column: ReportColumn,
  given: readonly (number | null)[],
  times: number[],
  isRunning: boolean,
): SeriesPoints {
  const values = given.map((value) => numberOf(column, value));
  const last = values.findLast((value) => value !== null) ?? null;
  const partial = isRunning ? times.slice(-1) : [];
  const whole = isRunning ? values.slice(0, -1) : values;
  const numbers = whole.filter((value) => value !== null);
  const sum = numbers.reduce((total, value) => total + value, 0);
  const steps = times.slice(1).map((at, i) => at - (times[i] ?? at));
  return {
    stepMs: steps.length > 0 ? Math.min(...steps) : DAY_MS,
    times,
    min: values,
    avg: values,
    max: values,
    stats: {
      count: numbers.length,
      min: numbers.length > 0 ? Math.min(...numbers) : null,
      avg: numbers.length > 0 ? sum / numbers.length : null,
      max: numbers.length > 0 ? Math.max(...numbers) : null,
      last,
    },
    ...(isRunning && { partial }),
  };
}
