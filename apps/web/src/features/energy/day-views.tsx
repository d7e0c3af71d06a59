import type { EnergyReport } from '@albedo/contract/energy/energy.schema';
import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { HeatGrid } from '../../ui/heat-map/heat-grid.tsx';
import { Section } from '../../ui/section.tsx';
import { ChartSkeleton } from '../../ui/skeletons.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { formatDay } from '../../ui/time-range/zoned-time.ts';
import { firstDayOfWeek, localeTag } from '../../ui/units/locale.ts';
import { formatValue } from '../../ui/units/units.ts';
import { deviceListQuery } from '../devices/devices.queries.ts';
import { DayMatrix, MOST_DAYS } from './day-matrix.tsx';
import { atOf, dayOf, daysText, dayText } from './day-range.ts';
import { totalsByRow } from './day-totals.ts';
import classes from './energy.module.css';
import { daysQuery, reportQuery } from './energy.queries.ts';
import { type ChangeAddress, PORTFOLIO, VIEWS, type View } from './report-address.ts';

interface DayViewsProps {
  wg: string;
  report: EnergyReport;
  view: View;
  onChange: ChangeAddress;
}

/** Chooses how the days stand: as a table, device by day, or as a calendar. */
export function DayViews({ wg, report, view, onChange }: DayViewsProps) {
  const { t } = useTranslation();
  return (
    <>
      <SegmentedControl
        className={classes.views}
        aria-label={t('energy.view')}
        value={view}
        data={VIEWS.map((value) => ({ value, label: t(`energy.views.${value}`) }))}
        onChange={(next) => onChange({ view: next as View })}
      />
      {view === 'table' ? null : <Days wg={wg} report={report} view={view} onChange={onChange} />}
    </>
  );
}

function Days({ wg, report, view, onChange }: DayViewsProps) {
  return view === 'matrix' ? (
    <Matrix wg={wg} report={report} onChange={onChange} />
  ) : (
    <Calendar wg={wg} report={report} />
  );
}

const scopeOf = ({ path }: EnergyReport): string => path.at(-1)?.scope ?? PORTFOLIO;

interface MatrixProps {
  wg: string;
  report: EnergyReport;
  onChange: ChangeAddress;
}

/** Devices, or the sources of one, by day; of a longer time its last days. */
function Matrix({ wg, report, onChange }: MatrixProps) {
  const { t } = useTranslation();
  const scope = scopeOf(report);
  const from = dayOf(Math.max(atOf(report.from), atOf(report.to) - (MOST_DAYS - 1) * DAY_MS));
  const { data, error, refetch } = useQuery(daysQuery(wg, { from, to: report.to, scope }));
  const { data: devices = [] } = useQuery(deviceListQuery(wg));
  const names = useMemo(() => new Map(devices.map(({ id, name }) => [id, name])), [devices]);
  const isOfDevice = scope.startsWith('device:') || scope.startsWith('source:');
  const rows = useMemo(
    () => totalsByRow(data ?? [], isOfDevice ? 'source' : 'device', names),
    [data, isOfDevice, names],
  );
  if (error && !data)
    return <ErrorState title={t('energy.daysFailed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return <ChartSkeleton height={320} />;
  return (
    <Section
      title={t(isOfDevice ? 'energy.sourceByDay' : 'energy.deviceByDay')}
      context={from === report.from ? undefined : daysText({ from, to: report.to })}
      isFlush
    >
      {rows.length === 0 ? (
        <EmptyState title={t('energy.noRows')} text={t('energy.noRowsText')} />
      ) : (
        <DayMatrix
          rows={rows}
          from={from}
          to={report.to}
          onOpen={(next) => onChange({ scope: next, view: 'table' })}
        />
      )}
    </Section>
  );
}

/** Weeks across, days of the week down: what all of it gave on each day. */
function Calendar({ wg, report }: { wg: string; report: EnergyReport }) {
  const { t } = useTranslation();
  const question = { from: report.from, to: report.to, scope: scopeOf(report), compare: 'none' } as const;
  const { data, error, refetch } = useQuery(
    reportQuery(wg, 'daily-energy', { ...question, granularity: 'day' }),
  );
  const grid = useMemo(() => gridOf(data), [data]);
  if (error && !data)
    return <ErrorState title={t('energy.daysFailed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return <ChartSkeleton height={260} />;
  return (
    <Section title={t('energy.calendar')}>
      <HeatGrid
        title={t('energy.columns.production')}
        note={null}
        units="kWh"
        cells={grid.cells}
        rows={grid.rows}
        columns={grid.columns}
        left={44}
        height={AROUND + 7 * 26}
        wordsOf={({ row, column, value }) =>
          `${dayText(grid.dayAt(row, column))}   ${formatValue(value, 'kWh')}`
        }
        csv={{
          columns: [{ title: 'day' }, { title: t('energy.columns.production'), units: 'kWh' }],
          rowOf: ({ row, column, value }) => [grid.dayAt(row, column), value],
        }}
      />
    </Section>
  );
}

/** Head, names of the weeks and the scale of a heat map, px. */
const AROUND = 76;
const DAY_MS = 86_400_000;

function gridOf(report: EnergyReport | undefined) {
  const first = firstDayOfWeek();
  const values = report?.series.find(({ key }) => key === 'production')?.values ?? [];
  const days = report?.periods ?? [];
  const start = weekOf(atOf(days[0] ?? '2000-01-01'), first);
  const end = weekOf(atOf(days.at(-1) ?? '2000-01-01'), first);
  const dayAt = (row: number, column: number) => dayOf(start + (column * 7 + row) * DAY_MS);
  const names = new Intl.DateTimeFormat(localeTag(), { weekday: 'short', timeZone: 'UTC' });
  return {
    dayAt,
    rows: Array.from({ length: 7 }, (_, row) => names.format(start + row * DAY_MS)),
    columns: Array.from({ length: (end - start) / (7 * DAY_MS) + 1 }, (_, column) =>
      formatDay(start + column * 7 * DAY_MS, 'UTC', 'dayOfYear'),
    ),
    cells: days.flatMap((day, i) => {
      const value = values[i];
      const at = (atOf(day) - start) / DAY_MS;
      return value === null || value === undefined
        ? []
        : [{ row: at % 7, column: Math.floor(at / 7), value }];
    }),
  };
}

/** The first day of the week of a day. */
const weekOf = (at: number, first: number): number =>
  at - ((new Date(at).getUTCDay() - first + 7) % 7) * DAY_MS;
