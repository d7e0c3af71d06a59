import type { EnergyDay, EnergyReport } from '@albedo/contract/energy/energy.schema';
import { SegmentedControl, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { HeatGrid } from '../../ui/heat-map/heat-grid.tsx';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { firstDayOfWeek, localeTag } from '../../ui/units/locale.ts';
import { formatValue } from '../../ui/units/units.ts';
import { deviceListQuery } from '../devices/devices.queries.ts';
import { DayMatrix } from './day-matrix.tsx';
import { atOf, dayText } from './day-range.ts';
import { type DayTotal, totalsByDay, totalsByRow } from './day-totals.ts';
import classes from './energy.module.css';
import { daysQuery } from './energy.queries.ts';
import { type ChangeAddress, VIEWS, type View } from './report-address.ts';

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
  const { t } = useTranslation();
  const scope = report.path.at(-1)?.scope ?? 'portfolio';
  const { data, error, refetch } = useQuery(daysQuery(wg, { from: report.from, to: report.to, scope }));
  if (error && !data)
    return <ErrorState title={t('energy.daysFailed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={320} />;
  return view === 'matrix' ? (
    <Matrix wg={wg} days={data} report={report} onChange={onChange} />
  ) : (
    <Calendar days={data} />
  );
}

interface MatrixProps {
  wg: string;
  days: readonly EnergyDay[];
  report: EnergyReport;
  onChange: ChangeAddress;
}

function Matrix({ wg, days, report, onChange }: MatrixProps) {
  const { t } = useTranslation();
  const { data: devices = [] } = useQuery(deviceListQuery(wg));
  const names = useMemo(() => new Map(devices.map(({ id, name }) => [id, name])), [devices]);
  const isOfDevice = (report.path.at(-1)?.scope ?? '').startsWith('device:');
  const rows = useMemo(
    () => totalsByRow(days, isOfDevice ? 'source' : 'device', names),
    [days, isOfDevice, names],
  );
  return (
    <Section title={t(isOfDevice ? 'energy.sourceByDay' : 'energy.deviceByDay')} isFlush>
      <DayMatrix
        rows={rows}
        from={report.from}
        to={report.to}
        onOpen={(scope) => onChange({ scope, view: 'table' })}
      />
    </Section>
  );
}

/** Weeks across, days of the week down. */
function Calendar({ days }: { days: readonly EnergyDay[] }) {
  const { t } = useTranslation();
  const totals = useMemo(() => totalsByDay(days), [days]);
  const grid = useMemo(() => gridOf(totals), [totals]);
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
          head: ['day', 'kWh'],
          rowOf: ({ row, column, value }) => [grid.dayAt(row, column), String(value)],
        }}
      />
    </Section>
  );
}

/** Head, names of the weeks and the scale of a heat map, px. */
const AROUND = 76;
const DAY_MS = 86_400_000;

function gridOf(totals: readonly DayTotal[]) {
  const first = firstDayOfWeek();
  const start = totals.length > 0 ? weekOf(atOf(totals[0]?.day ?? ''), first) : 0;
  const end = totals.length > 0 ? weekOf(atOf(totals.at(-1)?.day ?? ''), first) : 0;
  const dayAt = (row: number, column: number) =>
    new Date(start + (column * 7 + row) * DAY_MS).toISOString().slice(0, 10);
  const names = new Intl.DateTimeFormat(localeTag(), { weekday: 'short', timeZone: 'UTC' });
  return {
    dayAt,
    rows: Array.from({ length: 7 }, (_, row) => names.format(start + row * DAY_MS)),
    columns: Array.from({ length: (end - start) / (7 * DAY_MS) + 1 }, (_, column) =>
      dayText(dayAt(0, column)),
    ),
    cells: totals.map(({ day, energyKWh }) => {
      const at = (atOf(day) - start) / DAY_MS;
      return { row: at % 7, column: Math.floor(at / 7), value: energyKWh };
    }),
  };
}

/** The first day of the week of a day. */
const weekOf = (at: number, first: number): number =>
  at - ((new Date(at).getUTCDay() - first + 7) % 7) * DAY_MS;
